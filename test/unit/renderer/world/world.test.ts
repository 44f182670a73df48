/** The tools for the world, from a hand's movements to the interventions of the run, and back again. */
import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { createRunController } from '../../../../app/renderer/state/run-controller.ts';
import { createRunStates } from '../../../../app/renderer/state/run-view.ts';
import { createWorld } from '../../../../app/renderer/world/world-state.ts';
import type { WorldTool } from '../../../../app/renderer/world/tools.ts';
import { fakeClock, fakeSessions, infoOf, scenarioOf, settle } from '../state/fake-run.ts';
import { laboratoryOf } from '../state/laboratory.ts';

const CYCLES = 9;
/** Four by four cells of 10 m; the network of stride 2 begins at cell 0. */
const BED = { model: { scheme: 'central-upwind', bathymetry: { kind: 'flat', depth: 5 } } };

interface WorldOptions {
  readonly cycles?: number;
  readonly tool?: WorldTool;
  readonly changes?: Readonly<Record<string, unknown>>;
}

async function travel(way: () => void): Promise<void> {
  way();
  await settle();
}

/** A run some cycles on, whose basin is under water but for one cell. */
async function worldOf({ cycles = 3, tool = 'gauges', changes = {} }: WorldOptions = {}) {
  const laboratory = laboratoryOf();
  const states = createRunStates();
  const scenario = scenarioOf(CYCLES, { ...BED, ...changes });
  const { open, opened } = fakeSessions();
  const controller = createRunController(open, { ...laboratory, ...states }, { clock: fakeClock() });
  states.scenario.adoptScenario(
    { scenario, raw: scenario, notes: [], warnings: [] },
    { name: 'small.json', kind: 'file', files: {} },
  );
  states.scenario.markApplied();
  states.edits.beginRun(scenario);
  controller.start(scenario, {}, { play: false });
  /** The session that was opened last is there, with land in the corner of its basin. */
  const ready = async (): Promise<void> => {
    const latest = opened.at(-1);
    if (!latest) throw new Error('no session was opened');
    const info = infoOf(latest.scenario);
    const bed = info.basin.bed.fill(-5);
    bed[15] = 1;
    latest.ready();
    states.session.info.value = { ...info, basin: { ...info.basin, bed } };
    await settle();
  };
  await ready();
  for (let cycle = 0; cycle < cycles; cycle++) await controller.stepForward();
  const { notices } = laboratory;
  // Of a branch that is changed the tests of branches tell, with numbers.
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

const gauges = (cycle: number, add: readonly [number, number][], remove: readonly [number, number][] = []) => ({
  kind: 'gauges',
  cycle,
  variable: 'h',
  errorStandardDeviation: 0.1,
  add,
  remove,
});

describe('painting', () => {
  it('adds gauges from the next cycle on, with the instrument of the network, and goes on in the same session', async () => {
    const { world, stroke, list, opened } = await worldOf();
    world.gauges.brush.value = 0;
    world.gauges.spacing.value = 1;
    await stroke([1, 1], [3, 1]);
    // Where gauges of the network stand, and twice at a place, there is none: cells 0 and 2 of even rows have one.
    expect(list()).toStrictEqual([
      gauges(3, [
        [1, 1],
        [2, 1],
        [3, 1],
      ]),
    ]);
    expect(opened).toHaveLength(1);
    expect(opened[0]?.scenario.interventions).toStrictEqual(list());
    expect(world.gauges.standing.value).toHaveLength(4 + 3);
    expect([world.nextCycle.value, world.waiting.value.length]).toStrictEqual([3, 1]);
    expect(world.said.value).toBe('paint 3 gauges: from cycle 3 on.');
  });

  it('puts none on land nor where one stands; a touch off the lattice puts one where it is', async () => {
    const { world, stroke, list } = await worldOf();
    world.gauges.brush.value = 0;
    world.gauges.spacing.value = 2;
    await stroke([3, 3]);
    await stroke([0, 0]);
    expect(list()).toStrictEqual([]);
    await stroke([2, 3]);
    expect(list()).toStrictEqual([gauges(3, [[2, 3]])]);
  });

  it('shows what would come before it is done, and gives it up', async () => {
    const { world, view, list } = await worldOf();
    world.gauges.brush.value = 0;
    world.gauges.spacing.value = 1;
    view.hoveredCell.value = { x: 1, y: 1 };
    expect(world.ghost.value).toMatchObject({
      ring: { kind: 'gauges', centre: { x: 1, y: 1 }, radius: 5 },
      added: [{ x: 1, y: 1 }],
      removed: [],
    });
    world.use({ kind: 'down', cell: { x: 1, y: 1 }, erases: false });
    world.use({ kind: 'move', cell: { x: 1, y: 2 } });
    expect(world.ghost.value.added).toHaveLength(2);
    world.use({ kind: 'leave' });
    world.use({ kind: 'up' });
    await settle();
    expect([list(), world.tool.value]).toStrictEqual([[], 'gauges']);
    world.use({ kind: 'leave' });
    expect(world.tool.value).toBeUndefined();
  });

  it('waits for the cycle that is being computed, and is seen meanwhile', async () => {
    const { world, controller, stroke, list } = await worldOf();
    world.gauges.brush.value = 0;
    const step = controller.stepForward();
    const drawn = stroke([1, 1]);
    expect(world.gauges.ofWaiting.value.added).toMatchObject([{ x: 1, y: 1 }]);
    await Promise.all([step, drawn]);
    await settle();
    expect(list()).toStrictEqual([gauges(4, [[1, 1]])]);
  });

  it('before the first cycle is part of it: the run begins with the gauges', async () => {
    const { world, stroke, list, opened } = await worldOf({ cycles: 0 });
    world.gauges.brush.value = 0;
    await stroke([1, 1]);
    expect(list()).toStrictEqual([gauges(0, [[1, 1]])]);
    expect(opened).toHaveLength(2);
    expect(opened[1]?.scenario.interventions).toStrictEqual(list());
    // One more while that run is being prepared.
    await stroke([1, 3]);
    expect(opened[2]?.scenario.interventions).toStrictEqual([gauges(0, [[1, 1]]), gauges(0, [[1, 3]])]);
  });
});

describe('erasing and moving', () => {
  it('takes gauges away, painted or of a network', async () => {
    const { world, stroke, list } = await worldOf();
    world.gauges.hand.value = 'erase';
    world.gauges.brush.value = 0;
    await stroke([0, 0], [2, 0]);
    expect(list()).toStrictEqual([
      gauges(
        3,
        [],
        [
          [0, 0],
          [2, 0],
        ],
      ),
    ]);
    expect(world.gauges.standing.value).toHaveLength(2);
    await stroke([0, 0]);
    expect(list()).toHaveLength(1);
  });

  it('moves a gauge with what it observes, and gives it up on land', async () => {
    const { world, stroke, list } = await worldOf();
    world.gauges.hand.value = 'move';
    world.gauges.setVariable('hu');
    await stroke([2, 2], [3, 2]);
    expect(list()).toStrictEqual([gauges(3, [[3, 2]], [[2, 2]])]);
    await stroke([3, 2], [3, 3]);
    expect(list()).toHaveLength(1);
  });

  it('by keys: Enter takes it up and puts it down, Delete erases', async () => {
    const { world, view, list } = await worldOf();
    world.gauges.hand.value = 'move';
    const cell = { x: 1, y: 1 };
    world.use({ kind: 'press', cell: { x: 0, y: 0 } });
    view.hoveredCell.value = cell;
    world.use({ kind: 'cursor', cell });
    expect(world.ghost.value.way).toMatchObject({ from: { x: 0, y: 0 }, to: cell });
    expect(world.said.value).toBe('x 10 m, y 10 m: water');
    world.use({ kind: 'press', cell });
    await settle();
    expect(list()).toStrictEqual([gauges(3, [[1, 1]], [[0, 0]])]);
    world.gauges.hand.value = 'paint';
    world.use({ kind: 'resize', by: -1 });
    world.use({ kind: 'resize', by: -1 });
    expect(world.gauges.brush.value).toBe(0);
    world.use({ kind: 'erase', cell });
    await settle();
    expect(list().at(-1)).toStrictEqual(gauges(3, [], [[1, 1]]));
  });
});

describe('undo of gauges', () => {
  it('withdraws them before they took hold, and redo brings them again', async () => {
    const { world, stroke, list, undo, redo, scenario } = await worldOf();
    world.gauges.brush.value = 0;
    await stroke([1, 1]);
    expect(scenario.undoTitle.value).toBe('paint 1 gauge');
    await undo();
    expect([list(), scenario.undoTitle.value, scenario.redoTitle.value]).toStrictEqual([
      [],
      undefined,
      'paint 1 gauge',
    ]);
    await redo();
    expect(list()).toStrictEqual([gauges(3, [[1, 1]])]);
  });

  it('takes them away again from the next cycle on once they observe, and loses nothing that was computed', async () => {
    const { world, stroke, list, undo, redo, controller, opened, session } = await worldOf();
    world.gauges.hand.value = 'move';
    await stroke([2, 2], [3, 2]);
    await controller.stepForward();
    await undo();
    expect(list()).toStrictEqual([gauges(3, [[3, 2]], [[2, 2]]), gauges(4, [[2, 2]], [[3, 2]])]);
    expect([opened.length, session.newestCycle.value]).toStrictEqual([1, 3]);
    expect(world.said.value).toBe('Undone from cycle 4 on: move a gauge.');
    // Before the next cycle they just stay.
    await redo();
    expect(list()).toStrictEqual([gauges(3, [[3, 2]], [[2, 2]])]);
    await undo();
    await controller.stepForward();
    await redo();
    expect(list().at(-1)).toStrictEqual(gauges(5, [[3, 2]], [[2, 2]]));
  });

  it('has nothing to undo where the run went back to before them', async () => {
    const { world, stroke, controller, ready, scenario, list } = await worldOf();
    world.gauges.brush.value = 0;
    await stroke([1, 1]);
    await controller.stepForward();
    controller.goBack(2, false);
    await ready();
    expect([list(), scenario.undoTitle.value]).toStrictEqual([[], undefined]);
  });
});

const fallen = (cycle: number, radius: number) => ({
  kind: 'drop',
  cycle,
  x: 1,
  y: 2,
  radius,
  height: 1,
  seenBy: 'truth',
});

describe('a drop', () => {
  it('falls where the hand is, as wide as it is dragged and ten errors high', async () => {
    const { world, stroke, list } = await worldOf({ tool: 'drop' });
    await stroke([1, 2], [3, 2]);
    expect(list()).toStrictEqual([fallen(3, 20)]);
    world.use({ kind: 'resize', by: -1 });
    expect(world.drop.radius.value).toBe(16);
    world.drop.setHeight(-0.5);
    world.drop.seenBy.value = 'each';
    world.use({ kind: 'press', cell: { x: 1, y: 2 } });
    await settle();
    expect(list()[1]).toStrictEqual({ ...fallen(3, 16), height: -0.5, seenBy: 'each' });
  });

  it('that has fallen is undone by going back to before it, with what else was changed', async () => {
    const { world, stroke, list, undo, redo, controller, opened, ready, session, notices } = await worldOf({
      tool: 'drop',
    });
    await stroke([1, 2], [3, 2]);
    await controller.stepForward();
    world.hold('gauges');
    world.gauges.brush.value = 0;
    await stroke([1, 1]);
    await controller.stepForward();
    expect(session.newestCycle.value).toBe(4);
    await undo();
    expect(list()).toHaveLength(3);
    await undo();
    // Gauges that were added and taken away later are still to come.
    expect(list().map(({ kind, cycle }) => `${kind} ${cycle}`)).toStrictEqual(['gauges 4', 'gauges 5']);
    expect(opened).toHaveLength(2);
    expect(session.newestCycle.value).toBe(2);
    expect(notices.value.at(-1)?.title).toMatch(/cycle 3 comes next, without: drop/);
    await ready();
    await redo();
    expect(list()[0]).toStrictEqual(fallen(3, 20));
  });

  it('that failed the run is undone all the same', async () => {
    const { stroke, undo, controller, opened, ready, list, session, world } = await worldOf({ tool: 'drop' });
    await stroke([1, 2], [3, 2]);
    await controller.stepForward();
    opened[0]?.say({ type: 'failed', message: 'the truth diverged', recoverable: false, diverged: true });
    expect(world.refusalOf('drop')).toMatch(/^The run has failed/);
    await undo();
    expect([list(), opened.length]).toStrictEqual([[], 2]);
    await ready();
    expect([session.status.value, session.newestCycle.value]).toStrictEqual(['ready', 2]);
  });
});

describe('an island', () => {
  it('is placed first, and begins the run anew when it is raised; undo begins it without', async () => {
    const { world, stroke, list, undo, opened, ready, session } = await worldOf({ tool: 'island' });
    await stroke([1, 2], [2, 2]);
    expect([list(), world.island.placed.value]).toStrictEqual([[], { x: 1, y: 2 }]);
    const island = { kind: 'island', cycle: 0, x: 1, y: 2, radius: 10, height: world.island.height.value };
    world.use({ kind: 'press', cell: { x: 3, y: 3 } });
    await settle();
    expect(list()).toStrictEqual([island]);
    expect(opened).toHaveLength(2);
    expect(session.newestCycle.value).toBe(-1);
    await ready();
    await undo();
    expect([list(), opened.length]).toStrictEqual([[], 3]);
  });

  it('is refused where the scheme has a flat bottom, in words', async () => {
    const { world, stroke, list } = await worldOf({ tool: 'island', changes: { model: { scheme: 'richtmyer' } } });
    await stroke([1, 2]);
    expect(world.refusalOf('island')).toBe('The scheme richtmyer has a flat bottom: an island needs central-upwind.');
    expect([world.said.value, list()]).toStrictEqual([world.refusalOf('island'), []]);
  });
});

describe('what cannot be done', () => {
  it('is said: at the end of the run nothing takes hold any more', async () => {
    const { world, stroke, list } = await worldOf({ cycles: CYCLES });
    await stroke([1, 1]);
    expect(world.said.value).toMatch(/^The run has ended/);
    expect(list()).toStrictEqual([]);
  });

  it('leaves the run as it is where the scenario refuses it', async () => {
    const { world, list, opened, notices, scenario } = await worldOf({ tool: 'drop' });
    // All the water is not there to be taken.
    world.drop.setHeight(-100);
    world.use({ kind: 'press', cell: { x: 1, y: 2 } });
    await settle();
    expect([list(), opened[0]?.scenario.interventions]).toStrictEqual([[], []]);
    expect(notices.value).toMatchObject([{ kind: 'error', title: 'Not done: take 100\u00a0m of water' }]);
    expect(scenario.undoTitle.value).toBeUndefined();
  });
});

describe('the list of changes', () => {
  it('takes each out: before it took hold at once, later by going back, and undo puts it in again', async () => {
    const { world, stroke, list, undo, controller, opened, ready } = await worldOf();
    world.gauges.brush.value = 0;
    await stroke([1, 1]);
    await controller.stepForward();
    await stroke([1, 3]);
    await world.takeOut(1, 'a gauge');
    expect([list(), opened.length]).toStrictEqual([[gauges(3, [[1, 1]])], 1]);
    await undo();
    expect(list()).toHaveLength(2);
    await world.takeOut(0, 'a gauge');
    expect(list()).toStrictEqual([gauges(4, [[1, 3]])]);
    expect(opened).toHaveLength(2);
    await ready();
    await undo();
    expect(list()).toHaveLength(2);
  });
});

it('a setting that was changed on the way is taken out as well, and is shown as it was', async () => {
  const { world, controller, scenario, list, opened, ready } = await worldOf();
  scenario.setDraftValue('methods[1].inflation', 1.3);
  await controller.apply();
  await settle();
  await controller.stepForward();
  expect(list()).toHaveLength(1);
  await world.takeOut(0, 'inflation');
  await ready();
  expect([list(), opened.length]).toStrictEqual([[], 2]);
  expect(scenario.draft.value).toMatchObject({ methods: [{}, { inflation: 1.1 }] });
  expect(scenario.pendingChanges.value).toStrictEqual([]);
});

describe('a run that begins with other settings', () => {
  it('has the gauges that stood there from its first cycle on, and drops where they fell', async () => {
    const { world, stroke, controller, opened, scenario } = await worldOf();
    world.gauges.brush.value = 0;
    await stroke([1, 1]);
    await controller.stepForward();
    world.hold('drop');
    await stroke([1, 2], [3, 2]);
    scenario.setDraftValue('seed', 5);
    await controller.apply();
    expect(opened.at(-1)?.scenario.interventions.map(({ kind, cycle }) => `${kind} ${cycle}`)).toStrictEqual([
      'gauges 0',
      'drop 4',
    ]);
    expect(scenario.undoTitle.value).toBe('set seed');
  });

  it('leaves out what does not fit any more, and says so', async () => {
    const { world, stroke, controller, opened, scenario, notices } = await worldOf();
    world.gauges.brush.value = 0;
    await stroke([3, 1]);
    scenario.setDraftValue('grid.dx', 20);
    await controller.apply();
    expect(opened.at(-1)?.scenario.interventions.map(({ kind }) => kind)).toStrictEqual(['gauges']);
    scenario.setDraftValue('model.bathymetry', { kind: 'flat', depth: 3 });
    scenario.setDraftValue('observations[0].name', 'painted');
    await controller.apply();
    expect(opened.at(-1)?.scenario.interventions).toStrictEqual([]);
    expect(notices.value.at(-1)?.title).toBe('Gauges, drops and islands of before do not fit and were left out');
  });
});
