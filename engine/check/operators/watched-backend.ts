/**
 * A backend whose operators are held to their reference forms while a run continues: the fields of a run of an operator are copied
 * before and after it, and the reference form, in float64, is later given what there was before. Whatever computes on the backend
 * brings the inputs, as they occur in a run, and every operator that it uses is compared.
 */
import type { Backend, Field, FieldKinds, FieldsOf, Operator, Prepared } from '../../compute/backend.ts';

/** One run of an operator: what it found, and what it left. */
export interface WatchedRun {
  readonly operator: string;
  /** Floating-point operations, by the operator's formula. */
  readonly flops: number;
  /** The reference form, prepared for one run on arrays in main memory, which it changes. */
  readonly reference: () => (arrays: Readonly<Record<string, Float64Array | Uint32Array>>) => void;
  readonly before: Readonly<Record<string, Field>>;
  readonly after: Readonly<Record<string, Field>>;
}

export interface WatchedBackend {
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
