/**
 * The state of one run on screen: its scenario and what was changed of it, what its sessions delivered, where in it the page
 * is, and what of it is shown. A page may hold several; they share its laboratory and nothing else. Features keep their own state of
 * the run in its slots.
 */
import { batch, computed, signal } from '@preact/signals';
import type { Laboratory } from '../page/laboratory.ts';
import { createSlots } from '../page/slots.ts';
import type { Slots } from '../page/slots.ts';
import { createBranches } from './lines/branches-state.ts';
import type { BranchesOptions } from './lines/branches-state.ts';
import { createRingMembers } from './run/ring-members.ts';
import { createRunController } from './run/run-controller.ts';
import type { RunController, RunControllerOptions } from './run/run-controller.ts';
import { createRunClock } from './run/run-times.ts';
import { createSessionState } from './run/session-state.ts';
import { cellAt, createStoredCells } from './run/stored-cells.ts';
import { createRunEdits } from './scenario/run-edits.ts';
import { createScenarioState } from './scenario/scenario-state.ts';
import type { OpenSession } from './session/session.ts';
import { readerFor } from './values/plane-readers.ts';
import type { ShownPlanes } from './views/shown-planes.ts';
import { createViewState } from './views/view-state.ts';

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

function createRunParts(laboratory: Laboratory, openSession: OpenSession, options: RunViewOptions) {
  const { notices, preferences, progress } = laboratory;
  const { openBeside = openSession } = options;
  const states = createRunStates();
  const { session, view } = states;
  const branches = createBranches(laboratory, states, openBeside, () => controller, options);
  const controller: RunController = createRunController(
    openSession,
    { ...states, notices, preferences, progress },
    { ...options, company: branches },
  );
  const storedCells = createStoredCells(session.recorded, () => {
    const basin = session.info.value?.basin;
    return basin ? view.probes.value.map((probe) => cellAt(probe, basin)) : [];
  });
  const ringMembers = createRingMembers(session, controller);
  return {
    ...states,
    laboratory,
    controller,
    branches,
    ringMembers,
    storedCells: storedCells.series,
    /** What methods show on the stage in place of the first row's field. */
    shown: signal<ShownPlanes | undefined>(undefined),
    /** Reads planes of its stored cycles, wherever they are. */
    planeReader: computed(() => readerFor(session.info.value?.device)),
    /** Ends its session and releases all that it stored. */
    dispose() {
      branches.dispose();
      ringMembers.dispose();
      storedCells.dispose();
      controller.dispose();
      batch(() => {
        session.playing.value = false;
        session.status.value = 'idle';
        session.clearRun();
      });
    },
  };
}

export interface RunView extends ReturnType<typeof createRunParts>, Slots<RunView> {}

/** @param openSession opens the sessions in which the run is computed */
export function createRunView(laboratory: Laboratory, openSession: OpenSession, options: RunViewOptions = {}): RunView {
  const parts = createRunParts(laboratory, openSession, options);
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
