import { describe, expect, it } from 'vitest';
import { RunLostError } from '../../../../engine/index.ts';
import { controlledRun } from './controlled-run.ts';
import { scenarioOf, settle, snapshotOf } from './fake-run.ts';

const { laboratory, running, states } = controlledRun();
const { notices } = laboratory.notices;
const {
  addSnapshot,
  cycle,
  diagnostics,
  failure,
  followNewest,
  loopRange,
  newestCycle,
  playing,
  probeReadings,
  status,
} = states.course;
const { probes, toggleProbe } = states.view;

describe('playing', () => {
  it('starts when the run is ready and shows each cycle at the speed that is asked for', async () => {
    const { opened, clock } = running(3);
    expect(status.value).toBe('opening');
    opened[0].ready();
    await settle();
    expect(cycle.value).toBe(0);
    expect(clock.waits).toStrictEqual([500]);
    await clock.tick();
    await clock.tick();
    expect(cycle.value).toBe(2);
    expect(status.value).toBe('ended');
    await clock.tick();
    expect(playing.value).toBe(false);
    expect(opened[0].steps).toBe(3);
    expect(diagnostics.value.get('letkf')?.map((row) => row.cycle)).toStrictEqual([0, 1, 2]);
  });

  it('begins again at the end where that is asked for, without computing', async () => {
    const { opened, clock } = running(2, { repeats: true });
    opened[0].ready();
    await settle();
    await clock.tick();
    expect(cycle.value).toBe(1);
    await clock.tick();
    expect(cycle.value).toBe(-1);
    await clock.tick();
    expect(cycle.value).toBe(0);
    expect(opened[0].steps).toBe(2);
  });

  it('replays from the first cycle when it is pressed at the end', async () => {
    const { opened, clock, controller } = running(2);
    opened[0].ready();
    await settle();
    for (let turn = 0; turn < 3; turn += 1) await clock.tick();
    expect(playing.value).toBe(false);
    controller.play();
    await settle();
    expect(cycle.value).toBe(0);
    expect(opened[0].steps).toBe(2);
    expect(followNewest.value).toBe(false);
    controller.pause();
  });

  it('goes round in a loop of stored cycles', async () => {
    const { opened, clock, controller } = running(5);
    opened[0].ready();
    await settle();
    await clock.tick();
    await clock.tick();
    loopRange.value = { from: 0, to: 2 };
    await clock.tick();
    expect(cycle.value).toBe(0);
    await clock.tick();
    expect(cycle.value).toBe(1);
    await clock.tick();
    await clock.tick();
    expect(cycle.value).toBe(0);
    expect(opened[0].steps).toBe(3);
    controller.pause();
  });

  it('stops at a pause and continues from there', async () => {
    const { opened, clock, controller } = running(9);
    opened[0].ready();
    await settle();
    controller.pause();
    await clock.tick();
    expect(cycle.value).toBe(0);
    expect(opened[0].steps).toBe(1);
    controller.play();
    await settle();
    expect(cycle.value).toBe(1);
    controller.pause();
  });
});

describe('continuing to a cycle that is ahead', () => {
  it('comes there as fast as it is computed', async () => {
    const { opened, controller } = running(9);
    opened[0].ready();
    await settle();
    controller.pause();
    expect(await controller.goForward(4)).toBe(true);
    expect(cycle.value).toBe(4);
    expect(playing.value).toBe(false);
  });

  it('shows its share of the way that was left, and ends where it is cancelled', async () => {
    const { opened, controller } = running(9);
    opened[0].ready();
    await settle();
    controller.pause();
    await controller.goForward(4);
    const { longWork } = laboratory.progress;
    const shares: (number | undefined)[] = [];
    const end = longWork.subscribe(([work]) => {
      if (!work) return;
      shares.push(work.share);
      if (work.share === 0.5) work.cancel?.();
    });
    expect(await controller.runTo(8)).toBe(false);
    end();
    expect(shares).toStrictEqual([undefined, 0.25, 0.5]);
    expect([cycle.value, newestCycle.value, longWork.value]).toStrictEqual([6, 6, []]);
  });

  it('is over where a user goes back, also to where it set out from before a cycle is computed', async () => {
    const { opened, controller } = running(9);
    opened[0].ready();
    await settle();
    controller.pause();
    const going = controller.goForward(4);
    controller.pause();
    controller.scrub(0);
    expect(await going).toBe(false);
    expect(newestCycle.value).toBeLessThan(4);
  });
});

describe('stepping and scrubbing', () => {
  it('steps through stored cycles without computing, and computes at the newest', async () => {
    const { opened, controller } = running(4, { play: false });
    opened[0].ready();
    await controller.stepForward();
    await controller.stepForward();
    expect(cycle.value).toBe(1);
    controller.stepBack();
    controller.stepBack();
    controller.stepBack();
    expect(cycle.value).toBe(-1);
    expect(followNewest.value).toBe(false);
    await controller.stepForward();
    expect(cycle.value).toBe(0);
    expect(opened[0].steps).toBe(2);
  });

  it('follows the newest again when scrubbed there', async () => {
    const { opened, controller } = running(4, { play: false });
    opened[0].ready();
    await controller.stepForward();
    await controller.stepForward();
    controller.scrub(0);
    expect([cycle.value, followNewest.value]).toStrictEqual([0, false]);
    controller.scrub(99);
    expect([cycle.value, followNewest.value]).toStrictEqual([1, true]);
  });

  it('computes once when two steps are asked for at the same time', async () => {
    const { opened, controller } = running(4, { play: false });
    opened[0].ready();
    await Promise.all([controller.stepForward(), controller.stepForward()]);
    expect(opened[0].steps).toBe(1);
  });
});

describe('a view that someone moved in the meantime', () => {
  it('stays there when the step that was asked for is computed', async () => {
    const { opened, controller } = running(9, { play: false });
    opened[0].ready();
    await controller.stepForward();
    await controller.stepForward();
    const step = controller.stepForward();
    controller.scrub(0);
    await step;
    expect([newestCycle.value, cycle.value]).toStrictEqual([2, 0]);
  });
});

describe('a loop', () => {
  it('goes round where its ends are no longer stored', async () => {
    const { opened, clock, controller } = running(30, { play: false });
    opened[0].ready();
    for (const each of [8, 12, 20, 28]) addSnapshot(snapshotOf(each));
    loopRange.value = { from: 6, to: 15 };
    controller.scrub(12);
    controller.play();
    await settle();
    const seen = [cycle.value];
    for (let turn = 0; turn < 3; turn += 1) {
      await clock.tick();
      seen.push(cycle.value);
    }
    expect(seen).toStrictEqual([8, 12, 8, 12]);
    controller.pause();
  });

  it('that is in cycles to come is computed up to', async () => {
    const { opened, clock, controller } = running(9, { play: false });
    opened[0].ready();
    loopRange.value = { from: 2, to: 3 };
    controller.play();
    await settle();
    for (let turn = 0; turn < 5; turn += 1) await clock.tick();
    expect(newestCycle.value).toBe(3);
    expect([2, 3]).toContain(cycle.value);
    controller.pause();
  });
});

describe('what goes wrong', () => {
  it('reports a failure that cannot be recovered from and keeps what is stored', async () => {
    const { opened, controller } = running(4, { play: false });
    opened[0].ready();
    await controller.stepForward();
    opened[0].say({ type: 'failed', error: new Error('h became NaN') });
    expect(status.value).toBe('failed');
    expect(failure.value?.message).toBe('h became NaN');
    expect(newestCycle.value).toBe(0);
    expect(notices.value.map(({ kind, lines }) => [kind, lines])).toStrictEqual([['error', ['h became NaN']]]);
  });

  it('opens a lost run again, but not for ever', () => {
    const { opened } = running(4, { play: false });
    for (let turn = 0; turn < 4; turn += 1) {
      opened[turn].ready();
      opened[turn].say({ type: 'failed', error: new RunLostError('device lost') });
    }
    expect(opened).toHaveLength(4);
    expect(opened[0].isDisposed).toBe(true);
    expect(status.value).toBe('failed');
  });

  it('opens a run that came further each time as often as it is lost', () => {
    const { opened } = running(99, { play: false });
    for (let turn = 0; turn < 6; turn += 1) {
      opened[turn].ready();
      opened[turn].keep(10 * (turn + 1));
      opened[turn].say({ type: 'failed', error: new RunLostError('device lost') });
    }
    const began = opened.map(({ checkpointGiven }) => checkpointGiven?.cycle ?? 0);
    expect(began).toStrictEqual([0, 10, 20, 30, 40, 50, 60]);
  });

  it('is not notified of a run that was replaced', () => {
    const { opened, controller } = running(4, { play: false });
    opened[0].ready();
    controller.restart();
    opened[1].ready();
    opened[0].say({ type: 'failed', error: new Error('late') });
    expect(status.value).toBe('ready');
  });
});

describe('probes', () => {
  it('are recorded from when they are pinned, also by the next run', () => {
    const { opened, controller } = running(4, { play: false });
    toggleProbe({ x: 1, y: 2 });
    expect(opened[0].probed).toMatchObject([{ x: 1, y: 2 }]);
    opened[0].ready();
    controller.restart();
    expect(opened[1].probed).toMatchObject([{ x: 1, y: 2 }]);
  });

  it('take their readings along when they leave', () => {
    const { opened } = running(4, { play: false });
    opened[0].ready();
    toggleProbe({ x: 1, y: 2 });
    toggleProbe({ x: 3, y: 0 });
    probeReadings.value = new Map([
      [9, []],
      [3, []],
    ]);
    toggleProbe({ x: 1, y: 2 });
    expect([...probeReadings.value.keys()]).toStrictEqual([3]);
  });

  it('leave with the basin that they were in', () => {
    const { opened, controller } = running(4, { play: false });
    opened[0].ready();
    toggleProbe({ x: 1, y: 2 });
    controller.start(scenarioOf(4, { grid: { nx: 8, ny: 8, dx: 10, dy: 10 } }), {});
    expect(probes.value).toStrictEqual([]);
  });
});

describe('forecasts', () => {
  it('are kept by the run while somebody wishes for them, and by one that is opened meanwhile', () => {
    const { opened, controller } = running(3);
    const { wantForecasts } = states.course;
    expect(opened[0].keepsForecasts).toBe(false);
    const [first, second] = [wantForecasts(), wantForecasts()];
    expect(opened[0].keepsForecasts).toBe(true);
    first();
    controller.start(scenarioOf(3), {}, { play: false });
    expect(opened[1].keepsForecasts).toBe(true);
    second();
    expect(opened[1].keepsForecasts).toBe(false);
  });
});
