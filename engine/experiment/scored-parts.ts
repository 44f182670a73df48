/** What diagnostics are made of: a method, and what it is measured against. */
import type { RealField } from '../compute/backend.ts';
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
