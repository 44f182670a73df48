/**
 * Which methods are compared, and how: each with the one that has the least error, and with the free run. The error is the RMSE of
 * the analysis; of several compared variables their geometric mean, which weighs them alike whatever their units. Over the cycles of
 * one run the differences are described; winners are named over seeds only.
 */
import { compareFamily, compareSeries, median } from '../statistics/index.ts';
import type { Difference, PairedComparison, SeriesDifference } from '../statistics/index.ts';
import { pairSeries, type CycleValues } from './cycle-series.ts';

/** What a method is compared with: the one with the least error, the free run, the same method with the first settings. */
export type Reference = 'least' | 'free-run' | 'first';

/** A method that takes part, with what it is compared by. */
export interface Contender<Values> {
  readonly name: string;
  /** Name of the free run that it is compared with; undefined without one. */
  readonly freeRun: string | undefined;
  /** Name of the method with its label in the first of several groups of runs. */
  readonly first?: string;
  readonly values: Values;
}

/** The comparison of `method` against `against`. */
export interface MethodComparison<Found extends Difference = Difference> {
  readonly method: string;
  readonly reference: Reference;
  readonly against: string;
  /** Undefined if they have no cycle or no seed in common. */
  readonly comparison: Found | undefined;
}

/** How the methods of one run, or of several, compare. */
export interface MethodComparisons<Found extends Difference = Difference> {
  /** The method with the least error, which may have it by chance; undefined of no methods. */
  readonly least: string | undefined;
  /** By methods, in their order. */
  readonly pairs: readonly MethodComparison<Found>[];
}

/** Over the cycles of a run: the block length is in cycles. */
export interface CycleDifference extends SeriesDifference {
  /** Cycles that both have. */
  readonly cycles: number;
  /** Cycles that each pair is the mean of. */
  readonly stride: number;
}

/** The comparisons with what they are over. */
export type ComparedMethods =
  | { readonly over: 'cycles'; readonly comparisons: MethodComparisons<CycleDifference> }
  | { readonly over: 'seeds'; readonly comparisons: MethodComparisons<PairedComparison> };

const REFERENCES = ['least', 'free-run', 'first'] as const satisfies readonly Reference[];

/** @param compare two contenders by their numbers */
function compareAll<Values, Found extends Difference>(
  contenders: readonly Contender<Values>[],
  errorOf: (values: Values) => number,
  compare: (a: number, b: number) => Found | undefined,
): MethodComparisons<Found> {
  const errors = contenders.map(({ values }) => errorOf(values));
  const least = contenders[errors.indexOf(Math.min(...errors.filter((error) => !Number.isNaN(error))))];
  const pairs = contenders.flatMap(({ name: method, freeRun, first }, a) => {
    const references = { least: least?.name, 'free-run': freeRun, first };
    return REFERENCES.flatMap((reference) => {
      const b = contenders.findIndex(({ name }) => name === references[reference]);
      return b < 0 || b === a ? [] : [{ method, reference, against: contenders[b].name, comparison: compare(a, b) }];
    });
  });
  return { least: least?.name, pairs };
}

function meanOf({ values }: CycleValues): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function differenceOverCycles(of: CycleValues, against: CycleValues): CycleDifference | undefined {
  const { a, b, stride } = pairSeries(of, against);
  const found = compareSeries(a, b);
  return found && { ...found, cycles: a.length * stride, stride, blockLength: found.blockLength * stride };
}

/** Describes differences by the errors of each cycle, of the same truth and observations. */
export function compareByCycles(contenders: readonly Contender<CycleValues>[]): MethodComparisons<CycleDifference> {
  return compareAll(contenders, meanOf, (a, b) => differenceOverCycles(contenders[a].values, contenders[b].values));
}

/** A seed with which a method diverged is worse than any other. */
function middleOf(values: readonly (number | null)[]): number {
  return median(values.map((value) => value ?? Infinity));
}

/** Judges methods by a value for each seed, null if the method diverged; the seeds of all are the same, in the same order. */
export function compareBySeeds(
  contenders: readonly Contender<readonly (number | null)[]>[],
): MethodComparisons<PairedComparison> {
  const { between } = compareFamily(contenders.map(({ values }) => values));
  return compareAll(contenders, middleOf, between);
}

/** @returns the method that is better than each other over the seeds; undefined if there is none */
export function winnerAmong({ least, pairs }: MethodComparisons<PairedComparison>): string | undefined {
  const others = pairs.filter(({ reference }) => reference === 'least');
  const isBeaten = others.every(({ comparison }) => comparison?.verdict === 'b');
  return others.length > 0 && isBeaten ? least : undefined;
}
