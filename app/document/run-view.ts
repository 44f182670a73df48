/**
 * The state of one run on screen: its scenario and what was changed of it, what it delivered, where in it the page
 * is, and what of it is shown. A page may hold several; they share its laboratory and nothing else. Features keep their own state of
 * the run in its slots.
 */
import { batch, computed, signal } from '@preact/signals';
import { createSlots, type Laboratory, type Slots } from '../page/laboratory.ts';
import { createBranches, type BranchesOptions } from './lines/branches-state.ts';
import type { RunLine } from './lines/line.ts';
import { createRingMembers } from './run/ring-members.ts';
import { createRunController, type RunController, type RunControllerOptions } from './run/run-controller.ts';
import { createRunClock } from './run/run-times.ts';
import { createRunCourse } from './run/run-course.ts';
import { cellAt, createStoredCells } from './run/stored-cells.ts';
import { createRunEdits } from './scenario/run-edits.ts';
import { createScenarioState } from './scenario/scenario-state.ts';
import type { OpenRun } from './run/page-run.ts';
import { readerFor } from './values/plane-readers.ts';
import { type ShownHeads, createViewState } from './views/view-state.ts';
import type { ShownPlanes } from './views/shown-planes.ts';

/** The state of one run, and nothing that drives it. */
export function createRunStates() {
  const scenario = createScenarioState();
  const clock = createRunClock();
  const course = createRunCourse(scenario, clock);
  const view = createViewState(course);
  const edits = createRunEdits(scenario, course);
  return { scenario, clock, course, view, edits };
}

export type RunViewOptions = Omit<RunControllerOptions, 'company'> & BranchesOptions;

function createRunParts(laboratory: Laboratory, openRun: OpenRun, options: RunViewOptions) {
  const { notices, preferences, progress } = laboratory;
  const states = createRunStates();
  const { course, view } = states;
  const branches = createBranches(laboratory, states, openRun, () => controller, options);
  const controller: RunController = createRunController(
    openRun,
    { ...states, notices, preferences, progress },
    { ...options, company: branches },
  );
  const storedCells = createStoredCells(course.recorded, () => {
    const basin = course.info.value?.basin;
    return basin ? view.probes.value.map((probe) => cellAt(probe, basin)) : [];
  });
  const ringMembers = createRingMembers(course, controller);
  const main: RunLine = {
    id: undefined,
    title: 'The run',
    first: 0,
    course,
    ask: (question) => controller.ask(question),
    againAt: (cycle) => controller.againAt(cycle),
    endAgain: () => controller.endAgain(),
    subjectOf: (label) => label,
  };
  return {
    ...states,
    laboratory,
    controller,
    branches,
    /** The run and its branches that are open, the run first. */
    lines: computed<readonly RunLine[]>(() => [main, ...branches.lines.value]),
    ringMembers,
    storedCells: storedCells.series,
    /** What methods show on the stage in place of the first row's field. */
    shown: signal<ShownPlanes | undefined>(undefined),
    /** What the heads of stems show in place of innovations. */
    heads: signal<ShownHeads | undefined>(undefined),
    /** Reads planes of its stored cycles, wherever they are. */
    planeReader: computed(() => readerFor(course.info.value?.device)),
    /** Ends it and releases all that it stored. */
    dispose() {
      branches.dispose();
      ringMembers.dispose();
      storedCells.dispose();
      controller.dispose();
      batch(() => {
        course.playing.value = false;
        course.status.value = 'idle';
        course.clearRun();
      });
    },
  };
}

export interface RunView extends ReturnType<typeof createRunParts>, Slots<RunView> {}

/** @param openRun opens what computes it and its branches */
export function createRunView(laboratory: Laboratory, openRun: OpenRun, options: RunViewOptions = {}): RunView {
  const parts = createRunParts(laboratory, openRun, options);
  const { use, disposeSlots } = createSlots<RunView>(() => run);
  const run: RunView = {
    ...parts,
    use,
    dispose() {
      disposeSlots();
      parts.dispose();
    },
  };
  return run;
}
