/** Gauges that a hand paints, erases and moves, and their undo. */
import { describe, expect, it } from 'vitest';
import { settle } from '../../document/run/fake-run.ts';
import { gauges, worldOf } from './world-at-hand.ts';

describe('painting', () => {
  it('adds gauges from the next cycle on, with the instrument of the network, and continues in the same run', async () => {
    const { world, stroke, list, opened } = await worldOf();
    world.gauges.brush.value = 0;
    world.gauges.spacing.value = 1;
    await stroke([1, 1], [3, 1]);
    // Where gauges of the network are, and twice at a place, there is none: cells 0 and 2 of even rows have one.
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

  it('puts none on land nor where one is; a touch off the lattice puts one where it is', async () => {
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
  it('withdraws them before they took effect, and redo brings them again', async () => {
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
    const { world, stroke, list, undo, redo, controller, opened, course } = await worldOf();
    world.gauges.hand.value = 'move';
    await stroke([2, 2], [3, 2]);
    await controller.stepForward();
    await undo();
    expect(list()).toStrictEqual([gauges(3, [[3, 2]], [[2, 2]]), gauges(4, [[2, 2]], [[3, 2]])]);
    expect([opened.length, course.newestCycle.value]).toStrictEqual([1, 3]);
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
