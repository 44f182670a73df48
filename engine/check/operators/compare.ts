/**
 * How far an operator's result is from that of its reference form, and how far it may be.
 *
 * That is measured too, in float64: the reference form is run again with every input wrong by one rounding, of random sign, and D is
 * how far its result then moves. Of the n operations that an element of the result takes, each adds a rounding whose effect is
 * at most of that size, or of one rounding of the largest element M: as a random walk √n (D + 2⁻²⁴ M), and four times that, beyond
 * which one element in ten thousand is.
 */
import type { Backend, Field, FieldKinds, FieldsOf, Operator, Prepared } from '../../compute/backend.ts';
import { stream } from '../measures.ts';

/**
 * A backend whose operators are held to their reference forms while a run continues: the fields of a run of an operator are copied
 * before and after it, and the reference form, in float64, is later given what there was before. Whatever computes on the backend
 * brings the inputs, as they occur in a run, and every operator that it uses is compared.
 *
 * One run of an operator: what it found, and what it left.
 */
interface WatchedRun {
  readonly operator: string;
  /** Floating-point operations, by the operator's formula. */
  readonly flops: number;
  /** The reference form, prepared for one run on arrays in main memory, which it changes. */
  readonly reference: () => (arrays: Readonly<Record<string, Float64Array | Uint32Array>>) => void;
  readonly before: Readonly<Record<string, Field>>;
  readonly after: Readonly<Record<string, Field>>;
}

interface WatchedBackend {
  /** Does as the one that is watched; the caller disposes that. */
  readonly backend: Backend;
  /** @returns the runs since the last call, oldest first. Whoever takes them frees their fields. */
  take(): WatchedRun[];
}

/** Runs of one preparation that are copied: the first may begin with zeros, and the next ones are like each other. */
const MOST_RUNS = 2;

/** @param most runs of one operator that are copied, of all its preparations together */
export function watch(backend: Backend, most: number): WatchedBackend {
  let taken: WatchedRun[] = [];
  const copied = new Map<string, number>();

  function copiesOf(fields: Readonly<Record<string, Field>>): Record<string, Field> {
    return Object.fromEntries(
      Object.entries(fields).map(([name, field]) => {
        const copy = backend.allocate(`watched.${field.label}`, field.kind, field.length);
        backend.copy(field, copy);
        return [name, copy];
      }),
    );
  }

  async function prepare<Parameters, Kinds extends FieldKinds>(
    operator: Operator<Parameters, Kinds>,
    parameters: Parameters,
  ): Promise<Prepared<Kinds>> {
    const prepared = await backend.prepare(operator, parameters);
    const { flops } = operator.cost(parameters, backend.elementBytes);
    const reference = (): ReturnType<WatchedRun['reference']> =>
      operator.implementations.reference(parameters) as ReturnType<WatchedRun['reference']>;
    let runs = 0;
    return {
      run(fields: FieldsOf<Kinds>) {
        const before = copied.get(operator.name) ?? 0;
        if (runs >= MOST_RUNS || before >= most) {
          prepared.run(fields);
          return;
        }
        runs += 1;
        copied.set(operator.name, before + 1);
        const found = copiesOf(fields);
        prepared.run(fields);
        taken.push({ operator: operator.name, flops, reference, before: found, after: copiesOf(fields) });
      },
      dispose: () => prepared.dispose(),
    };
  }

  const { name, adapter, precision, threads, elementBytes, limits, tuning, immediate, timingMicroseconds } = backend;
  return {
    backend: {
      name,
      adapter,
      precision,
      threads,
      elementBytes,
      limits,
      tuning,
      immediate,
      timingMicroseconds,
      get counts() {
        return backend.counts;
      },
      get traffic() {
        return backend.traffic;
      },
      get clockErrorMicroseconds() {
        return backend.clockErrorMicroseconds;
      },
      allocate: (label, kind, length) => backend.allocate(label, kind, length),
      write: (field, values, offset) => backend.write(field, values, offset),
      read: (field, offset, length) => backend.read(field, offset, length),
      readSingle: (field, offset, length) => backend.readSingle(field, offset, length),
      stage: (field, offset, length) => backend.stage(field, offset, length),
      collect: () => backend.collect(),
      mark: () => backend.mark(),
      submit: () => backend.submit(),
      copy: (source, target, options) => backend.copy(source, target, options),
      prepare,
      settle: () => backend.settle(),
      onKernel: (listener) => backend.onKernel(listener),
      onActivity: (listener) => backend.onActivity(listener),
      dispose: () => undefined,
    },
    take() {
      const runs = taken;
      taken = [];
      return runs;
    },
  };
}

const EPSILON = 2 ** -24;
const STANDARD_DEVIATIONS = 4;
/** Runs with inputs that are wrong, of which the one that moves farthest counts. */
const DRAWS = 3;

/**
 * Fields that are no result: work space that each backend leaves in a form of its own, and the scalars of iterations, whose number
 * may differ by one where the last is at the tolerance.
 */
const NO_RESULTS: Readonly<Record<string, readonly string[]>> = {
  'cholesky-solution': ['matrix'],
  'filtered-minimisation': ['history'],
};

type Arrays = Record<string, Float64Array | Uint32Array>;

/** One field that a run has changed. */
export interface FieldComparison {
  readonly operator: string;
  readonly field: string;
  /** Largest difference from the reference form. */
  readonly difference: number;
  readonly bound: number;
  /** M, of the reference form's. */
  readonly largest: number;
}

/** Reads fields of several sets by one wait. */
async function readAll(backend: Backend, ...sets: readonly Readonly<Record<string, Field>>[]): Promise<Arrays[]> {
  const staged = sets.map((fields) =>
    Promise.all(Object.entries(fields).map(async ([name, field]) => [name, await backend.stage(field)] as const)),
  );
  const [found] = await Promise.all([Promise.all(staged), backend.collect()]);
  return found.map((entries) => Object.fromEntries(entries));
}

function applied(run: WatchedRun, before: Arrays): Arrays {
  const arrays = Object.fromEntries(Object.entries(before).map(([name, values]) => [name, values.slice()]));
  run.reference()(arrays);
  return arrays;
}

/** Every real wrong by one rounding of its own, up or down. */
function disturbed(before: Arrays, draw: number): Arrays {
  return Object.fromEntries(
    Object.entries(before).map(([name, values]) => {
      if (values instanceof Uint32Array) return [name, values];
      const signs = stream(`disturbed.${name}`, draw);
      return [name, values.map((value) => value * (1 + (signs.integer(2) === 0 ? EPSILON : -EPSILON)))];
    }),
  );
}

/** NaN where one has a number and the other none; two that are alike differ by 0, finite or not. */
function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let largest = 0;
  for (let i = 0; i < a.length; i++) {
    if (Object.is(a[i], b[i])) continue;
    const difference = Math.abs(a[i] - b[i]);
    if (!(difference <= largest)) largest = difference;
    if (Number.isNaN(largest)) return NaN;
  }
  return largest;
}

function largestSize(values: ArrayLike<number>): number {
  let largest = 0;
  for (let i = 0; i < values.length; i++)
    if (Number.isFinite(values[i])) largest = Math.max(largest, Math.abs(values[i]));
  return largest;
}

/** Compares the fields of reals that a run has changed, and frees its copies. */
export async function compareRun(backend: Backend, run: WatchedRun): Promise<FieldComparison[]> {
  const [before, after] = await readAll(backend, run.before, run.after);
  for (const field of [...Object.values(run.before), ...Object.values(run.after)]) field.dispose();
  const expected = applied(run, before);
  const moved = Array.from({ length: DRAWS }, (_, draw) => {
    const start = disturbed(before, draw);
    return { start, end: applied(run, start) };
  });
  const passed = NO_RESULTS[run.operator] ?? [];
  const changed = Object.keys(before).filter(
    (name) =>
      !passed.includes(name) &&
      !(before[name] instanceof Uint32Array) &&
      (largestDifference(before[name], expected[name]) !== 0 || largestDifference(before[name], after[name]) !== 0),
  );
  const elements = changed.reduce((sum, name) => sum + before[name].length, 0);
  const operations = Math.max(1, run.flops / Math.max(1, elements));
  return changed.map((name) => {
    const moves = Math.max(...moved.map(({ end }) => largestDifference(end[name], expected[name])));
    const largest = largestSize(expected[name]);
    return {
      operator: run.operator,
      field: name,
      difference: largestDifference(after[name], expected[name]),
      bound: STANDARD_DEVIATIONS * Math.sqrt(operations) * (moves + EPSILON * largest),
      largest,
    };
  });
}
