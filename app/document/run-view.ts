/**
 * The state of one run on screen: its scenario and what was changed of it, what its sessions delivered, where in it the page
 * stands, and what of it is shown. A page may hold several; they share its laboratory and nothing else.
 */
import { batch, computed, signal } from '@preact/signals';
import { createBranches } from './lines/branches-state.ts';
import type { BranchesOptions } from './lines/branches-state.ts';
import { cellAt } from '../figures/probe-series.ts';
import { createStoredCells } from './run/stored-cells.ts';
import { createChartState } from '../figures/chart-state.ts';
import { createInside } from '../features/inside/inside.ts';
import { createLessonEdits } from '../features/lessons/lesson-edits.ts';
import { createLesson } from '../features/lessons/lesson-state.ts';
import type { OpenSession } from './session/session.ts';
import type { ShownPlanes } from './views/shown-planes.ts';
import { createStageState } from '../stage/stage-state.ts';
import { readerFor } from './values/plane-readers.ts';
import { createXray } from '../features/x-ray/xray-state.ts';
import type { Laboratory } from '../page/laboratory.ts';
import { createOpening } from '../features/opening/open-scenario.ts';
import { createRingMembers } from './run/ring-members.ts';
import { createRunController } from './run/run-controller.ts';
import type { RunController, RunControllerOptions } from './run/run-controller.ts';
import { createRunEdits } from './scenario/run-edits.ts';
import { createRunClock } from './run/run-times.ts';
import { createScenarioState } from './scenario/scenario-state.ts';
import { createSessionState } from './run/session-state.ts';
import { createViewState } from './views/view-state.ts';
import { createWorld } from '../features/world/world-state.ts';

/** The state of one run, and nothing that drives it. */
export function createRunStates() {
  const scenario = createScenarioState();
  const clock = createRunClock();
  const session = createSessionState(scenario, clock);
  const view = createViewState(session);
  const edits = createRunEdits(scenario, session);
  return { scenario, clock, session, view, edits };
}

export type RunViewOptions = Omit<RunControllerOptions, 'company'> & BranchesOptions;

/** @param openSession opens the sessions in which the run is computed */
export function createRunView(laboratory: Laboratory, openSession: OpenSession, options: RunViewOptions = {}) {
  const { notices, preferences, progress } = laboratory;
  const { openBeside = openSession } = options;
  const states = createRunStates();
  const { session, edits } = states;
  const charts = createChartState(session, edits);
  const branches = createBranches(laboratory, { ...states, charts }, openBeside, () => controller, options);
  const controller: RunController = createRunController(
    openSession,
    { ...states, notices, preferences, progress },
    { ...options, company: branches },
  );
  const stage = createStageState();
  /** What methods show on the stage in place of the first row's field. */
  const shown = signal<ShownPlanes | undefined>(undefined);
  const xray = createXray({ session, controller, shown });
  const inside = createInside({ session, controller, shown, progress, xray });
  const lesson = createLesson(laboratory, { ...states, controller, xray });
  const world = createWorld({ ...states, controller, notices, branches });
  const storedCells = createStoredCells(session.recorded, () => {
    const basin = session.info.value?.basin;
    return basin ? states.view.probes.value.map((probe) => cellAt(probe, basin)) : [];
  });
  const ringMembers = createRingMembers(session, controller);
  return {
    ...states,
    controller,
    ringMembers,
    storedCells: storedCells.series,
    shown,
    xray,
    inside,
    lesson,
    lessonEdits: createLessonEdits(laboratory, { ...states, controller, stage, xray }, lesson),
    opening: createOpening(laboratory, { ...states, controller, lesson, xray }),
    charts,
    branches,
    stage,
    world,
    /** Reads planes of its stored cycles, wherever they lie. */
    planeReader: computed(() => readerFor(session.info.value?.device)),
    /** Ends its session and gives back all that it stored. */
    dispose() {
      branches.dispose();
      ringMembers.dispose();
      storedCells.dispose();
      inside.dispose();
      world.dispose();
      xray.dispose();
      controller.dispose();
      batch(() => {
        session.playing.value = false;
        session.status.value = 'idle';
        session.clearRun();
      });
    },
  };
}

export type RunView = ReturnType<typeof createRunView>;
