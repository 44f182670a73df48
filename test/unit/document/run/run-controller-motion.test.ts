/** Water that is shown on its way from one analysis to the next. */
import { describe, expect, it } from 'vitest';
import { controlledRun } from './controlled-run.ts';
import { settle } from './fake-run.ts';

const { laboratory, running, states } = controlledRun();
const { reducedMotion } = laboratory.preferences;
const { cycle, newestCycle, playing, status, transit } = states.course;

function flowing(cycles: number, opening?: () => Promise<number>) {
  const found = running(cycles, { moves: true, ...(opening && { opening }) });
  found.opened[0].ready();
  return found;
}

describe('water that moves between analyses', () => {
  it('begins at the first analysis and flows from cycle to cycle while the next one is computed', async () => {
    const { opened, clock, controller } = flowing(4);
    await settle();
    expect([cycle.value, transit.value?.from.cycle, transit.value?.to.cycle]).toStrictEqual([0, 0, 1]);
    expect(transit.value?.duration).toBe(500);
    // Cycle 2 is there before cycle 1 is on screen, and no further one.
    expect([newestCycle.value, opened[0].steps]).toStrictEqual([2, 3]);
    await clock.tick();
    expect([cycle.value, transit.value?.to.cycle, newestCycle.value]).toStrictEqual([1, 2, 3]);
    await clock.tick();
    await clock.tick();
    expect([cycle.value, transit.value, status.value]).toStrictEqual([3, undefined, 'ended']);
    await clock.tick();
    expect([playing.value, opened[0].steps]).toStrictEqual([false, 4]);
    controller.pause();
  });

  it('arrives at once when it is paused, and stays there when what was being computed comes', async () => {
    const { clock, controller } = flowing(9);
    await settle();
    controller.pause();
    await clock.tick();
    expect([cycle.value, transit.value, newestCycle.value]).toStrictEqual([1, undefined, 2]);
  });

  it('gives way to whoever goes elsewhere', async () => {
    const { clock, controller } = flowing(9);
    await settle();
    await clock.tick();
    await clock.tick();
    expect(cycle.value).toBe(2);
    controller.scrub(0);
    expect([cycle.value, transit.value]).toStrictEqual([0, undefined]);
    await clock.tick();
    expect([cycle.value, transit.value?.to.cycle]).toStrictEqual([0, 1]);
    controller.pause();
  });

  it('flows for a single step as well, and arrives at once when the next is asked for', async () => {
    const { clock, controller } = flowing(9);
    await settle();
    controller.pause();
    const step = controller.stepForward();
    await settle();
    expect([cycle.value, transit.value?.to.cycle]).toStrictEqual([1, 2]);
    await clock.tick();
    await step;
    expect([cycle.value, transit.value]).toStrictEqual([2, undefined]);
    void controller.stepForward();
    await settle();
    void controller.stepForward();
    await settle();
    expect([cycle.value, transit.value?.to.cycle]).toStrictEqual([3, 4]);
    controller.stepBack();
    expect([cycle.value, transit.value]).toStrictEqual([3, undefined]);
  });

  it.each([
    ['flows to the first analysis after something was seen before it, in the rest of the time', 200, -1, 300],
    ['takes half the time at least', 450, -1, 250],
    ['begins at the first analysis if nothing was seen', 0, 0, 500],
  ])('%s, and computes that meanwhile', async (_, seen, shown, duration) => {
    const ends: ((seen: number) => void)[] = [];
    const { clock, controller } = flowing(4, () => new Promise((resolve) => void ends.push(resolve)));
    await settle();
    expect([cycle.value, newestCycle.value, transit.value]).toStrictEqual([-1, 0, undefined]);
    ends[0](seen);
    await settle();
    expect([cycle.value, transit.value?.to.cycle]).toStrictEqual([shown, shown + 1]);
    expect(transit.value?.duration).toBe(duration);
    await clock.tick();
    expect(cycle.value).toBe(shown + 1);
    controller.pause();
  });

  it('cuts where motion is to be reduced', async () => {
    reducedMotion.value = true;
    const { clock, controller } = flowing(9);
    await settle();
    expect([cycle.value, transit.value]).toStrictEqual([0, undefined]);
    await clock.tick();
    expect([cycle.value, transit.value]).toStrictEqual([1, undefined]);
    controller.pause();
  });
});
