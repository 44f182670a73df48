/**
 * A branch as it is computed: a run of its own, which continues from where the branch leaves the run, and what it stored from
 * there on. It has no transport: its owner sets the cycle to compute up to.
 */
import { batch, signal } from '@preact/signals';
import type { BackendChoice, Checkpoint, MethodDivergence, Scenario } from '../../../engine/index.ts';
import { createAgain } from '../run/again.ts';
import type { OpenRun } from '../run/page-run.ts';
import type { RunController } from '../run/run-controller.ts';
import { prepared } from '../run/player.ts';
import { createRunClock } from '../run/run-times.ts';
import { createRunKeeper } from '../run/run-keeper.ts';
import type { KeeperStates, RunFiles } from '../run/keeper-contract.ts';
import { createRunCourse, type RunCourse } from '../run/run-course.ts';

/** A run on the page that can be looked at and asked: the run on screen, or one of its branches. */
export interface RunLine extends Pick<RunController, 'ask' | 'againAt' | 'endAgain'> {
  /** The branch's id; undefined for the run on screen. */
  readonly id: number | undefined;
  readonly title: string;
  /** The first cycle that is its own: what comes before is the run's. */
  readonly first: number;
  readonly course: RunCourse;
  /** @returns what the stage calls one of its methods */
  readonly subjectOf: (label: string) => string;
}

/** Checkpoints of a branch to go back to, bytes: 64 MiB. */
const RING_BYTES = 64 * 2 ** 20;

export interface LineJob {
  /** Scenario of the branch alone. */
  readonly scenario: Scenario;
  readonly files: RunFiles;
  readonly backend: BackendChoice;
  /** The first cycle that it computes otherwise than the run. */
  readonly first: number;
  /** Where it continues; undefined: from the start of the run. */
  readonly checkpoint: Checkpoint | undefined;
  /** As in `the branch “inflation 1 → 2”`. */
  readonly name: () => string;
  readonly onDiverged: (divergence: MethodDivergence) => void;
  /** What the user can do about a branch that failed. */
  readonly restart: () => void;
}

export interface Line extends Pick<RunLine, 'first' | 'course' | 'ask' | 'againAt' | 'endAgain'> {
  /** Computes up to this cycle, as far as it can be computed; never rejects. */
  reach(cycle: number): Promise<void>;
  /** Discards a cycle and those after it: this one comes next, with the scenario that is given, or as it was. */
  goBack(cycle: number, scenario?: Scenario): void;
  /** From the next cycle on, as `RunKeeper.edit`. */
  edit(change: (nextCycle: number) => Scenario | undefined): Promise<boolean>;
  /** Keeps those of its own stored cycles that the run still has, or does not have yet. */
  followStored(cycles: readonly number[]): void;
  /** Ends its run and gives back all that it stored. */
  dispose(): void;
}

function nothing(): void {
  // A branch has no transport that would continue.
}

/** @param states of the page that the run receives: the probed points, notices, progress */
export function openLine(
  openRun: OpenRun,
  { view, notices, progress }: Pick<KeeperStates, 'view' | 'notices' | 'progress'>,
  { scenario, files, backend, first, checkpoint, name, onDiverged, restart }: LineJob,
): Line {
  const clock = createRunClock();
  const course = createRunCourse({ appliedScenario: signal<Scenario | undefined>(scenario) }, clock);
  const { newestCycle, status } = course;
  const keeper = createRunKeeper(
    openRun,
    { course, clock, view, notices, progress },
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
  const again = createAgain(openRun, () => {
    const place = course.info.peek()?.backend.name;
    return keeper.current && place && { ...keeper.current, backend: place, before: (cycle) => keeper.before(cycle) };
  });
  let disposed = false;
  /** With what was changed of it meanwhile. */
  let current = scenario;
  const goesOn = (wanted: number): boolean => !disposed && newestCycle.value < wanted;
  keeper.open(scenario, files, checkpoint, first);
  return {
    first,
    course,
    async reach(wanted) {
      while (goesOn(wanted)) {
        if ((await prepared(status)) !== 'ready' || !goesOn(wanted)) return;
        const isOneMore = await keeper.compute();
        // One that was lost continues in another run.
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
      for (const { cycle } of course.history.peek().snapshots) if (cycle > newest) kept.add(cycle);
      course.keepCycles(kept);
    },
    ask: (question) =>
      keeper.current?.run.ask(question) ?? Promise.reject(new Error('there is no branch to ask about')),
    againAt: (cycle) => again.at(cycle),
    endAgain: () => again.dispose(),
    dispose() {
      disposed = true;
      again.dispose();
      keeper.dispose();
      batch(() => {
        course.clearRun();
        status.value = 'idle';
      });
    },
  };
}
