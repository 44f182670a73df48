/** What keeps the one run on screen: what it is given, and what it can do. */
import type { BackendChoice, Checkpoint, MethodDivergence, RunJob, Scenario } from '../../../engine/index.ts';
import type { Notices, Progress } from '../../page/notices.ts';
import type { ViewState } from '../views/view-state.ts';
import type { PageRun } from './page-run.ts';
import type { RunCourse } from './run-course.ts';
import type { RunClock } from './run-times.ts';

export type RunFiles = RunJob['files'];

/**
 * Called as a run with those files is opened. @returns takes its checkpoints, every few seconds while it continues, with the
 * scenario that it continues with from there
 */
export type KeepsRecovery = (files: RunFiles) => (checkpoint: Checkpoint, scenario: Scenario) => void;

export interface KeptRun {
  readonly run: PageRun;
  readonly scenario: Scenario;
  readonly files: RunFiles;
  /** What it was opened from. */
  readonly from: Checkpoint | undefined;
}

export interface KeeperOptions {
  readonly backend: BackendChoice;
  /** What messages call it: `the run` unless it is another. */
  readonly name?: () => string;
  /** Memory for checkpoints to go back to, bytes. */
  readonly ringBytes?: number;
  readonly keepsRecovery?: KeepsRecovery | undefined;
  /** A run is about to be opened in place of the one that there is. */
  readonly onOpening: () => void;
  readonly onReady: () => void;
  readonly onDiverged: (divergence: MethodDivergence) => void;
  /** A cycle is stored. */
  readonly onCycle: (cycle: number) => void;
  /** What the user can do about a run that failed. */
  readonly restart: () => void;
}

export interface RunKeeper {
  readonly current: KeptRun | undefined;
  /**
   * Ends the run and opens another, which continues from the checkpoint if there is one.
   *
   * @param goal the cycle that comes next: cycles before it are computed again
   */
  open(scenario: Scenario, files: RunFiles, checkpoint?: Checkpoint, goal?: number): void;
  /**
   * Continues with a scenario whose interventions differ from the next cycle on, after the one that is being computed.
   *
   * @param change the scenario, for the cycle that comes next; undefined leaves it as it is
   * @returns whether the run continues with it: not before its first cycle, nor where it has failed, was replaced, or is being
   *   prepared. Rejects if the run rejects it; the run then continues unchanged
   */
  edit(change: (nextCycle: number) => Scenario | undefined): Promise<boolean>;
  /** Discards a cycle and those after it, and continues from there with the scenario, which may differ from then on. */
  goBack(scenario: Scenario, cycle: number): void;
  /** The latest checkpoint from which a cycle of the run can be reached. */
  before(cycle: number): Checkpoint | undefined;
  /** The newest checkpoint there is, also of a run that has failed. */
  latestCheckpoint(): Promise<Checkpoint | undefined>;
  /** Forgets how often the run was lost and where it could be gone back to, for another run. */
  forgetPast(): void;
  /** Computes one cycle, or waits for the one that is being computed. @returns whether there is one more than before */
  compute(): Promise<boolean>;
  dispose(): void;
}

/** What a keeper takes in and reports: the course of the one run that it keeps, and where messages go. */
export interface KeeperStates {
  readonly course: RunCourse;
  readonly clock: RunClock;
  readonly view: Pick<ViewState, 'probes'>;
  readonly notices: Pick<Notices, 'notify' | 'dismissRun'>;
  readonly progress: Pick<Progress, 'beginWork'>;
}
