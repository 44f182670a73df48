/**
 * What filters share that take the background's covariance from their ensemble: localisation, inflation and relaxation, and what
 * follows from these for warnings, for what is told of a divergence, and for a new filter of a scenario.
 */
import { quantity } from '../../settings/index.ts';
import type { Problem, Situation } from '../../settings/index.ts';
import type { OtherMethod, SpreadSource } from '../definition.ts';
import { around, shareTuning, wordsOf } from '../tuning.ts';
import type { MethodTuning } from '../tuning.ts';
import { halfWidthTuning, localisationWarnings, localisation } from './localisation.ts';
import type { LocalisedSettings } from './localisation.ts';
import { proposedHalfWidth } from './proposed-length.ts';
import { relaxationField } from './relaxation.ts';
import type { Relaxation } from './relaxation.ts';

/** Below this many members, an ensemble that is never inflated or relaxed loses its spread. */
const FEW_MEMBERS = 50;
/** Inflation that is proposed where no other filter of the scenario tells better, and the range of what they tell. */
const PROPOSED_INFLATION = 1.08;
const PROPOSED_RANGE = [1.05, 1.3] as const;
/** The least inflation above 1 that is worth a run. */
const LEAST_EXCESS = 0.0025;
/** Where an inflation of none is tuned from. */
const FIRST_EXCESS = 0.05;

export const filterFields = {
  localisation,
  inflation: quantity({
    title: 'Inflation',
    description: 'Multiplies the forecast’s covariance, not its anomalies; 1 for none.',
    minimum: 1,
    maximum: 100,
    default: 1,
  }),
  relaxation: relaxationField,
};

export interface FilterSettings extends LocalisedSettings {
  readonly inflation: number;
  readonly relaxation: Relaxation;
}

export function filterWarnings(settings: FilterSettings, situation: Situation): Problem[] {
  const { members } = situation.background;
  const warnings = localisationWarnings(settings, situation);
  if (settings.inflation !== 1 || settings.relaxation.kind !== 'none' || members >= FEW_MEMBERS) return warnings;
  const message = `1, without relaxation and with ${members} members: the spread will fall below the error`;
  return [...warnings, { path: ['inflation'], message }];
}

export function filterSpreadSource({ inflation, relaxation }: FilterSettings): SpreadSource | undefined {
  if (inflation > 1) return { what: `inflation ${inflation}`, remedy: 'Lower it.' };
  if (relaxation.kind === 'none') return undefined;
  return { what: `relaxation to ${relaxation.kind}, factor ${relaxation.factor},`, remedy: 'Lower the factor.' };
}

function isFilter(method: OtherMethod): method is OtherMethod & FilterSettings {
  return Object.keys(filterFields).every((name) => Object.hasOwn(method, name));
}

/** @returns what another filter of the scenario has, or what its grid and network suggest */
export function proposedFilter(
  situation: Situation,
  others: readonly OtherMethod[],
): Readonly<Record<string, unknown>> {
  const other = others.find(isFilter);
  if (other === undefined) {
    return { localisation: { halfWidth: proposedHalfWidth(situation) }, inflation: PROPOSED_INFLATION };
  }
  const { localisation: taken, inflation, relaxation } = other;
  // Relaxation gives back the spread in its own way; then the inflation is left as it is.
  if (relaxation.kind !== 'none') return { localisation: taken, inflation, relaxation };
  const [least, most] = PROPOSED_RANGE;
  return { localisation: taken, inflation: Math.max(least, Math.min(most, inflation)) };
}

/** Localisation against what gives the ensemble its spread back: inflation, and relaxation where there is some. */
export function filterTuning(settings: FilterSettings, situation: Situation): MethodTuning {
  const { inflation, relaxation } = settings;
  const present = inflation > 1 ? inflation : 1 + FIRST_EXCESS;
  const inflating = around({ path: 'inflation', present, factor: 4, origin: 1, least: 1 + LEAST_EXCESS, most: 100 });
  const spreading = relaxation.kind === 'none' ? [inflating] : [shareTuning('relaxation.factor'), inflating];
  const sources = relaxation.kind === 'none' ? ['inflation'] : ['relaxation', 'inflation'];
  return {
    settings: [...halfWidthTuning(settings, situation), ...spreading],
    larger: wordsOf('more', sources),
    smaller: wordsOf('less', sources),
  };
}
