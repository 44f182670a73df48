/** Long runs as a table in Markdown, and what is asked of each method. */
import type { LongRunMethod } from './measure.ts';

/** The energy of an analysis over that of the truth, at most. */
export const MOST_ENERGY = 1.5;

/**
 * Scenarios whose descriptions say why they are not made for long runs: flow without forcing dies away, until errors of observations are
 * larger than what they observe; a filter whose model is wrong loses its spread; Moler's scheme amplifies diagonal waves; round corrections stir water that has come to rest; and 3D-Var leaves a surface alone that nothing observes.
 */
export const SHORT_RUNS: ReadonlySet<string> = new Set([
  'altimeter-tracks',
  'bad-observations',
  'chaotic-sea',
  'double-jet',
  'drifting-jets',
  'model-error',
  'orbit-error',
  'readings-in-time',
  'sampling-error',
  'seed-water-drops',
  'speed-not-direction',
  'tsunami-harbour',
  'what-is-an-analysis',
]);

export const TABLE_HEADER = [
  '| scenario | seed | method | RMSE at the end over the free run’s | energy over the truth’s | verdict |',
  '| --- | --- | --- | --- | --- | --- |',
] as const;

function ratiosOf(rmse: LongRunMethod['rmse'], free: LongRunMethod['rmse']): readonly (readonly [string, number])[] {
  return Object.keys(free).map((name) => [name, rmse[name] / free[name]] as const);
}

/**
 * @returns whether a method meets what is asked: it has not diverged, is in no variable worse than the free run, and its analysis has
 *   at most 1.5 times the energy of the truth. There is no lower bound: the best estimate lacks the energy of its own error, and
 *   that of a free run nearly all.
 */
export function passes(method: LongRunMethod, free: LongRunMethod): boolean {
  if (method.divergedAt !== undefined) return false;
  if (method.energy !== undefined && !(method.energy <= MOST_ENERGY)) return false;
  // A free run that has diverged is worse than a method that has not.
  return free.divergedAt !== undefined || ratiosOf(method.rmse, free.rmse).every(([, ratio]) => ratio <= 1);
}

function errorsText(method: LongRunMethod, free: LongRunMethod): string {
  if (method.divergedAt !== undefined) return `diverged in cycle ${method.divergedAt}`;
  if (free.divergedAt !== undefined) return `the free run diverged in cycle ${free.divergedAt}`;
  return ratiosOf(method.rmse, free.rmse)
    .map(([name, ratio]) => `${name} ${ratio.toFixed(2)}`)
    .join(', ');
}

export function tableRow(scenario: string, seed: number, method: LongRunMethod, free: LongRunMethod): string {
  const energy = method.energy === undefined || method.divergedAt !== undefined ? '–' : method.energy.toFixed(2);
  const verdict = passes(method, free) ? 'pass' : SHORT_RUNS.has(scenario) ? 'short runs only' : 'FAIL';
  return `| ${scenario} | ${seed} | ${method.method} | ${errorsText(method, free)} | ${energy} | ${verdict} |`;
}
