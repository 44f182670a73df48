/** Forcing: what happens to the water during the run, at the start of some cycles or at every step. */
import type { z } from 'zod';
import type { DescribedKind } from '../settings/index.ts';
import { definitionsByKind, kindUnion, kindSchema, choice, count } from '../settings/index.ts';
import {
  amplitudeField,
  drawDrops,
  DROP_WIDTH,
  dropProblems,
  volumeField,
  widthField,
} from '../initial-states/index.ts';
import { defineForcing, type ForcingParts, type SeenBy } from './definition.ts';
import { stirring } from './stirring.ts';
import { tide, wind } from './wind-and-tide.ts';

export type { Interval, SeenBy, Source } from './definition.ts';

const drops = defineForcing(
  kindSchema(
    'drops',
    {
      title: 'Falling drops',
      description: 'Drops that fall at random places during the run.',
      gist: 'Drops that fall at random places during the run.',
    },
    {
      every: count({
        title: 'Every',
        description: 'Cycles between two falls; the first is at the start of the first cycle.',
        unit: 'cycles',
        minimum: 1,
        maximum: 1e6,
        default: 5,
      }),
      count: count({
        title: 'Drops',
        description: 'Number of drops at each fall.',
        minimum: 1,
        maximum: 10_000,
        default: 1,
      }),
      amplitude: amplitudeField('Height of each drop, drawn from this range.', [0.1, 0.3]),
      width: widthField(DROP_WIDTH),
      volume: volumeField(),
      seenBy: choice({
        title: 'Seen by',
        description:
          'truth: the truth alone, a model error. all: truth and members alike. each: the truth and every member have drops of their own.',
        words: ['truth', 'all', 'each'],
        default: 'truth',
      }),
    },
  ),
  {
    world: 'basin',
    problems: dropProblems,
    events: {
      every: (settings) => settings.every,
      seenBy: (settings) => settings.seenBy,
      addsVolume: ({ volume }) => volume === 'added',
      highest: (settings) => Math.max(0, ...settings.amplitude),
      lowers: (settings) => settings.volume === 'displaced' || settings.amplitude[0] < 0,
      features: (settings) => settings.count,
      draw: drawDrops,
    },
  },
);

const none = defineForcing(
  kindSchema(
    'none',
    { title: 'No forcing', description: 'Nothing happens during the run.', gist: 'Nothing happens during the run.' },
    {},
  ),
  {},
);

/** In the order in which a form offers them. */
export const FORCINGS = [none, drops, wind, stirring, tide] as const;

export const forcingField = kindUnion(FORCINGS)
  .prefault({ kind: 'none' })
  .meta({ title: 'Forcing', description: 'What happens to the water during the run.' });

/** A forcing of the scenario, with every default filled in. */
type Forcing = z.output<typeof forcingField>;

/** @returns the definition of a kind, for settings of that kind. @throws RangeError for a kind that there is not */
export const forcingDefinition = definitionsByKind<ForcingParts<Forcing> & DescribedKind>(FORCINGS);

/** @returns who sees what acts or happens during the run; undefined if there is nothing */
export function forcingSeenBy(forcing: Forcing): SeenBy | undefined {
  const { events, source } = forcingDefinition(forcing.kind);
  return (events ?? source)?.seenBy(forcing);
}
