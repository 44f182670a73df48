/** What the page calls in the worker that tunes a method for it, and what that says meanwhile. */
import type {
  CallMessage,
  HostMessage,
  Point,
  Port,
  SeedOutcome,
  StarterPort,
  TuningPlan,
  TuningResult,
} from '../../../engine/index.ts';

/** A tuning, and the contents of the files that its scenario names. */
interface TuningOrder {
  readonly plan: TuningPlan;
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** As run folders keep them. */
  readonly versions: Readonly<Record<string, string>>;
}

// A type, not an interface: it has to be a record of functions.
export type TuningCommands = {
  readonly tune: (order: TuningOrder) => TuningResult;
};

export type TuningEvent =
  /** Points are about to be run. */
  | { readonly type: 'begin'; readonly points: readonly Point[] }
  /** One seed of a point is done. @see TuningPlan.seeds for the place */
  | { readonly type: 'case'; readonly values: Point; readonly seed: number; readonly outcome: SeedOutcome }
  /** The search is over, and the best is looked at once more. */
  | { readonly type: 'looking' };

export type TuningStarterPort = StarterPort<HostMessage<TuningEvent>, CallMessage<keyof TuningCommands>>;
export type TuningHostPort = Port<CallMessage<keyof TuningCommands>, HostMessage<TuningEvent>>;
