/**
 * Methods against each other: which is best at each combination, and each at its own best setting. A winner is named if a sign test
 * over the seeds, which share truth and observations, names it against every other method, corrected for all pairs of methods.
 */
import { minIndex } from 'd3';
import { compareFamily, describePaired, fewestSeeds, median, type PairedComparison } from '../../../engine/index.ts';
import { formatQuantity } from '../../format/numbers.ts';
import type { MethodStyle } from '../../document/views/method-style.ts';
import { placeWords, variedAxes } from './arrangement.ts';
import { hasRunBySeed, valuesBySeed, type Combination } from './cells.ts';
import type { SweepTable } from '../reading/sweep-table.ts';
import { badness, type Goal } from './worth.ts';

/** A value for each seed, in the order of the sweep's seeds; null if there is none. */
type BySeed = readonly (number | null)[];

/** What a method gave, by its number. */
interface Entry {
  readonly method: number;
  readonly values: BySeed;
  /** Whether a run has an outcome, by seed: one that failed or is still to come says nothing about its method. */
  readonly hasRun: readonly boolean[];
}

/** The best of several methods against one of the others. */
interface Rival {
  readonly method: number;
  readonly comparison: PairedComparison;
}

export interface Contest {
  /** With the best median; a run that diverged is worse than all that did not. Undefined where no method has a value. */
  readonly leader: number | undefined;
  /** All others that have a value, by their number. */
  readonly rivals: readonly Rival[];
  /** `won`: the leader is better than each of the others. */
  readonly verdict: 'won' | 'undecided' | 'too-few' | 'alone' | 'none';
}

/** How bad a method is in the middle of its seeds. */
function middleBadness(values: BySeed, goal: Goal): number {
  if (values.length === 0) return Infinity;
  return median(values.map((value) => (value === null ? Infinity : badness(goal, value))));
}

/** Over the seeds of which every method has an outcome, if only that it diverged. */
function contestOf(entries: readonly Entry[], goal: Goal): Contest {
  const known = entries.filter(({ values }) => values.some((value) => value !== null));
  const present = known.map(({ method, values }) => ({
    method,
    values: values.filter((_, seed) => known.every(({ hasRun }) => hasRun[seed])),
  }));
  const [leader, ...others] = present
    .map((entry) => ({ ...entry, badness: middleBadness(entry.values, goal) }))
    .sort((a, b) => a.badness - b.badness || a.method - b.method);
  if (!leader) return { leader: undefined, rivals: [], verdict: 'none' };
  const { between } = compareFamily(
    [leader, ...others].map(({ values }) => values),
    { goal },
  );
  const rivals = others
    .flatMap(({ method }, index): Rival[] => {
      const comparison = between(0, index + 1);
      return comparison ? [{ method, comparison }] : [];
    })
    .sort((a, b) => a.method - b.method);
  const verdicts = rivals.map(({ comparison }) => comparison.verdict);
  const verdict =
    others.length === 0
      ? 'alone'
      : verdicts.length === others.length && verdicts.every((each) => each === 'a')
        ? 'won'
        : verdicts.length < others.length || verdicts.includes('too-few')
          ? 'too-few'
          : 'undecided';
  return { leader: leader.method, rivals, verdict };
}

/** @returns why methods cannot be compared; empty where they can */
export function whyNoContest({ kind, methods, measures }: SweepTable, measure: number): string {
  if (kind === 'medians')
    return 'A scan keeps medians of one method: there is nothing to compare it with, seed by seed.';
  if (methods.length < 2) return 'Methods are compared here once a sweep has run more than one of them.';
  if (measures[measure].best === 'none')
    return `Of ${measures[measure].title} neither more nor less is better: choose another measure.`;
  return '';
}

/** @returns the comparison of all methods of a sweep at a combination, by a measure that has a better direction */
export function contestAt(table: SweepTable, combination: Combination, measure: number): Contest {
  const { best } = table.measures[measure];
  if (best === 'none') return { leader: undefined, rivals: [], verdict: 'none' };
  const entries = table.methods.map((_, method) => ({
    method,
    values: valuesBySeed(table, combination, { measure, method }),
    hasRun: hasRunBySeed(table, combination, method),
  }));
  return contestOf(entries, best);
}

/** A method at the setting with its best median. */
export interface Champion {
  readonly method: number;
  readonly combination: number;
  readonly median: number;
}

/** @returns each method at its own best setting, and how these come out against each other */
export function championsOf(
  table: SweepTable,
  combinations: readonly Combination[],
  measure: number,
): { readonly champions: readonly Champion[]; readonly contest: Contest } | undefined {
  const { best } = table.measures[measure];
  if (best === 'none') return undefined;
  const champions = table.methods.flatMap((_, method): (Champion & Entry)[] => {
    const all = combinations.map((combination) => valuesBySeed(table, combination, { measure, method }));
    const middles = all.map((values) => middleBadness(values, best));
    const combination = minIndex(middles);
    if (!Number.isFinite(middles[combination])) return [];
    const values = all[combination];
    const middle = median(values.filter((value) => value !== null));
    const hasRun = hasRunBySeed(table, combinations[combination], method);
    return [{ method, combination, values, hasRun, median: middle }];
  });
  return { champions, contest: contestOf(champions, best) };
}

/** @returns the axes that a method can depend on: not the settings of others */
function axesOf(table: SweepTable, styles: readonly MethodStyle[], method: number): number[] {
  const entries: unknown = table.scenario['methods'];
  const index = Array.isArray(entries)
    ? entries.findIndex(
        (entry: Readonly<Record<string, unknown>>) => (entry['label'] ?? entry['kind']) === styles[method].label,
      )
    : -1;
  return variedAxes(table).filter((axis) => {
    const owner = /^methods\[(\d+)\]/.exec(table.axes[axis].path)?.[1];
    return owner === undefined || Number(owner) === index;
  });
}

/** @returns `LETKF 0.039 m (Inflation 1.05); 3D-Var 0.055 m.`, and the verdict */
export function championWords(
  table: SweepTable,
  combinations: readonly Combination[],
  { champions, contest }: NonNullable<ReturnType<typeof championsOf>>,
  styles: readonly MethodStyle[],
  unit: string,
): string {
  const each = champions.map(({ method, combination, median: middle }) => {
    const place = placeWords(table, combinations[combination].at, axesOf(table, styles, method));
    return `${styles[method].title} ${formatQuantity(middle, unit)}${place === '' ? '' : ` (${place})`}`;
  });
  if (each.length === 0) return '';
  const outcome = contestLines(contest, styles, unit).join('; ');
  const caution =
    outcome === '' ? '' : ` ${outcome}. The settings were chosen on these seeds: confirm the result on others.`;
  return `Each at its own best setting: ${each.join('; ')}.${caution}`;
}

/** @returns a line for each rival: `LETKF against 3D-Var: LETKF better on 8 of 8 seeds (−12 %, 95 % −18 to −7 %)` */
export function contestLines({ leader, rivals }: Contest, styles: readonly MethodStyle[], unit: string): string[] {
  if (leader === undefined) return [];
  const a = styles[leader].title;
  return rivals.map(({ method, comparison }) => {
    const b = styles[method].title;
    return `${a} against ${b}: ${describePaired(comparison, { a, b }, unit)}`;
  });
}

/** @returns what a cell says: the winner's title, or that there is none */
export function contestWord({ leader, verdict }: Contest, styles: readonly MethodStyle[]): string {
  switch (verdict) {
    case 'won':
    case 'alone':
      return leader === undefined ? '' : styles[leader].title;
    case 'undecided':
      return 'undecided';
    case 'too-few':
      return 'too few';
    case 'none':
      return '–';
    default:
      return verdict satisfies never;
  }
}

/** @returns with how many seeds one of so many methods can be called better; empty for one method */
export function seedsNeeded(methods: number): string {
  if (methods < 2) return '';
  return `With ${methods} methods, a verdict takes ${fewestSeeds(methods)} seeds or more.`;
}

/** @returns the result of a contest in a sentence */
export function verdictWords({ leader, rivals, verdict }: Contest, styles: readonly MethodStyle[]): string {
  const title = leader === undefined ? '' : styles[leader].title;
  switch (verdict) {
    case 'won':
      return `${title} is best.`;
    case 'alone':
      return `Only ${title} has a value.`;
    case 'undecided':
      return `Undecided: ${title} has the best median, but does not differ significantly from all others.`;
    case 'too-few':
      return `Too few seeds: ${title} has the best median. ${seedsNeeded(rivals.length + 1)}`;
    case 'none':
      return 'No method has a value.';
    default:
      return verdict satisfies never;
  }
}
