/** Localisation as a setting: how far an observation reaches, what to warn of, and how many observations reach a grid point. */
import { cellLength, extents, farthest, lengthUnit, optionalSection, tidy } from '../../settings/index.ts';
import type { Problem, Situation } from '../../settings/index.ts';
import { around, legibleEnds, type TunableSetting } from '../tuning.ts';

/** A half-width that says that everything is to be reached. */
export const NO_LOCALISATION = 1e9;

export const localisation = optionalSection(
  {
    title: 'Localisation',
    description:
      'Weight of an observation by its distance: the Gaspari–Cohn function, which is zero beyond two half-widths.',
  },
  {
    halfWidth: cellLength({
      title: 'Half-width',
      description: 'Half of the distance beyond which an observation has no influence; 1e9 for no localisation.',
      unit: 'm',
      above: 0,
      maximum: NO_LOCALISATION,
      cells: 4,
    }),
  },
);

export interface LocalisedSettings {
  readonly localisation: { readonly halfWidth: number };
}

/** @returns the half-width of what is localised by one, m or places; undefined if nothing is */
export function halfWidthOf(settings: object): number | undefined {
  if (!('localisation' in settings)) return undefined;
  const { localisation: found } = settings;
  if (typeof found !== 'object' || found === null || !('halfWidth' in found)) return undefined;
  return typeof found.halfWidth === 'number' ? found.halfWidth : undefined;
}

/** A half-width that reaches everything, or no neighbour. */
export function localisationWarnings(
  { localisation: { halfWidth } }: LocalisedSettings,
  situation: Situation,
): Problem[] {
  const path = ['localisation', 'halfWidth'];
  if (halfWidth === NO_LOCALISATION) return [];
  const reach = farthest(situation);
  const cell = Math.min(situation.grid.dx, situation.grid.dy);
  const unit = lengthUnit(situation.model);
  if (2 * halfWidth >= reach) {
    const message = `${halfWidth}${unit} reaches everything: the ${situation.model.boundary ? 'basin' : 'ring'}'s farthest places are ${tidy(reach)}${unit} apart and the taper ends at ${2 * halfWidth}${unit}`;
    return [{ path, message }];
  }
  if (2 * halfWidth <= cell) {
    const message = `${halfWidth}${unit} reaches no neighbour: cells are ${cell}${unit} apart and the taper ends at ${2 * halfWidth}${unit}`;
    return [{ path, message }];
  }
  return [];
}

/** @returns observations in the reach of one grid point at most, estimated */
export function localObservations({ localisation: { halfWidth } }: LocalisedSettings, situation: Situation): number {
  const [lengthX, lengthY] = extents(situation);
  const share = Math.min(1, (4 * halfWidth) / lengthX) * Math.min(1, (4 * halfWidth) / lengthY);
  return Math.min(situation.observations, Math.ceil(situation.observations * share));
}

/** Factor of the cell and of the basin's reach, so that a half-width stays off the ends where it reaches no neighbour, or everything. */
const WITHIN = 1.01;

/** @returns the half-width as it is tuned; nothing where it is meant to reach everything, or no neighbour */
export function halfWidthTuning(settings: LocalisedSettings, situation: Situation): TunableSetting[] {
  const isMeant = settings.localisation.halfWidth === NO_LOCALISATION;
  if (isMeant || localisationWarnings(settings, situation).length > 0) return [];
  const least = (WITHIN * Math.min(situation.grid.dx, situation.grid.dy)) / 2;
  const ends = legibleEnds(least, farthest(situation) / 2 / WITHIN);
  const present = settings.localisation.halfWidth;
  return [around({ path: 'localisation.halfWidth', present, factor: 2, ...ends })];
}
