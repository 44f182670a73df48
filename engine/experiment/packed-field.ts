/** Short fields that are copied into one after the other of a single field, so that one copy brings them all. */
import type { Backend, ElementKind, Field, HostArray, RealField } from '../compute/backend.ts';
import type { Method, MethodContext } from '../methods/index.ts';
import type { Model } from '../models/index.ts';
import type { ObservationOperator } from '../operators/observation/index.ts';

/** What is measured, and against what. */
export interface ScoredParts {
  readonly model: Model;
  readonly truth: RealField;
  readonly method: Method;
  /** Whose departures the method computes. */
  readonly observations: ObservationOperator;
  /** Names of the variables whose scores and ranks are taken. */
  readonly compared: readonly string[];
  /** Names of what can be observed: they distinguish departures. */
  readonly observed: readonly string[];
  /** This cycle's observations. */
  readonly positions: MethodContext['positions'];
  readonly physics: Pick<MethodContext, 'gravity' | 'coriolis'>;
  readonly seed: number;
  /** What the random stream of the method's ranks is named by. */
  readonly streamName: string;
}

export interface PackedField<Kind extends ElementKind, Name extends string> {
  /** Queues a copy of a field to its place. */
  keep(name: Name, field: Field<Kind>): void;
  /** Stages everything; `part` says where what is. */
  stage(): Promise<HostArray<Kind>>;
  /** @returns the numbers of one part, of what was staged */
  part(all: HostArray<Kind>, name: Name): HostArray<Kind>;
  dispose(): void;
}

/** @param lengths of the parts, by name, in order */
export function packFields<Kind extends ElementKind, Name extends string>(
  backend: Backend,
  label: string,
  kind: Kind,
  lengths: Readonly<Record<Name, number>>,
): PackedField<Kind, Name> {
  const offsets = new Map<Name, number>();
  let length = 0;
  for (const [name, size] of Object.entries<number>(lengths)) {
    offsets.set(name as Name, length);
    length += size;
  }
  const packed = backend.allocate(label, kind, length);
  const offsetOf = (name: Name): number => offsets.get(name) ?? 0;
  return {
    keep: (name, field) =>
      backend.copy(field, packed, { targetOffset: offsetOf(name), length: lengths[name], sourceOffset: 0 }),
    stage: () => backend.stage(packed),
    part: (all, name) => all.subarray(offsetOf(name), offsetOf(name) + lengths[name]) as HostArray<Kind>,
    dispose: () => packed.dispose(),
  };
}
