/**
 * The state of one run on screen: its scenario and what was changed of it, what its sessions delivered, where in it the page
 * stands, and what of it is shown. A page may hold several; they share its laboratory and nothing else.
 */
import { batch, computed } from '@preact/signals';
import { createBranches } from '../branches/branches-state.ts';
import type { BranchesOptions } from '../branches/branches-state.ts';
import { createChartState } from '../charts/chart-state.ts';
import type { OpenSession } from '../session/session.ts';
import { createStageState } from '../stage/stage-state.ts';
import { readerFor } from '../values/plane-readers.ts';
import type { Laboratory } from './laboratory.ts';
import { createOpening } from './open-scenario.ts';
import { createRunController } from './run-controller.ts';
import type { RunController, RunControllerOptions } from './run-controller.ts';
import { createRunEdits } from './run-edits.ts';
import { createRunClock } from './run-times.ts';
import { createScenarioState } from './scenario-state.ts';
import { createSessionState } from './session-state.ts';
import { createViewState } from './view-state.ts';
import { createWorld } from '../world/world-state.ts';

/** The state of one run, and nothing that drives it. */
export function createRunStates() {
  const scenario = createScenarioState();
  const clock = createRunClock();
  const session = createSessionState(scenario, clock);
  const view = createViewState(session);
  const edits = createRunEdits(scenario, session);
  return { scenario, clock, session, view, edits };
}

export interface RunViewOptions extends Omit<RunControllerOptions, 'company'>, BranchesOptions {
  /** Opens the sessions in which branches of the run are computed; as the run's where it is left out. */
  readonly openBranch?: OpenSession;
}

/** @param openSession opens the sessions in which the run is computed */
export function createRunView(laboratory: Laboratory, openSession: OpenSession, options: RunViewOptions = {}) {
  const { notices, preferences, progress } = laboratory;
  const { openBranch = openSession } = options;
  const states = createRunStates();
  const { session, edits } = states;
  const charts = createChartState(session, edits);
  const branches = createBranches(laboratory, { ...states, charts }, openBranch, () => controller, options);
  const controller: RunController = createRunController(
    openSession,
    { ...states, notices, preferences, progress },
    { ...options, company: branches },
  );
  return {
    ...states,
    controller,
    opening: createOpening(laboratory, { ...states, controller }),
    charts,
    branches,
    stage: createStageState(),
    world: createWorld({ ...states, controller, notices }),
    /** Reads planes of its stored cycles, wherever they lie. */
    planeReader: computed(() => readerFor(session.info.value?.device)),
    /** Ends its session and gives back all that it stored. */
    dispose() {
      branches.dispose();
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
