/**
 * A run as everybody holds it: the page, the command line, sweeps and tests. Where it computes (here, in a web worker, in a
 * thread, in a process) depends on the port that it was opened on.
 */
import type { BackendName, Ceilings } from '../compute/backend.ts';
import type { Checkpoint, ExperimentEvent, MethodSummary, ProbeCell } from '../experiment/index.ts';
import type { ImpactQuestion, ObservationImpact } from '../impact/index.ts';
import type { Explanation, ExplanationKind, MethodQuestion } from '../methods/index.ts';
import type { Intervention, Scenario } from '../scenario/index.ts';
import type { Branch, CheckpointRing } from './checkpoint-ring.ts';
import type { PlaneQuestion } from './state-recorder.ts';
import type { BasinInfo, CycleStates, Kept, Snapshot } from './states.ts';
import type { HostPort, ServicePort, PlainError } from './calls.ts';
import type { Prepared, WriterPlan } from './writers.ts';

/** What a run and who holds it say to each other: one set of commands and events, wherever the run computes. */
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

/** What is to be run: plain data. */
export interface RunJob {
  readonly scenario: Scenario;
  /** The contents of the files that the scenario names, by those names. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** What messages about those files call the scenario: its path, or its name. */
  readonly source: string;
  /** Labels of the methods to run; all of the scenario's if omitted. */
  readonly methods?: readonly string[] | undefined;
  /** Where to continue. */
  readonly checkpoint?: Checkpoint | undefined;
  /** What becomes of a checkpoint of another scenario, backend or adapter: an error, or a warning and a run from its start. */
  readonly misfit: 'refuse' | 'begin';
  /**
   * What the machine can do at most, where that is known; or when it is measured: after the first cycle on the run's own backend, or
   * beside it after its first cycles, on another. Not at all if omitted.
   */
  readonly ceilings?: Ceilings | 'between' | 'beside' | undefined;
}

/** What does not change while a run continues, but for the cycles and interventions of its scenario. */
export interface RunInfo {
  readonly scenario: Scenario;
  readonly basin: BasinInfo;
  readonly methods: readonly MethodSummary[];
  readonly cycles: number;
  readonly backend: {
    readonly name: BackendName;
    readonly adapter: string;
    /** Threads of the processor that compute; undefined if a device does. */
    readonly threads?: number | undefined;
  };
  readonly memoryBytes: number;
  /** That the forecasts which are kept to be asked about, and the answers, need beside that at most. */
  readonly explanationBytes: number;
  /** That a checkpoint takes on the host. */
  readonly checkpointBytes: number;
}

/**
 * What a run says: first all that its experiment says of its beginning, then `ready`; of each cycle what the experiment says,
 * then, for those who asked for it, its `states`. After `failed` nothing follows; after `end` no cycle
 * does unless the run is made longer, but ceilings, traces, warnings and `failed` may.
 */
export type RunEvent =
  | ExperimentEvent
  /** With the states before the next cycle, where they were asked for. */
  | { readonly type: 'ready'; readonly info: RunInfo; readonly snapshot: Snapshot | undefined }
  | ({ readonly type: 'states' } & CycleStates)
  /** The run cannot continue. */
  | { readonly type: 'failed'; readonly error: Error };

export interface RunObserver {
  /** Whether it wants the states of each cycle. Where several do, one of them releases what is on a device. */
  readonly states?: boolean;
  /**
   * Whether it wants to ask why the analysis of the latest cycle is what it is: the forecast of each cycle that follows is kept until
   * the next one, a copy of each method's state. Where the cycle has been run already, `fork` gives what another run needs to run it
   * again, to the same bits.
   */
  readonly forecasts?: boolean;
  event(event: RunEvent): void;
}

/** What can be asked of a run, between two cycles. */
export type Question =
  | { readonly kind: 'checkpoint' }
  /** All there is to draw of the latest cycle; forecasts are as analyses where its states were not recorded. */
  | { readonly kind: 'snapshot' }
  /** A plane of the same in memory, [y][x]: for a spectrum, a profile, a figure. */
  | ({ readonly kind: 'plane' } & PlaneQuestion)
  /** y − mean H(x) by method label, where the latest cycle's states were recorded. */
  | { readonly kind: 'innovations' }
  /** Why the analysis of the latest cycle of a method, by its label, is what it is; where its forecast was kept. */
  | {
      readonly kind: 'explanation';
      readonly method: string;
      readonly question: MethodQuestion;
      /** The cycle in question: rejected if the run has continued from it. Default: the latest. */
      readonly cycle?: number | undefined;
    }
  /** What each observation of the latest cycle changes about a forecast; where its forecast was kept. */
  | ({
      readonly kind: 'impact';
      /** As of an explanation. */
      readonly cycle?: number | undefined;
    } & ImpactQuestion);

export interface Answers {
  readonly checkpoint: Checkpoint;
  readonly snapshot: Snapshot;
  readonly plane: Float32Array;
  readonly innovations: Readonly<Record<string, Float64Array>>;
  /** Undefined where the method has no answer to questions of that kind. */
  readonly explanation: Explanation | undefined;
  /** Undefined where the method has no such gain. */
  readonly impact: ObservationImpact | undefined;
}

/** The answer to a question, by its kind and, of an explanation, by the kind of what is to be explained. */
export type AnswerTo<Asked extends Question> = Asked extends {
  readonly kind: 'explanation';
  readonly question: { readonly kind: infer Kind extends ExplanationKind };
}
  ? Explanation<Kind> | undefined
  : Answers[Asked['kind']];

export type Outcome = 'complete' | 'stopped';

export interface Run {
  /** Settles when the run is prepared; rejects with what prevents it. */
  readonly ready: Promise<RunInfo>;
  /** Its checkpoints to go back to, where it keeps any. */
  readonly ring: CheckpointRing | undefined;
  /** Runs one cycle after what was asked for before; does nothing after the end. Rejects with what the run failed with. */
  step(): Promise<void>;
  /**
   * Runs cycle after cycle until one comes next, the end, or until it is stopped. Questions and edits come in between.
   *
   * @param until a cycle; the end of the run if omitted
   */
  play(until?: number): Promise<Outcome>;
  /** Stops playing after the cycle that is being computed. */
  stop(): void;
  /**
   * Continues with a scenario whose interventions differ from the next cycle on.
   *
   * @throws ScenarioError where it differs in anything that has a part in the states
   */
  edit(scenario: Scenario): Promise<void>;
  /** Cells of the grid whose members are recorded with the states from the next cycle on, at most `MAXIMUM_PROBES`. */
  probe(cells: readonly ProbeCell[]): void;
  /** Answers between two cycles. Rejects where the run is in the middle of one that it failed in, or is disposed of. */
  ask<const Asked extends Question>(question: Asked): Promise<AnswerTo<Asked>>;
  /** @returns the way to stop observing */
  observe(observer: RunObserver): () => void;
  /** @returns what another run needs to continue from a cycle of this one with other settings. @throws ScenarioError */
  fork(cycle: number, edits: readonly Intervention[]): Branch;
  /** A snapshot or a motion is drawn no more: device memory that holds it may be used again. Also after `dispose`. */
  release(kept: Kept): void;
  /**
   * Gives up a cycle in progress and frees everything but what is not released. What still waits settles: steps and playing
   * as stopped, questions and edits with an error.
   */
  dispose(): void;
}
