/** What diagnostics measure, and how their numbers reach the host. */
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

/** What is staged, when it has arrived: nothing of fields that are undefined. */
export type StagedNumbers<Kind extends ElementKind, Name extends string> = Promise<
  Partial<Readonly<Record<Name, HostArray<Kind>>>>
>;

/**
 * Stages short fields, one after the other with no work between them: they arrive with the next `collect`. Nothing may write them
 * after it in the same cycle.
 */
export function stageEach<Kind extends ElementKind, Name extends string>(
  backend: Backend,
  fields: Readonly<Record<Name, Field<Kind> | undefined>>,
): StagedNumbers<Kind, Name> {
  const present = Object.entries<Field<Kind> | undefined>(fields).flatMap(([name, field]) =>
    field ? [{ name, staged: backend.stage(field) }] : [],
  );
  const arrived = Promise.all(present.map(async ({ name, staged }) => [name, await staged] as const));
  // A rejection is reported by whatever waits for what is staged.
  arrived.catch(() => undefined);
  return arrived.then((entries) => Object.fromEntries(entries) as Partial<Record<Name, HostArray<Kind>>>);
}
