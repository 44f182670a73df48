/**
 * What a benchmark is: one size of one kernel, or a whole cycle, with inputs that are the same on every machine. Its name
 * stays from version to version, so that results can be laid side by side. A benchmark of a single operator has fields with given
 * contents, one prepared operator and one output.
 */
import type { Backend, BackendName, Cost, Field, FieldKinds, FieldsOf, Operator } from '../compute/backend.ts';
import type { Suite, PublishedComparison } from './document.ts';

/** The sizes in which a suite runs. */
export interface Sizes {
  /** One row a kernel, as published or as users have it: minutes for all suites. */
  readonly usual: readonly Benchmark[];
  /** The other rows of the papers' tables, and those that show how time grows. */
  readonly papers: readonly Benchmark[];
  /** Small ones of the same kind, over in seconds anywhere. */
  readonly quick: readonly Benchmark[];
}

/** `papers` has the usual ones as well. */
export type Extent = 'quick' | 'usual' | 'papers';

export function sizesOf(sizes: Sizes, extent: Extent): readonly Benchmark[] {
  switch (extent) {
    case 'quick':
      return sizes.quick;
    case 'usual':
      return sizes.usual;
    case 'papers':
      return [...sizes.usual, ...sizes.papers];
    default:
      return extent satisfies never;
  }
}

/** What a benchmark of an operator computes, for another program to compute the same. */
export interface BenchmarkProblem {
  readonly operator: string;
  readonly parameters: unknown;
  /** The contents of the fields that are read. */
  readonly inputs: Readonly<Record<string, ArrayLike<number>>>;
  /** The field that `result` is of. */
  readonly output: string;
}

/** A benchmark that is ready to run on one backend. Whoever opens it disposes it. */
export interface Workload {
  /**
   * One run, queued: `operator` is a single operator, which the backend's own clock can time. `whole` may wait for results on
   * its way or for those of the run before, and is timed from outside.
   */
  readonly kind: 'operator' | 'whole';
  /** Bytes and operations of one run by formula; undefined where they are those of the kernels that it runs. */
  readonly cost: Cost | undefined;
  /** Undefined of what is no single operator. */
  readonly problem?: BenchmarkProblem;
  /** Queues what brings the inputs back to where they were, where runs change them. */
  reset(): void;
  run(): void | Promise<void>;
  /** The values after one run from the beginning: they say whether the backend is right. */
  result(): Promise<Float64Array>;
  /** @throws Error when a run went wrong in a way that makes its time worthless */
  verify(): Promise<void>;
  dispose(): void;
}

/** What the time of a benchmark is divided by, so that sizes can be compared. */
interface CellWork {
  /** Benchmarks of one series differ in their size alone. */
  readonly series: string;
  /** Cells times steps times members of one run. */
  readonly cells: number;
}

interface Approximation {
  /** The benchmark whose result this one approximates. */
  readonly exact: string;
  /** Values at both ends of the result in which the two differ on purpose: they are not counted, and a note mentions them. */
  readonly ends: number;
}

/** A variant of a kernel, as the choices of a backend name it. */
export interface VariantChoice {
  readonly kernel: string;
  readonly sizeClass: string;
  readonly variant: string;
}

export interface Benchmark {
  readonly suite: Suite;
  /** Unique, and the same in every version. */
  readonly name: string;
  /** The published table that this is a row of. */
  readonly table?: string;
  /** What distinguishes the rows of a table or a series, by its published letter. */
  readonly parameters?: Readonly<Record<string, number | string>>;
  /** What others have published about this size, or a rate of this kernel; the first is the headline. */
  readonly published: readonly PublishedFigure[];
  readonly cellWork?: CellWork;
  readonly approximates?: Approximation;
  /** The benchmark of the step forward, by whose time per cell that of a linearised step is divided. */
  readonly stepForward?: string;
  /** Published as a ratio to one core: one thread of `reference` and of `wasm` are timed as well. */
  readonly comparesWithOneThread?: boolean;
  /** The variants that its kernels have on a backend. */
  readonly variants?: (backend: Backend) => readonly VariantChoice[];
  /** The benchmark that this is a variant of: its result is the same. */
  readonly variantOf?: string;
  /** What a reader should know of how a backend computes it, in sentences without a full stop. */
  readonly notes?: (backend: Backend) => readonly string[];
  /** The backends that have this kernel; all if omitted. */
  readonly backends?: readonly BackendName[];
  open(backend: Backend): Promise<Workload>;
}

/** @returns the benchmarks that a backend can run; all if it is not known yet */
export function benchmarksOn(benchmarks: readonly Benchmark[], backend: BackendName | undefined): readonly Benchmark[] {
  return benchmarks.filter(({ backends }) => !backend || (backends?.includes(backend) ?? true));
}

/**
 * A published figure: its value, the hardware and the source, and how a time of ours reads in the same unit. Published figures
 * are context and not a race: hardware, precision and sometimes the algorithm differ, and each says how.
 */
export interface PublishedFigure {
  readonly value: number;
  readonly unit: string;
  readonly hardware: string;
  readonly source: string;
  /** What else it holds than what is timed here. */
  readonly includes?: string;
  /** Whether a larger value is better. */
  readonly largerIsBetter: boolean;
  /** The time of one run of ours in the unit of the figure; undefined where the two cannot be compared. */
  readonly measured: ((milliseconds: number) => number) | undefined;
}

/** What figures in seconds have in common. */
export const IN_SECONDS = {
  unit: 's',
  largerIsBetter: false,
  measured: (milliseconds: number) => milliseconds / 1000,
} as const;

/** The unit of a figure that is a ratio to one core of its own machine; ours is the ratio to one thread of `wasm`. */
export const OVER_ONE_CORE = '× one core';

/** @param milliseconds of one run of ours */
export function compareWithPublished(
  { value, unit, hardware, source, includes, largerIsBetter, measured }: PublishedFigure,
  milliseconds: number,
): PublishedComparison {
  const ours = milliseconds > 0 ? (measured?.(milliseconds) ?? null) : null;
  return {
    value,
    unit,
    hardware,
    source,
    includes: includes ?? null,
    measured: ours,
    ratio: ours === null ? null : largerIsBetter ? ours / value : value / ours,
  };
}

/** @returns numbers on [−scale, scale) by a linear congruence, whose quality is enough to keep data from being special */
export function someNumbers(length: number, scale: number, seed: number): Float64Array {
  const numbers = new Float64Array(length);
  let state = seed >>> 0;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    numbers[i] = scale * (state / 2 ** 31 - 1);
  }
  return numbers;
}

/** @returns members of a smooth ensemble on n × n cells, [member][y][x] */
export function smoothEnsemble(n: number, members: number): Float64Array {
  const ensemble = new Float64Array(members * n * n);
  for (let member = 0; member < members; member++) {
    const [a, p, b, q, c, r] = someNumbers(6, 1, member + 1);
    for (let j = 0; j < n; j++) {
      for (let i = 0; i < n; i++) {
        ensemble[(member * n + j) * n + i] =
          a * Math.sin(0.1 * i + 6 * p) + b * Math.cos(0.13 * j + 6 * q) + c * Math.sin(0.07 * (i + j) + 6 * r);
      }
    }
  }
  return ensemble;
}

/** @returns h, hu, hv of members at rest with a low mound each, [member][variable][y][x], h about 1 */
export function mounds(n: number, members: number, stillLevel: number): Float64Array {
  const cells = n * n;
  const state = new Float64Array(3 * cells * members);
  const width = n / 8;
  for (let member = 0; member < members; member++) {
    const x = n / 2 + (member % 7) - 3;
    for (let j = 0; j < n; j++) {
      for (let i = 0; i < n; i++) {
        const distance = ((i - x) / width) ** 2 + ((j - n / 3) / width) ** 2;
        state[3 * cells * member + j * n + i] = stillLevel + 0.1 * Math.exp(-distance);
      }
    }
  }
  return state;
}

export interface OperatorInputs<Kinds extends FieldKinds> {
  /** The contents of each field, or how many elements it has. */
  readonly arrays: { readonly [Name in keyof Kinds]: ArrayLike<number> | number };
  readonly output: keyof Kinds & string;
  /** Fields that a run changes and `reset` writes again. */
  readonly changed?: readonly (keyof Kinds & string)[];
  /** Looks at the fields after runs. @throws Error when they went wrong */
  readonly verify?: (read: (name: keyof Kinds & string) => Promise<ArrayLike<number>>) => Promise<void>;
}

/** @throws LimitError where the backend cannot hold the fields */
export async function openOperator<Parameters, Kinds extends FieldKinds>(
  backend: Backend,
  operator: Operator<Parameters, Kinds>,
  parameters: Parameters,
  { arrays, output, changed = [], verify }: OperatorInputs<Kinds>,
): Promise<Workload> {
  const owned: { dispose(): void }[] = [];
  const dispose = (): void => {
    for (const one of owned.splice(0)) one.dispose();
  };
  try {
    const fieldOf = (name: string): Field => {
      const content = arrays[name];
      const length = typeof content === 'number' ? content : content.length;
      const field = backend.allocate(`${operator.name}.${name}`, operator.fields[name], length);
      owned.push(field);
      if (typeof content !== 'number') backend.write(field, content);
      return field;
    };
    const fields: Readonly<Record<string, Field>> = Object.fromEntries(
      Object.keys(operator.fields).map((name) => [name, fieldOf(name)]),
    );
    const kept = changed.map((name) => ({ from: fieldOf(name), to: fields[name] }));
    const prepared = await backend.prepare(operator, parameters);
    owned.push(prepared);
    return {
      kind: 'operator',
      cost: operator.cost(parameters, backend.elementBytes),
      problem: {
        operator: operator.name,
        parameters,
        inputs: Object.fromEntries(
          Object.entries<ArrayLike<number> | number>(arrays).flatMap(([name, content]) =>
            typeof content === 'number' ? [] : [[name, content]],
          ),
        ),
        output,
      },
      reset: () => {
        for (const { from, to } of kept) backend.copy(from, to);
      },
      run: () => prepared.run(fields as FieldsOf<Kinds>),
      result: async () => Float64Array.from(await backend.read(fields[output])),
      verify: async () => verify?.((name) => backend.read(fields[name])),
      dispose,
    };
  } catch (error) {
    dispose();
    throw error;
  }
}

/** @returns what one run of an operator gives. @throws LimitError where the backend cannot hold the fields */
export async function operatorResult<Parameters, Kinds extends FieldKinds>(
  backend: Backend,
  operator: Operator<Parameters, Kinds>,
  parameters: Parameters,
  inputs: OperatorInputs<Kinds>,
): Promise<Float64Array> {
  const workload = await openOperator(backend, operator, parameters, inputs);
  try {
    await workload.run();
    return await workload.result();
  } finally {
    workload.dispose();
  }
}
