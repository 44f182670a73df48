/** What the observations of one analysis changed about the forecasts that follow from it. */
import type { ImpactReport } from '../experiment/index.ts';
import { spokenName, type SpokenMethod } from '../methods/index.ts';
import { uncertaintyOfMean } from '../statistics/index.ts';
import type { ObservationImpact } from './observation-impact.ts';

export { impactsOf } from './impacts.ts';
export { observationImpact, recordedImpacts, withImpact } from './observation-impact.ts';
export type { ImpactQuestion, ObservationImpact } from './observation-impact.ts';

/** What the observations of a group changed together. */
export interface ImpactSum {
  readonly group: string;
  /** Observations that were used, and how many of these helped. */
  readonly count: number;
  readonly helped: number;
  readonly impact: number;
}

/** @returns sums by group, in the order in which the groups first appear; an observation that was not used is in none */
export function impactSums({ impacts, observations }: ObservationImpact, groupOf: (index: number) => string) {
  const groups = new Map<string, ImpactSum>();
  impacts.forEach((impact, index) => {
    if (!observations.isUsed[index]) return;
    const group = groupOf(index);
    const { count, helped, impact: sum } = groups.get(group) ?? { count: 0, helped: 0, impact: 0 };
    groups.set(group, { group, count: count + 1, helped: helped + Number(impact < 0), impact: sum + impact });
  });
  return [...groups.values()];
}

/** @param names of the networks. @returns what diagnostics have by network */
export function networkSums({ networks }: ImpactReport, names: readonly string[]): readonly ImpactSum[] {
  const { used, helped, impact } = networks;
  return names.map((group, n) => ({ group, count: used[n] ?? 0, helped: helped[n] ?? 0, impact: impact[n] ?? 0 }));
}

/** What the observations of a group changed over several cycles. */
export interface ImpactMean {
  readonly group: string;
  /** Observations of all cycles that were used, and how many of these helped. */
  readonly count: number;
  readonly helped: number;
  /** Mean over the cycles of the group's sum. */
  readonly impact: number;
  /** Standard error of that mean, for cycles that are correlated; undefined of fewer than three. */
  readonly standardError: number | undefined;
}

/** The residuals of an autoregression have a variance if there are so many cycles. */
const FEWEST_CYCLES = 3;

/** @param cycles sums of each cycle, in order. @returns means by group; one of which a cycle used nothing changed nothing in it */
export function impactMeans(cycles: readonly (readonly ImpactSum[])[]): readonly ImpactMean[] {
  const groups = [...new Set(cycles.flatMap((sums) => sums.map(({ group }) => group)))];
  return groups.map((group) => {
    const own = cycles.map((sums) => sums.find((sum) => sum.group === group) ?? { count: 0, helped: 0, impact: 0 });
    const total = (key: 'count' | 'helped' | 'impact'): number => own.reduce((sum, each) => sum + each[key], 0);
    const series = own.map(({ impact }) => impact);
    const standardError = series.length < FEWEST_CYCLES ? undefined : uncertaintyOfMean(series).standardError;
    return {
      group,
      count: total('count'),
      helped: total('helped'),
      impact: total('impact') / cycles.length,
      standardError,
    };
  });
}

function digits(value: number): string {
  return String(Number(value.toPrecision(3))).replace('-', '−');
}

/** @returns what a method's observations changed together, and how much of it their impacts explain */
export function describeImpact(
  method: SpokenMethod,
  methods: readonly SpokenMethod[],
  { impacts, observations, error, errorBefore, cycle, lead, verification, unit }: ObservationImpact,
): string {
  const used = observations.isUsed.filter(Boolean).length;
  const name = spokenName(method, methods);
  const subject = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
  if (used === 0) return `${subject}: no observation of cycle ${cycle} was used, so that none has an impact.`;
  const [change, sum] = [error - errorBefore, impacts.reduce((total, impact) => total + impact, 0)];
  const what = lead === 0 ? 'the analysis' : `the forecast of cycle ${cycle + lead}`;
  const against = verification === 'truth' ? 'the truth' : 'its own analysis';
  const after = unit === '' ? '' : ` ${unit}`;
  const changed = `${subject}: the observations of cycle ${cycle} change the squared error of ${what} against ${against} from ${digits(errorBefore)} to ${digits(error)}${after}`;
  const explained = change === 0 ? '' : `, ${digits(Math.round((100 * sum) / change))} % of the change`;
  const helped = impacts.filter((impact) => impact < 0).length;
  return `${changed}. Their impacts sum to ${digits(sum)}${after}${explained}; ${helped} of ${used} help.`;
}
