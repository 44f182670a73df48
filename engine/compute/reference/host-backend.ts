/**
 * A backend in main memory: typed arrays, on which the reference forms of the operators run one after another on one thread.
 * In float64 it is the reference backend; in float32 it shows what rounding alone does to the reference forms.
 */
import { BackendError, LimitError } from '../../errors.ts';
import type {
  ArraysOf,
  Backend,
  ElementKind,
  Field,
  FieldKinds,
  FieldsOf,
  HostArray,
  KernelSample,
  Operator,
  Prepared,
  RealArray,
} from '../backend.ts';

/** Largest field of this backend in bytes: what a typed array of every JavaScript engine can hold. */
const LARGEST_FIELD_BYTES = 2 ** 31;

type MemoryOf<Kind extends ElementKind> = Kind extends 'index' ? Uint32Array : RealArray;

interface HostField<Kind extends ElementKind> extends Field<Kind> {
  readonly owner: HostBackend;
  array: MemoryOf<Kind> | undefined;
}

class HostBackend implements Backend {
  readonly name = 'reference';
  readonly adapter = 'JavaScript, one thread';
  readonly precision: 'float64' | 'float32';
  readonly elementBytes: 8 | 4;
  readonly limits = { fieldBytes: LARGEST_FIELD_BYTES };
  readonly immediate = true;
  readonly timingMicroseconds = 0;
  readonly counts = { waits: 0, submissions: 0, dispatches: 0 };
  readonly #listeners = new Set<(sample: KernelSample) => void>();
  #disposed = false;

  constructor(precision: 'float64' | 'float32') {
    this.precision = precision;
    this.elementBytes = precision === 'float64' ? 8 : 4;
  }

  allocate<Kind extends ElementKind>(label: string, kind: Kind, length: number): Field<Kind> {
    this.#assertAlive();
    if (!Number.isInteger(length) || length < 1)
      throw new BackendError(`${label}: a field needs at least one element, found ${length}`);
    const bytes = length * (kind === 'index' ? Uint32Array.BYTES_PER_ELEMENT : this.elementBytes);
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
      array: this.#memory(kind, length),
      dispose: () => {
        field.array = undefined;
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
    return Promise.resolve((part instanceof Float32Array ? Float64Array.from(part) : part) as HostArray<Kind>);
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

  prepare<Parameters, Kinds extends FieldKinds>(
    operator: Operator<Parameters, Kinds>,
    parameters: Parameters,
  ): Promise<Prepared<Kinds>> {
    this.#assertAlive();
    const apply = operator.implementations.reference(parameters);
    const cost = operator.cost(parameters, this.elementBytes);
    return Promise.resolve({
      run: (fields: FieldsOf<Kinds>) => {
        this.#assertAlive();
        const arrays = Object.fromEntries(
          Object.keys(operator.fields).map((name) => [name, this.#arrayOf(fields[name])]),
        ) as ArraysOf<Kinds>;
        const start = performance.now();
        apply(arrays);
        this.counts.dispatches += 1;
        const microseconds = (performance.now() - start) * 1000;
        for (const listener of this.#listeners) listener({ name: operator.name, microseconds, clock: 'wall', ...cost });
      },
      dispose: () => undefined,
    });
  }

  settle(): Promise<void> {
    this.#assertAlive();
    return Promise.resolve();
  }

  onKernel(listener: (sample: KernelSample) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  dispose(): void {
    this.#disposed = true;
    this.#listeners.clear();
  }

  #assertAlive(): void {
    if (this.#disposed) throw new BackendError(`the ${this.name} backend is used after dispose()`);
  }

  #memory<Kind extends ElementKind>(kind: Kind, length: number): MemoryOf<Kind> {
    const reals = this.precision === 'float64' ? Float64Array : Float32Array;
    return (kind === 'index' ? new Uint32Array(length) : new reals(length)) as MemoryOf<Kind>;
  }

  #arrayOf<Kind extends ElementKind>(field: Field<Kind>): MemoryOf<Kind> {
    this.#assertAlive();
    const { owner, array } = field as HostField<Kind>;
    if (owner !== this) throw new BackendError(`${field.label}: the field belongs to another backend`);
    if (array === undefined) throw new BackendError(`${field.label}: the field is used after dispose()`);
    return array;
  }
}

/** @returns a backend of its own, with nothing allocated, that keeps reals in this precision */
export function createHostBackend(precision: 'float64' | 'float32'): Backend {
  return new HostBackend(precision);
}
