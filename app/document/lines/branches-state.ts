/**
 * The branches of one run: a list of them, what is shown of them, and one that is being made. Their stored cycles are those of
 * the run, within one bound of memory.
 */
import { computed, effect, untracked } from '@preact/signals';
import { DEFAULT_HISTORY_BYTES } from '../run/history.ts';
import type { OpenRun } from '../run/page-run.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import type { RunEdits } from '../scenario/run-edits.ts';
import type { ScenarioState } from '../scenario/scenario-state.ts';
import type { RunCourse } from '../run/run-course.ts';
import type { ViewState } from '../views/view-state.ts';
import { createBranchChanges } from './branch-changes.ts';
import { createBranchList, type BranchListOptions, type MainLine } from './branch-list.ts';
import { createBranchViews } from './branch-views.ts';
import { createForking } from './fork-draft.ts';
import type { RunLine } from './line.ts';
import { branchSubject } from './shown.ts';

/** What belongs to a run that can be branched. */
interface BranchedRun {
  readonly scenario: ScenarioState;
  readonly course: RunCourse;
  readonly edits: RunEdits;
  readonly view: ViewState;
}

export interface BranchesOptions extends BranchListOptions {
  /** Memory of the stored cycles of run and branches together, bytes. */
  readonly historyBytes?: number;
}

/** @param openRun opens the runs in which branches are computed */
export function createBranches(
  page: Pick<Laboratory, 'notices' | 'progress'>,
  run: BranchedRun,
  openRun: OpenRun,
  main: () => MainLine,
  { historyBytes = DEFAULT_HISTORY_BYTES, ...options }: BranchesOptions = {},
) {
  const list = createBranchList(page, run, openRun, main, options);
  const views = createBranchViews(list, run);
  const { course } = run;

  const endSharing = effect(() => {
    const lines = list.entries.value.flatMap(({ line }) => line ?? []);
    const share = historyBytes / (lines.length + 1);
    untracked(() => {
      course.limitStored(share);
      // What the run still has, its branches have, which takes no more than that.
      for (const line of lines) line.course.limitStored(Number.POSITIVE_INFINITY, share);
    });
  });
  const endFollowing = effect(() => {
    const lines = list.entries.value.flatMap(({ line }) => line ?? []);
    if (lines.length === 0) return;
    const cycles = course.history.value.snapshots.map(({ cycle }) => cycle);
    untracked(() => {
      for (const line of lines) line.followStored(cycles);
    });
  });

  return {
    ...list,
    ...views,
    /** Those that are open. */
    lines: computed<readonly RunLine[]>(() =>
      list.entries.value.flatMap(({ id, line }) =>
        line ? [{ ...line, id, title: list.titleOf(id), subjectOf: (label: string) => branchSubject(id, label) }] : [],
      ),
    ),
    changes: createBranchChanges(list, course),
    forking: createForking(run, list),
    /** Ends all lines and gives back what they stored. */
    dispose() {
      endSharing();
      endFollowing();
      list.dispose();
    },
  };
}
