/** Drops, islands, settings and the list of changes: from a hand’s movements to the interventions of the run, and back again. */
import { describe, expect, it } from 'vitest';
import { AllDivergedError } from '../../../../engine/index.ts';
import { settle } from '../../document/run/fake-run.ts';
import { CYCLES, gauges, worldOf } from './world-at-hand.ts';

const fallen = (cycle: number, radius: number) => ({
  kind: 'drop',
  cycle,
  x: 1,
  y: 2,
  radius,
  height: 1,
  volume: 'displaced',
  seenBy: 'truth',
});

describe('a drop', () => {
  it('falls where the hand is, as wide as it is dragged and ten errors high', async () => {
    const { world, stroke, list } = await worldOf({ tool: 'drop' });
    await stroke([1, 2], [3, 2]);
    expect(list()).toStrictEqual([fallen(3, 20)]);
    expect(world.drop.stone.value).toStrictEqual({ x: 1, y: 2, seenBy: 'truth' });
    world.drop.stone.value = undefined;
    world.use({ kind: 'resize', by: -1 });
    expect(world.drop.radius.value).toBe(16);
    world.drop.setHeight(-0.5);
    world.drop.seenBy.value = 'each';
    world.use({ kind: 'press', cell: { x: 1, y: 2 } });
    await settle();
    expect(list()[1]).toStrictEqual({ ...fallen(3, 16), height: -0.5, seenBy: 'each' });
    // Water is taken away without a stone.
    expect(world.drop.stone.value).toBeUndefined();
  });

  it('that has fallen is undone by going back to before it, with what else was changed', async () => {
    const { world, stroke, list, undo, redo, controller, opened, ready, course, notices } = await worldOf({
      tool: 'drop',
    });
    await stroke([1, 2], [3, 2]);
    await controller.stepForward();
    world.hold('gauges');
    world.gauges.brush.value = 0;
    await stroke([1, 1]);
    await controller.stepForward();
    expect(course.newestCycle.value).toBe(4);
    await undo();
    expect(list()).toHaveLength(3);
    await undo();
    // Gauges that were added and taken away later are still to come.
    expect(list().map(({ kind, cycle }) => `${kind} ${cycle}`)).toStrictEqual(['gauges 4', 'gauges 5']);
    expect(opened).toHaveLength(2);
    expect(course.newestCycle.value).toBe(2);
    expect(notices.value.at(-1)?.title).toMatch(/cycle 3 comes next, without: drop/);
    await ready();
    await redo();
    expect(list()[0]).toStrictEqual(fallen(3, 20));
  });

  it('that failed the run is undone all the same', async () => {
    const { stroke, undo, controller, opened, ready, list, course, world } = await worldOf({ tool: 'drop' });
    await stroke([1, 2], [3, 2]);
    await controller.stepForward();
    opened[0]?.say({ type: 'failed', error: new AllDivergedError('the truth diverged') });
    expect(world.refusalOf('drop')).toMatch(/^The run has failed/);
    await undo();
    expect([list(), opened.length]).toStrictEqual([[], 2]);
    await ready();
    expect([course.status.value, course.newestCycle.value]).toStrictEqual(['ready', 2]);
  });
});

describe('an island', () => {
  it('is placed first, and begins the run again when it is raised; undo begins it without', async () => {
    const { world, stroke, list, undo, opened, ready, course } = await worldOf({ tool: 'island' });
    await stroke([1, 2], [2, 2]);
    expect([list(), world.island.placed.value]).toStrictEqual([[], { x: 1, y: 2 }]);
    const island = { kind: 'island', cycle: 0, x: 1, y: 2, radius: 10, height: world.island.height.value };
    world.use({ kind: 'press', cell: { x: 3, y: 3 } });
    await settle();
    expect(list()).toStrictEqual([island]);
    expect(opened).toHaveLength(2);
    expect(course.newestCycle.value).toBe(-1);
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

  it('is offered the scheme that has a bed, with which the run begins again', async () => {
    const { world, scenario, opened, ready } = await worldOf({
      tool: 'island',
      changes: { model: { scheme: 'richtmyer' } },
    });
    expect(world.island.canChangeScheme.value).toBe(true);
    world.island.changeScheme();
    await settle();
    await ready();
    expect(scenario.appliedScenario.value?.model).toMatchObject({ scheme: 'central-upwind' });
    expect([opened.length, world.refusalOf('island'), world.island.canChangeScheme.value]).toStrictEqual([
      2,
      undefined,
      false,
    ]);
  });
});

describe('a run that has ended', () => {
  it('gets as many cycles again, at least ten, and continues with what was changed', async () => {
    const { world, stroke, list, course, controller, scenario, opened } = await worldOf({ cycles: CYCLES });
    course.cycle.value = 2;
    world.gauges.brush.value = 0;
    expect([course.status.value, world.refusalOf('gauges')]).toStrictEqual(['ended', undefined]);
    await stroke([1, 1]);
    for (let turn = 0; turn < 5; turn++) await settle();
    expect(list()).toMatchObject([{ cycle: CYCLES, path: 'experiment.cycles' }, gauges(CYCLES, [[1, 1]])]);
    expect([course.plannedCycles.value, course.playing.value]).toStrictEqual([CYCLES + 10, true]);
    expect(course.cycle.value).toBeGreaterThanOrEqual(CYCLES - 1);
    controller.pause();
    expect(opened).toHaveLength(1);
    expect(scenario.undoTitle.value).toMatch(/gauge/);
  });
});

describe('what cannot be done', () => {
  it('is said: at the end of the run, if other changes wait to be applied', async () => {
    const { world, stroke, list, scenario } = await worldOf({ cycles: CYCLES });
    scenario.setDraftValue('seed', 5);
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
  it('takes each out: before it took effect at once, later by going back, and undo puts it in again', async () => {
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
  it('has the gauges that were there from its first cycle on, and drops where they fell', async () => {
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

  it('omits what does not fit any more, and says so', async () => {
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
    expect(notices.value.at(-1)?.title).toBe(
      'Gauges, drops and islands of the previous run were incompatible and removed',
    );
  });
});
