/**
 * A backend in main memory: typed arrays, on which operators run one after another, each done when it is queued. A house says
 * where the arrays are and which form of an operator runs on them: the reference forms on arrays of their own are the reference
 * backend in float64, and show in float32 what rounding alone does to them.
 */
import { BackendError, LimitError } from '../errors.ts';
import type {
  ArraysOf,
  Backend,
  BackendName,
  BackendTuning,
  ElementKind,
  Field,
  FieldKinds,
  FieldsOf,
  HostArray,
  KernelSample,
  Operator,
  Prepared,
  RealArray,
  RealField,
} from './backend.ts';

/** Largest field of this backend in bytes: what a typed array of every JavaScript engine can hold. */
const LARGEST_FIELD_BYTES = 2 ** 31;

type MemoryOf<Kind extends ElementKind> = Kind extends 'index' ? Uint32Array : RealArray;

/**
 * What it costs, about, that a run is listened to: not the clock, but the sample's way to whoever keeps it, to a file and to the
 * window. Measured as the time of the processor that whole runs take with and without.
 */
const TIMING_MICROSECONDS = 30;

/** The memory of one field, zeros at first. */
export interface HostMemory<Kind extends ElementKind> {
  /** The current array. */
  readonly array: () => MemoryOf<Kind>;
  free(): void;
}

/** An operator prepared for a house. */
export interface PreparedForm<Kinds extends FieldKinds> {
  apply(arrays: ArraysOf<Kinds>): void;
  dispose(): void;
}

/** Where a backend in main memory keeps its fields, and what runs on them. */
export interface House {
  readonly name: BackendName;
  /** For people. */
  readonly adapter: string;
  readonly precision: 'float64' | 'float32';
  readonly threads: number;
  readonly tuning?: BackendTuning;
  /** @throws LimitError when there is no room */
  allocate<Kind extends ElementKind>(label: string, kind: Kind, length: number): HostMemory<Kind>;
  prepare<Parameters, Kinds extends FieldKinds>(
    operator: Operator<Parameters, Kinds>,
    parameters: Parameters,
  ): PreparedForm<Kinds> | Promise<PreparedForm<Kinds>>;
  dispose(): void;
}

interface HostField<Kind extends ElementKind> extends Field<Kind> {
  readonly owner: HostBackend;
  memory: HostMemory<Kind> | undefined;
}

class HostBackend implements Backend {
  readonly name: BackendName;
  readonly adapter: string;
  readonly precision: 'float64' | 'float32';
  readonly threads: number;
  readonly elementBytes: 8 | 4;
  readonly tuning: BackendTuning | undefined;
  readonly limits = { fieldBytes: LARGEST_FIELD_BYTES };
  readonly immediate = true;
  readonly timingMicroseconds = TIMING_MICROSECONDS;
  readonly counts = { waits: 0, submissions: 0, dispatches: 0 };
  readonly traffic = { uploads: 0, uploadedBytes: 0, readbacks: 0, readBytes: 0 };
  readonly clockErrorMicroseconds = 0;
  readonly #listeners = new Set<(sample: KernelSample) => void>();
  readonly #house: House;
  #disposed = false;

  constructor(house: House) {
    this.#house = house;
    this.name = house.name;
    this.adapter = house.adapter;
    this.precision = house.precision;
    this.threads = house.threads;
    this.tuning = house.tuning;
    this.elementBytes = house.precision === 'float64' ? 8 : 4;
  }

  allocate<Kind extends ElementKind>(label: string, kind: Kind, length: number): Field<Kind> {
    this.#assertAlive();
    if (!Number.isInteger(length) || length < 1)
      throw new BackendError(`${label}: a field needs at least one element, found ${length}`);
    const bytes = length * { index: 4, real: this.elementBytes, double: 8 }[kind];
    if (bytes > LARGEST_FIELD_BYTES) {
      throw new LimitError(
        `${label}: ${bytes} bytes asked for, at most ${LARGEST_FIELD_BYTES} fit in a field of the ${this.name} backend`,
      );
    }
    const field: HostField<Kind> = {
      label,
      kind,
      length,
      owner: this,
      memory: this.#house.allocate(label, kind, length),
      dispose: () => {
        field.memory?.free();
        field.memory = undefined;
      },
    };
    return field;
  }

  write<Kind extends ElementKind>(field: Field<Kind>, values: ArrayLike<number>, offset = 0): void {
    this.#arrayOf(field).set(values, offset);
  }

  read<Kind extends ElementKind>(
    field: Field<Kind>,
    offset = 0,
    length = field.length - offset,
  ): Promise<HostArray<Kind>> {
    const part = this.#arrayOf(field).slice(offset, offset + length);
    return Promise.resolve((part instanceof Float32Array ? new Float64Array(part) : part) as HostArray<Kind>);
  }

  readSingle(field: RealField, offset = 0, length = field.length - offset): Promise<Float32Array> {
    const part = this.#arrayOf(field).subarray(offset, offset + length);
    return Promise.resolve(new Float32Array(part));
  }

  /** Everything is done at once, so what is staged is what is read. */
  stage<Kind extends ElementKind>(field: Field<Kind>, offset?: number, length?: number): Promise<HostArray<Kind>> {
    return this.read(field, offset, length);
  }

  collect(): Promise<void> {
    this.#assertAlive();
    return Promise.resolve();
  }

  mark(): Promise<number> {
    return Promise.resolve(performance.now());
  }

  submit(): void {
    this.#assertAlive();
  }

  copy<Kind extends ElementKind>(
    source: Field<Kind>,
    target: Field<Kind>,
    options: { readonly sourceOffset?: number; readonly targetOffset?: number; readonly length?: number } = {},
  ): void {
    const { sourceOffset = 0, targetOffset = 0, length = source.length - sourceOffset } = options;
    this.#arrayOf(target).set(this.#arrayOf(source).subarray(sourceOffset, sourceOffset + length), targetOffset);
  }

  async prepare<Parameters, Kinds extends FieldKinds>(
    operator: Operator<Parameters, Kinds>,
    parameters: Parameters,
  ): Promise<Prepared<Kinds>> {
    this.#assertAlive();
    const form = await this.#house.prepare(operator, parameters);
    const cost = operator.cost(parameters, this.elementBytes);
    return {
      run: (fields: FieldsOf<Kinds>) => {
        this.#assertAlive();
        const arrays = Object.fromEntries(
          Object.keys(operator.fields).map((name) => [name, this.#arrayOf(fields[name])]),
        ) as ArraysOf<Kinds>;
        const begin = performance.now();
        form.apply(arrays);
        this.counts.dispatches += 1;
        const microseconds = (performance.now() - begin) * 1000;
        const sample = { name: operator.name, begin, microseconds, clock: 'wall', ...cost } as const;
        for (const listener of this.#listeners) listener(sample);
      },
      dispose: () => form.dispose(),
    };
  }

  settle(): Promise<void> {
    this.#assertAlive();
    return Promise.resolve();
  }

  onKernel(listener: (sample: KernelSample) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The host does everything itself, for nobody else. */
  onActivity(): () => void {
    this.#assertAlive();
    return () => undefined;
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#listeners.clear();
    this.#house.dispose();
  }

  #assertAlive(): void {
    if (this.#disposed) throw new BackendError(`the ${this.name} backend is used after dispose()`);
  }

  #arrayOf<Kind extends ElementKind>(field: Field<Kind>): MemoryOf<Kind> {
    this.#assertAlive();
    const { owner, memory } = field as HostField<Kind>;
    if (owner !== this) throw new BackendError(`${field.label}: the field belongs to another backend`);
    if (memory === undefined) throw new BackendError(`${field.label}: the field is used after dispose()`);
    return memory.array();
  }
}

/** The reference forms on typed arrays of their own, on one thread. */
function referenceHouse(precision: 'float64' | 'float32'): House {
  return {
    name: 'reference',
    adapter: 'JavaScript, one thread',
    precision,
    threads: 1,
    allocate<Kind extends ElementKind>(_label: string, kind: Kind, length: number): HostMemory<Kind> {
      const reals = precision === 'float64' ? Float64Array : Float32Array;
      const type = { index: Uint32Array, real: reals, double: Float64Array }[kind];
      const array = new type(length) as MemoryOf<Kind>;
      return { array: () => array, free: () => undefined };
    },
    prepare: (operator, parameters) => ({
      apply: operator.implementations.reference(parameters),
      dispose: () => undefined,
    }),
    dispose: () => undefined,
  };
}

/** @returns a backend of its own, with nothing allocated: a house, or the reference forms in this precision */
export function createHostBackend(house: House | 'float64' | 'float32'): Backend {
  return new HostBackend(typeof house === 'string' ? referenceHouse(house) : house);
}

/**
 * The reference backend: float64 typed arrays and plain TypeScript. It is the specification the other backends are held to, and
 * the one that runs if nothing faster is available.
 *
 * @returns a backend of its own, with nothing allocated
 */
export function createReferenceBackend(): Backend {
  return createHostBackend('float64');
}
