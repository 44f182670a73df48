/**
 * Which differences between methods are asked after, and what they are: each against the one with the least error, and against
 * the free run. The error is the RMSE of the analysis; of several compared variables their geometric mean, which weighs them
 * alike whatever their units.
 */
import { comparePaired, compareSeries, median } from '../statistics/index.ts';
import type { Comparison, PairedComparison, SeriesComparison } from '../statistics/index.ts';
import { pairSeries } from './cycle-series.ts';
import type { CycleValues } from './cycle-series.ts';

/** What a method is held against: the one with the least error, the free run, its like among the settings that came first. */
export type Reference = 'least' | 'free-run' | 'first';

/** A method that takes part, with what it is compared by. */
export interface Contender<Values> {
  readonly name: string;
  /** Name of the free run that it is held against; undefined where there is none. */
  readonly freeRun: string | undefined;
  /** Name of the method with its label in the first of several groups of runs. */
  readonly first?: string;
  readonly values: Values;
}

/** Of `method` against `against`. */
export interface MethodComparison<Found extends Comparison = Comparison> {
  readonly method: string;
  readonly reference: Reference;
  readonly against: string;
  /** Undefined where they have too little in common. */
  readonly comparison: Found | undefined;
}

/** What is said of the methods of one run, or of several. */
export interface MethodComparisons<Found extends Comparison = Comparison> {
  /** With the least error so far, which need not be more than chance; undefined of no methods. */
  readonly least: string | undefined;
  /** By methods, in their order. */
  readonly pairs: readonly MethodComparison<Found>[];
}

/** Over the cycles of a run: the block length is in cycles. */
export interface CycleComparison extends SeriesComparison {
  /** That both have. */
  readonly cycles: number;
}

const REFERENCES = ['least', 'free-run', 'first'] as const satisfies readonly Reference[];

function compareAll<Values, Found extends Comparison>(
  contenders: readonly Contender<Values>[],
  errorOf: (values: Values) => number,
  compare: (a: Values, b: Values) => Found | undefined,
): MethodComparisons<Found> {
  const errors = contenders.map(({ values }) => errorOf(values));
  const least = contenders[errors.indexOf(Math.min(...errors.filter((error) => !Number.isNaN(error))))];
  const pairs = contenders.flatMap((contender) => {
    const { name: method, freeRun, first } = contender;
    const references = { least: least?.name, 'free-run': freeRun, first };
    return REFERENCES.flatMap((reference) => {
      const other = contenders.find(({ name }) => name === references[reference]);
      if (other === undefined || other === contender) return [];
      return [{ method, reference, against: other.name, comparison: compare(contender.values, other.values) }];
    });
  });
  return { least: least?.name, pairs };
}

function meanOf({ values }: CycleValues): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function compareOverCycles(of: CycleValues, against: CycleValues): CycleComparison | undefined {
  const { a, b, stride } = pairSeries(of, against);
  const found = compareSeries(a, b);
  return found && { ...found, cycles: a.length * stride, blockLength: found.blockLength * stride };
}

/** By the errors of each cycle, of the same truth and observations. */
export function compareByCycles(contenders: readonly Contender<CycleValues>[]): MethodComparisons<CycleComparison> {
  return compareAll(contenders, meanOf, compareOverCycles);
}

/** A seed in which it diverged is worse than any other. */
function middleOf(values: readonly (number | null)[]): number {
  return median(values.map((value) => value ?? Infinity));
}

/** By a value for each seed, null where the method diverged; the seeds of all are the same, in the same order. */
export function compareBySeeds(
  contenders: readonly Contender<readonly (number | null)[]>[],
): MethodComparisons<PairedComparison> {
  return compareAll(contenders, middleOf, (a, b) => comparePaired(a, b));
}

/** @returns the method whose error is less than that of each other one by more than chance; undefined where there is none */
export function winnerAmong({ least, pairs }: MethodComparisons): string | undefined {
  const others = pairs.filter(({ reference }) => reference === 'least');
  const isBeaten = others.every(({ comparison }) => comparison?.verdict === 'b');
  return others.length > 0 && isBeaten ? least : undefined;
}
