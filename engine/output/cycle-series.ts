/**
 * A number a cycle, in memory that does not grow with the run: as soon as there are too many, neighbours are joined into their
 * means, so that a value represents a stretch of two cycles, then of four, and so on. Stretches begin at multiples of their
 * length, whenever the series began, so that those of two series fit each other.
 */
import type { CycleDiagnostics } from '../experiment/index.ts';
import { compareFamily, compareSeries, median } from '../statistics/index.ts';
import type { Difference, PairedComparison, SeriesDifference } from '../statistics/index.ts';

/** Values that are kept, at most: what costs a comparison of two series a fraction of a millisecond. */
const MOST_VALUES = 256;

export interface CycleValues {
  /** Cycles that a value is the mean of. */
  readonly stride: number;
  /** The first value is of the cycles from `first` · `stride` on. */
  readonly first: number;
  readonly values: readonly number[];
}

export interface CycleSeries {
  /** Takes the value of a cycle, the next one; after a gap the series begins again. */
  add(cycle: number, value: number): void;
  /** Values of all whole stretches so far. */
  readonly kept: CycleValues;
}

/** @returns means of neighbours, of whole pairs alone */
function joined({ stride, first, values }: CycleValues): CycleValues {
  const skipped = first % 2;
  const means = Array.from({ length: (values.length - skipped) >> 1 }, (_, pair) => {
    const at = skipped + 2 * pair;
    return (values[at] + values[at + 1]) / 2;
  });
  return { stride: 2 * stride, first: (first + skipped) / 2, values: means };
}

export function createCycleSeries(most = MOST_VALUES): CycleSeries {
  let [stride, first, next] = [1, 0, 0];
  let values: number[] = [];
  /** Sum and count of the stretch in progress. */
  let [sum, count] = [0, 0];

  const join = (): void => {
    const halved = joined({ stride, first, values });
    const isOdd = (values.length - (first % 2)) % 2 === 1;
    [sum, count] = isOdd ? [(values.at(-1) ?? 0) * stride, stride] : [0, 0];
    ({ stride, first } = halved);
    values = [...halved.values];
  };

  return {
    add(cycle, value) {
      if (values.length + count === 0 || cycle !== next) [stride, first, values, sum, count] = [1, cycle, [], 0, 0];
      next = cycle + 1;
      sum += value;
      count += 1;
      if (count < stride) return;
      values.push(sum / stride);
      [sum, count] = [0, 0];
      if (values.length > most) join();
    },
    get kept() {
      return { stride, first, values };
    },
  };
}

/** Two series over the cycles that both have. */
export interface SeriesPair {
  readonly a: readonly number[];
  readonly b: readonly number[];
  /** Cycles that a value is the mean of. */
  readonly stride: number;
}

export function pairSeries(a: CycleValues, b: CycleValues): SeriesPair {
  if (a.stride < b.stride) return pairSeries(joined(a), b);
  if (b.stride < a.stride) return pairSeries(a, joined(b));
  const from = Math.max(a.first, b.first);
  const to = Math.max(from, Math.min(a.first + a.values.length, b.first + b.values.length));
  const common = ({ first, values }: CycleValues): readonly number[] => values.slice(from - first, to - first);
  return { a: common(a), b: common(b), stride: a.stride };
}

/** @returns the geometric mean of series of the same cycles, value by value */
export function geometricMean(series: readonly CycleValues[]): CycleValues | undefined {
  const [head, ...others] = series;
  if (others.length === 0) return head;
  const values = head.values.map(
    (value, index) => others.reduce((product, other) => product * other.values[index], value) ** (1 / series.length),
  );
  return { ...head, values };
}

/** One variable by cycles. */
export interface VariableTrack {
  /** RMSE before and after the analysis. */
  readonly forecastError: CycleValues;
  readonly error: CycleValues;
  /** After the analysis; 0 for a method with one member. */
  readonly spread: CycleValues;
}

export interface MethodTracks {
  /** By variable, observed or not. */
  readonly variables: ReadonlyMap<string, VariableTrack>;
  /** Mean of χ²/p over the cycles that have it; NaN without any. */
  readonly chiSquare: number;
}

/** The tracks of a run that grows. */
export interface GrowingTracks {
  readonly add: (row: CycleDiagnostics) => void;
  readonly tracks: () => MethodTracks;
}

type Growing = Readonly<Record<keyof VariableTrack, CycleSeries>>;

export function createTracks(): GrowingTracks {
  const variables = new Map<string, Growing>();
  let [sum, count] = [0, 0];

  const trackOf = (variable: string): Growing => {
    const known = variables.get(variable);
    if (known) return known;
    const track = { forecastError: createCycleSeries(), error: createCycleSeries(), spread: createCycleSeries() };
    variables.set(variable, track);
    return track;
  };

  return {
    add({ cycle, rmse, spread, innovation }) {
      for (const [variable, error] of Object.entries(rmse.analysis)) {
        const track = trackOf(variable);
        track.error.add(cycle, error);
        track.forecastError.add(cycle, rmse.forecast[variable] ?? error);
        track.spread.add(cycle, spread.analysis[variable] ?? 0);
      }
      const chiSquare = innovation?.chiSquare;
      if (chiSquare === undefined || !Number.isFinite(chiSquare)) return;
      sum += chiSquare;
      count += 1;
    },
    tracks: () => ({
      variables: new Map(
        [...variables].map(([name, { forecastError, error, spread }]) => [
          name,
          { forecastError: forecastError.kept, error: error.kept, spread: spread.kept },
        ]),
      ),
      chiSquare: sum / count,
    }),
  };
}

/**
 * Which methods are compared, and how: each with the one that has the least error, and with the free run. The error is the RMSE of
 * the analysis; of several compared variables their geometric mean, which weighs them alike whatever their units. Over the cycles of
 * one run the differences are described; winners are named over seeds only.
 *
 * What a method is compared with: the one with the least error, the free run, the same method with the first settings.
 */
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
