/**
 * A branch as it is computed: a session of its own, which goes on from where the branch leaves the run, and what it stored from
 * there on. It has no transport: it is told up to which cycle to compute.
 */
import { batch, signal } from '@preact/signals';
import type { Checkpoint, MethodDivergence, Scenario } from '../../../engine/index.ts';
import type { OpenSession } from '../session/session.ts';
import { prepared } from '../run/go-forward.ts';
import { createRunClock } from '../run/run-times.ts';
import { createSessionKeeper } from '../run/session-keeper.ts';
import type { BackendChoice, KeeperStates, SessionFiles } from '../run/keeper-contract.ts';
import { createSessionState } from '../run/session-state.ts';
import type { SessionState } from '../run/session-state.ts';

/** Checkpoints of a branch to go back to, bytes: 64 MiB. */
const RING_BYTES = 64 * 2 ** 20;

export interface LineJob {
  /** Of the branch alone. */
  readonly scenario: Scenario;
  readonly files: SessionFiles;
  readonly backend: BackendChoice;
  /** The first cycle that it computes otherwise than the run. */
  readonly first: number;
  /** Where it goes on; undefined: from the start of the run. */
  readonly checkpoint: Checkpoint | undefined;
  /** As in `the branch “inflation 1 → 2”`. */
  readonly name: () => string;
  readonly onDiverged: (divergence: MethodDivergence) => void;
  /** What a person can do about a branch that failed. */
  readonly restart: () => void;
}

export interface Line {
  readonly first: number;
  readonly session: SessionState;
  /** Computes up to this cycle, as far as it can be computed; never rejects. */
  reach(cycle: number): Promise<void>;
  /** Lets go of a cycle and those after it: this one comes next, with the scenario that is given, or as it was. */
  goBack(cycle: number, scenario?: Scenario): void;
  /** From the next cycle on, as `SessionKeeper.edit`. */
  edit(change: (nextCycle: number) => Scenario | undefined): Promise<boolean>;
  /** Of the stored cycles keeps those of its own that the run still has, or has not yet. */
  followStored(cycles: readonly number[]): void;
  /** Ends its session and gives back all that it stored. */
  dispose(): void;
}

function nothing(): void {
  // A branch has no transport that would go on.
}

/** @param states of the page that the session is told of: the points that are probed, notices, progress */
export function openLine(
  openSession: OpenSession,
  { view, notices, progress }: Pick<KeeperStates, 'view' | 'notices' | 'progress'>,
  { scenario, files, backend, first, checkpoint, name, onDiverged, restart }: LineJob,
): Line {
  const clock = createRunClock();
  const session = createSessionState({ appliedScenario: signal<Scenario | undefined>(scenario) }, clock);
  const { newestCycle, status } = session;
  const keeper = createSessionKeeper(
    openSession,
    { session, clock, view, notices, progress },
    {
      backend,
      name,
      ringBytes: RING_BYTES,
      onOpening: nothing,
      onReady: nothing,
      onCycle: nothing,
      onDiverged,
      restart,
    },
  );
  let disposed = false;
  /** With what was changed of it meanwhile. */
  let current = scenario;
  const goesOn = (wanted: number): boolean => !disposed && newestCycle.value < wanted;
  keeper.open(scenario, files, checkpoint, first);
  return {
    first,
    session,
    async reach(wanted) {
      while (goesOn(wanted)) {
        if ((await prepared(status)) !== 'ready' || !goesOn(wanted)) return;
        const isOneMore = await keeper.compute();
        // One that was lost goes on in another session.
        if (!isOneMore && status.peek() !== 'opening') return;
      }
    },
    goBack(cycle, changed = current) {
      current = changed;
      if (newestCycle.value >= cycle) keeper.goBack(changed, cycle);
    },
    edit: (change) =>
      keeper.edit((nextCycle) => {
        const changed = change(nextCycle);
        current = changed ?? current;
        return changed;
      }),
    followStored(cycles) {
      const newest = cycles.at(-1) ?? -1;
      const kept = new Set(cycles.filter((cycle) => cycle >= first));
      for (const { cycle } of session.history.peek().snapshots) if (cycle > newest) kept.add(cycle);
      session.keepCycles(kept);
    },
    dispose() {
      disposed = true;
      keeper.dispose();
      batch(() => {
        session.clearRun();
        status.value = 'idle';
      });
    },
  };
}
