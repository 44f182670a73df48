/**
 * A number a cycle, in memory that does not grow with the run: as soon as there are too many, neighbours are joined into their
 * means, so that a value represents a stretch of two cycles, then of four, and so on. Stretches begin at multiples of their
 * length, whenever the series began, so that those of two series fit each other.
 */
import type { CycleDiagnostics } from '../experiment/index.ts';

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
      if (values.length + count === 0 || cycle !== next) {
        [stride, first, values, sum, count] = [1, cycle, [], 0, 0];
      }
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
