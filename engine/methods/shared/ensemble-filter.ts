/**
 * What filters share that take the background's covariance from their ensemble: localisation, inflation and relaxation, and what
 * follows from these for warnings, for the explanation of a divergence, and for a new filter of a scenario.
 */
import type { Problem, Situation } from '../../settings/index.ts';
import {
  around,
  shareTuning,
  wordsOf,
  type OtherMethod,
  type SpreadSource,
  type MethodTuning,
  type TunableSetting,
} from '../definition.ts';
import { additiveField, additiveProblems, additiveWarnings, type AdditiveSettings } from './additive-inflation.ts';
import { adaptationField, inflationField, type Adaptation } from './inflation.ts';
import {
  halfWidthTuning,
  localisationWarnings,
  localisation,
  proposedHalfWidth,
  type LocalisedSettings,
} from './localisation.ts';
import { relaxationField, type Relaxation } from './relaxation.ts';

/** Below this many members, an ensemble that is never inflated or relaxed loses its spread. */
const FEW_MEMBERS = 50;
/** Inflation that is proposed if no other filter of the scenario suggests better, and the range of their suggestions. */
const PROPOSED_INFLATION = 1.08;
const PROPOSED_RANGE = [1.05, 1.3] as const;
/** The least inflation above 1 that is worth a run. */
const LEAST_EXCESS = 0.0025;
/** Where an inflation of none is tuned from. */
const FIRST_EXCESS = 0.05;

export const filterFields = {
  localisation,
  inflation: inflationField,
  adaptation: adaptationField,
  relaxation: relaxationField,
  additive: additiveField,
};

export interface FilterSettings extends LocalisedSettings, AdditiveSettings {
  readonly inflation: number;
  readonly adaptation: Adaptation;
  readonly relaxation: Relaxation;
}

export const filterProblems = additiveProblems;

/** Whether something gives the ensemble back the spread that analyses take. */
function isInflated({ inflation, adaptation, relaxation, additive }: FilterSettings): boolean {
  const isAdapted = adaptation.kind !== 'none' || relaxation.kind !== 'none';
  return inflation !== 1 || isAdapted || additive.standardDeviation > 0;
}

export function filterWarnings(settings: FilterSettings, situation: Situation): Problem[] {
  const { members } = situation.background;
  const warnings = [...localisationWarnings(settings, situation), ...additiveWarnings(settings, situation)];
  if (isInflated(settings) || members >= FEW_MEMBERS) return warnings;
  const message = `1, without relaxation and with ${members} members: the spread will fall below the error`;
  return [...warnings, { path: ['inflation'], message }];
}

export function filterSpreadSource(settings: FilterSettings): SpreadSource | undefined {
  const { inflation, adaptation, relaxation, additive } = settings;
  if (adaptation.kind !== 'none') {
    const remedy =
      'Use relaxation or additive inflation in its place, a smaller adaptation.deviation, or more observations.';
    return { what: 'inflation that adapts itself', remedy };
  }
  if (inflation > 1) return { what: `inflation ${inflation}`, remedy: 'Lower it.' };
  const { standardDeviation } = additive;
  if (standardDeviation > 0) return { what: `additive inflation of ${standardDeviation}`, remedy: 'Lower it.' };
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
  const { localisation: taken, inflation, relaxation, additive } = other;
  // Not every filter has a factor for each cell.
  const adaptation =
    other.adaptation.kind === 'local' ? { ...other.adaptation, kind: 'innovations' } : other.adaptation;
  if (adaptation.kind !== 'none' || additive.standardDeviation > 0) {
    return { localisation: taken, inflation, adaptation, relaxation, additive };
  }
  // Relaxation gives back the spread in its own way; then the inflation is left as it is.
  if (relaxation.kind !== 'none') return { localisation: taken, inflation, relaxation };
  const [least, most] = PROPOSED_RANGE;
  return { localisation: taken, inflation: Math.max(least, Math.min(most, inflation)) };
}

/** What gives the ensemble its spread back, of which the first is tuned beside the localisation, and as words call it. */
function spreadTuning(settings: FilterSettings): { readonly setting: TunableSetting; readonly source: string }[] {
  const { inflation, adaptation, relaxation, additive } = settings;
  const present = inflation > 1 ? inflation : 1 + FIRST_EXCESS;
  const { standardDeviation } = additive;
  const setting =
    adaptation.kind === 'none'
      ? around({ path: 'inflation', present, factor: 4, origin: 1, least: 1 + LEAST_EXCESS, most: 100 })
      : around({ path: 'adaptation.deviation', present: adaptation.deviation, factor: 4, most: 10 });
  const draws = around({ path: 'additive.standardDeviation', present: standardDeviation, factor: 4, most: 1000 });
  return [
    ...(relaxation.kind === 'none' ? [] : [{ setting: shareTuning('relaxation.factor'), source: 'relaxation' }]),
    ...(standardDeviation > 0 ? [{ setting: draws, source: 'additive inflation' }] : []),
    { setting, source: 'inflation' },
  ];
}

/** Localisation against what gives the ensemble its spread back: relaxation and additive inflation if there are some. */
export function filterTuning(settings: FilterSettings, situation: Situation): MethodTuning {
  const spreading = spreadTuning(settings);
  const sources = spreading.map(({ source }) => source);
  return {
    settings: [...halfWidthTuning(settings, situation), ...spreading.map(({ setting }) => setting)],
    larger: wordsOf('more', sources),
    smaller: wordsOf('less', sources),
  };
}
