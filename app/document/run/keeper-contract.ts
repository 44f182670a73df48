/** What keeps the sessions of a run: what it is given, and what it can do. */
import type { Checkpoint, MethodDivergence, Scenario } from '../../../engine/index.ts';
import type { OpenSession, Session } from '../session/session.ts';
import type { Notices } from '../../page/notices.ts';
import type { Progress } from '../../page/progress.ts';
import type { RunClock } from './run-times.ts';
import type { SessionState } from './session-state.ts';
import type { ViewState } from '../views/view-state.ts';

export type BackendChoice = Parameters<OpenSession>[1]['backend'];
export type SessionFiles = Readonly<Record<string, Uint8Array>>;

export interface KeptSession {
  readonly session: Session;
  readonly scenario: Scenario;
  readonly files: SessionFiles;
  /** What it was opened from. */
  readonly from: Checkpoint | undefined;
}

export interface KeeperOptions {
  readonly backend: BackendChoice;
  /** What people are told that this is of: `the run` unless it is another. */
  readonly name?: () => string;
  /** Memory for checkpoints to go back to, bytes. */
  readonly ringBytes?: number;
  /** A session is about to be opened in place of the one that there is. */
  readonly onOpening: () => void;
  readonly onReady: () => void;
  readonly onDiverged: (divergence: MethodDivergence) => void;
  /** A cycle is stored. */
  readonly onCycle: (cycle: number) => void;
  /** What a person can do about a run that failed. */
  readonly restart: () => void;
}

export interface SessionKeeper {
  readonly current: KeptSession | undefined;
  /**
   * Ends the session and opens another, which goes on from the checkpoint where there is one.
   *
   * @param goal the cycle that comes next: what lies before it is computed again
   */
  open(scenario: Scenario, files: SessionFiles, checkpoint?: Checkpoint, goal?: number): void;
  /**
   * Goes on with a scenario whose interventions differ from the next cycle on, after the one that is being computed.
   *
   * @param change the scenario, for the cycle that comes next; undefined leaves it as it is
   * @returns whether the run goes on with it: not before its first cycle, nor where it has failed, was replaced, or is being
   *   prepared. Rejects where it is refused: then the run goes on as it was
   */
  edit(change: (nextCycle: number) => Scenario | undefined): Promise<boolean>;
  /** Lets go of a cycle and those after it, and goes on from there with the scenario, which may differ from then on. */
  goBack(scenario: Scenario, cycle: number): void;
  /** The latest checkpoint from which a cycle of the run can be reached. */
  before(cycle: number): Checkpoint | undefined;
  /** The newest checkpoint there is, also of a session that has failed. */
  latestCheckpoint(): Promise<Checkpoint | undefined>;
  /** Forgets how often the run was lost and where it could be gone back to, for another run. */
  forgetPast(): void;
  /** Computes one cycle, or waits for the one that is being computed. @returns whether there is one more than before */
  compute(): Promise<boolean>;
  dispose(): void;
}

/** What a keeper takes in and tells: the state of the one run that its sessions are of, and where the page is told. */
export interface KeeperStates {
  readonly session: SessionState;
  readonly clock: RunClock;
  readonly view: Pick<ViewState, 'probes'>;
  readonly notices: Pick<Notices, 'notify' | 'dismissRun'>;
  readonly progress: Pick<Progress, 'beginWork'>;
}
