/** A run whose world the tools change, as a hand does. */
import { signal } from '@preact/signals';
import { createRunController } from '../../../../app/document/run/run-controller.ts';
import { createRunStates } from '../../../../app/document/run-view.ts';
import { createWorld } from '../../../../app/features/world/world-state.ts';
import type { WorldTool } from '../../../../app/features/world/tools.ts';
import { fakeClock, fakeRuns, infoOf, scenarioOf, settle } from '../../document/run/fake-run.ts';
import { laboratoryOf } from '../../page/laboratory.ts';

export const CYCLES = 9;
/** Four by four cells of 10 m; the network of stride 2 begins at cell 0. */
const BED = { model: { scheme: 'central-upwind', bathymetry: { kind: 'flat', depth: 5 } } };

export interface WorldOptions {
  readonly cycles?: number;
  readonly tool?: WorldTool;
  readonly changes?: Readonly<Record<string, unknown>>;
}

async function travel(way: () => void): Promise<void> {
  way();
  await settle();
}

/** A run some cycles on, whose basin is under water but for one cell. */
export async function worldOf({ cycles = 3, tool = 'gauges', changes = {} }: WorldOptions = {}) {
  const laboratory = laboratoryOf();
  const states = createRunStates();
  const scenario = scenarioOf(CYCLES, { ...BED, ...changes });
  const { open, opened } = fakeRuns();
  const controller = createRunController(open, { ...laboratory, ...states }, { clock: fakeClock() });
  states.scenario.openScenario({ raw: scenario }, { name: 'small.json', kind: 'file', files: {} });
  states.scenario.markApplied();
  states.edits.beginRun(scenario);
  controller.start(scenario, {}, { play: false });
  /** The run that was opened last is there, with land in the corner of its basin. */
  const ready = async (): Promise<void> => {
    const latest = opened.at(-1);
    if (!latest) throw new Error('no run was opened');
    const info = infoOf(latest.scenario);
    const bed = info.basin.bed.fill(-5);
    bed[15] = 1;
    latest.ready();
    states.course.info.value = { ...info, basin: { ...info.basin, bed } };
    await settle();
  };
  await ready();
  for (let cycle = 0; cycle < cycles; cycle++) await controller.stepForward();
  const { notices } = laboratory;
  // The tests of branches cover a changed branch, with numbers.
  const asked = { changeInterventions: () => Promise.resolve(undefined), goBackWith: () => undefined };
  const branches = { entries: signal([]), titleOf: () => 'branch', changes: asked };
  const world = createWorld({ ...states, controller, notices, branches });
  world.hold(tool);
  const stroke = async (...cells: readonly (readonly [number, number])[]): Promise<void> => {
    const [[x, y], ...more] = cells;
    world.use({ kind: 'down', cell: { x, y }, erases: false });
    for (const [toX, toY] of more) world.use({ kind: 'move', cell: { x: toX, y: toY } });
    world.use({ kind: 'up' });
    await settle();
  };
  const { undo, redo } = states.scenario;
  return {
    ...states,
    world,
    controller,
    opened,
    ready,
    stroke,
    undo: () => travel(undo),
    redo: () => travel(redo),
    notices: notices.notices,
    list: () => states.edits.interventions.value,
  };
}

export const gauges = (cycle: number, add: readonly [number, number][], remove: readonly [number, number][] = []) => ({
  kind: 'gauges',
  cycle,
  variable: 'h',
  errorStandardDeviation: 0.1,
  add,
  remove,
});
