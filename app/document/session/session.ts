/**
 * A running experiment as the interface sees it. The engine works elsewhere (in a worker, or on the GPU of this page); what
 * comes over is events, and one snapshot of the fields for each stored cycle. Nothing here reaches into the engine's state.
 */
import type {
  AnswerTo,
  BackendChoice,
  Ceilings,
  Checkpoint,
  CycleDiagnostics,
  CycleTrace,
  Kept,
  KernelSample,
  MethodDivergence,
  Motion,
  ProbeReading,
  Question,
  RunInfo,
  Scenario,
  Snapshot,
} from '../../../engine/index.ts';

export type {
  BasinInfo,
  DevicePlane,
  HostPlane,
  Kept,
  MethodSnapshot,
  Motion,
  MovingSurface,
  Plane,
  ProbeReading,
  Snapshot,
  SnapshotObservations,
  StatePlanes,
} from '../../../engine/index.ts';

export interface SessionInfo extends RunInfo {
  /** With the reason, for people, why it is this one. */
  readonly backend: RunInfo['backend'] & { readonly reason: string };
  /** The device of `device` planes (`createPageGpu`); undefined where planes are in memory. */
  readonly device: GPUDevice | undefined;
}

export type SessionEvent =
  /** Before it is ready: how far, 0 to 1, the states that it begins with are drawn, and then spun up. */
  | { readonly type: 'preparing'; readonly part: 'drawing' | 'spin-up'; readonly share: number }
  | { readonly type: 'ready'; readonly info: SessionInfo; readonly snapshot: Snapshot }
  | {
      readonly type: 'cycle';
      readonly snapshot: Snapshot;
      /** Undefined where the basin is too large for frames. */
      readonly motion: Motion | undefined;
      readonly diagnostics: readonly CycleDiagnostics[];
    }
  | { readonly type: 'kernels'; readonly cycle: number; readonly samples: readonly KernelSample[] }
  /** What the thread that computes was busy with, and the kernels of the cycle that were timed. */
  | { readonly type: 'trace'; readonly trace: CycleTrace; readonly samples: readonly KernelSample[] }
  /** What this machine can do at most: once, after the first cycles, or at once where this page measured it before. */
  | { readonly type: 'ceilings'; readonly ceilings: Ceilings }
  | { readonly type: 'warning'; readonly message: string }
  /** A method is left out from now on; the others go on. */
  | { readonly type: 'diverged'; readonly divergence: MethodDivergence }
  | { readonly type: 'ended'; readonly cycles: number }
  /** The run cannot go on. Stored cycles stay; `recoverable` says that another session from its last checkpoint may help. */
  | {
      readonly type: 'failed';
      readonly message: string;
      readonly recoverable: boolean;
      /** The truth or the last of the methods left what the model can represent. */
      readonly diverged?: true;
    };

/** Drives one experiment. */
export interface Session {
  /**
   * Runs one cycle; resolves when its snapshot was delivered. Calls queue up. It never rejects: what goes wrong is the event
   * `failed`, and a session that has failed, ended or been disposed of does nothing and resolves a little later.
   */
  step(): Promise<void>;
  /** Runs cycle after cycle until this one comes next; otherwise as `step`. */
  playTo(cycle: number): Promise<void>;
  /**
   * Goes on with a scenario whose interventions differ from the next cycle on, also past an end that it puts off. Resolves as
   * `step` does; rejects with ScenarioError where it differs in anything that has a part in the states that there are, and with
   * LimitError where it needs more memory than there is: then it goes on as it was.
   */
  edit(scenario: Scenario): Promise<void>;
  /** Grid cells whose members are recorded from now on, at most `MAXIMUM_PROBES`; readings of other cells are forgotten. */
  probe(cells: readonly { readonly x: number; readonly y: number }[]): void;
  /** Called after a cycle for each probed cell (index y·nx + x) with all of its readings so far, oldest first. */
  onProbe(listener: (cell: number, readings: readonly ProbeReading[]) => void): () => void;
  /**
   * Asks the run between two cycles, also at its end, as `Run.ask`. Rejects where there is no such answer, and when the session
   * has failed or is disposed of.
   */
  ask<const Asked extends Question>(question: Asked): Promise<AnswerTo<Asked>>;
  /** Whether the forecasts of the cycles that follow are kept, so that it can be asked why their analyses are what they are. */
  keepForecasts(wanted: boolean): void;
  /** The engine's checkpoint, for saving a run and for recovery. Rejects when the session is not running. */
  checkpoint(): Promise<Checkpoint>;
  /** The checkpoint that was taken last without asking, some seconds old: where a run goes on after its device was lost. */
  readonly lastCheckpoint: Checkpoint | undefined;
  /**
   * A snapshot or a motion of this session is drawn no more: buffers that hold its planes may be used again. What is not
   * released stays as it is when the session is disposed of.
   */
  release(kept: Kept): void;
  dispose(): void;
}

/** Opens a session; events come through the listener: `preparing` some times, then `ready` or `failed`, then the others. */
export type OpenSession = (
  scenario: Scenario,
  options: {
    readonly backend: BackendChoice;
    readonly files: Readonly<Record<string, Uint8Array>>;
    readonly listener: (event: SessionEvent) => void;
    /** Where to go on. One of another scenario or backend is not used, and a warning says so. */
    readonly checkpoint?: Checkpoint;
    /** Called every few seconds with a checkpoint, while the run goes on, and the scenario that it goes on with from there. */
    readonly onCheckpoint?: (checkpoint: Checkpoint, scenario: Scenario) => void;
  },
) => Session;

export type { Checkpoint };
