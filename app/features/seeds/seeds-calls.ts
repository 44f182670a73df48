/** What the page calls in a worker that runs a scenario with several seeds, and what the worker reports meanwhile. */
import type { CallMessage, HostMessage, KeptCase, Port, StarterPort, SweepResults } from '../../../engine/index.ts';

/** A scenario, the seeds, and the contents of the files that the scenario names. */
export interface SeedsOrder {
  /** As its file has it. */
  readonly raw: unknown;
  readonly seeds: readonly number[];
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** As run folders keep them. */
  readonly versions: Readonly<Record<string, string>>;
}

// A type, not an interface: it has to be a record of functions.
export type SeedsCommands = {
  /** Opens the backend. The result has every case, and each of them waits. */
  readonly plan: (order: SeedsOrder) => SweepResults;
  /** Runs a case by its number. The worker stays warm for the next one. */
  readonly run: (index: number) => KeptCase;
};

/** How much of the case in progress is done, 0 to 1. */
export interface SeedsEvent {
  readonly type: 'share';
  readonly index: number;
  readonly share: number;
}

export type SeedsStarterPort = StarterPort<HostMessage<SeedsEvent>, CallMessage<keyof SeedsCommands>>;
export type SeedsHostPort = Port<CallMessage<keyof SeedsCommands>, HostMessage<SeedsEvent>>;
