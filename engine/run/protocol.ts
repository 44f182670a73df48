/** What a run and who holds it say to each other: one set of commands and events, wherever the run computes. */
import type { ExperimentEvent, ProbeCell } from '../experiment/index.ts';
import type { Scenario } from '../scenario/index.ts';
import type { HostPort, ServicePort, PlainError } from './calls.ts';

import type { Answers, Outcome, Question, RunInfo, RunJob } from './run.ts';
import type { CycleStates, Kept, Snapshot } from './states.ts';
import type { Prepared, WriterPlan } from './writers.ts';

export interface RunOpening extends RunJob {
  /** Whether events carry states, from the first on. */
  readonly states: boolean;
  /** Whether forecasts are kept, from the first on. */
  readonly forecasts: boolean;
  readonly writers: readonly WriterPlan[];
}

/** Those that answer are called, the others are sent. */
// A type, not an interface: it has to be a record of functions.
export type RunCommands = {
  readonly open: (opening: RunOpening) => RunInfo;
  readonly step: (nothing: undefined) => void;
  readonly play: (until: number | undefined) => Outcome;
  readonly edit: (scenario: Scenario) => void;
  readonly ask: (question: Question) => Answers[Question['kind']];
  readonly stop: (nothing: undefined) => void;
  readonly probe: (cells: readonly ProbeCell[]) => void;
  /** Whether events carry states from the next cycle on. */
  readonly wantStates: (wanted: boolean) => void;
  /** Whether forecasts are kept from the next cycle on. */
  readonly wantForecasts: (wanted: boolean) => void;
  /** Reports a commit, with the number of its `commit`. */
  readonly committed: (number: number) => void;
  readonly release: (kept: Kept) => void;
  readonly dispose: (nothing: undefined) => void;
};

export type RunMessage =
  | ExperimentEvent
  | { readonly type: 'ready'; readonly info: RunInfo; readonly snapshot: Snapshot | undefined }
  | ({ readonly type: 'states' } & CycleStates)
  | { readonly type: 'failed'; readonly error: PlainError };

export type RunNotice =
  /** In their order; kernel times, which come by the hundred, together with what follows them. */
  | { readonly type: 'events'; readonly events: readonly RunMessage[] }
  /** What was prepared for a writer, to be answered by `committed`. */
  | {
      readonly type: 'commit';
      readonly writer: number;
      readonly number: number;
      readonly prepared: Prepared[keyof Prepared];
    };

export type RunStarterPort = ServicePort<RunCommands, RunNotice>;
export type RunHostPort = HostPort<RunCommands, RunNotice>;
