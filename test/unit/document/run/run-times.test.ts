import { expect, it, beforeEach, describe } from 'vitest';
import { createRunClock, barsOf, skippedText, timelineScale } from '../../../../app/document/run/run-times.ts';
import { createRunController } from '../../../../app/document/run/run-controller.ts';
import { createRunStates } from '../../../../app/document/run-view.ts';
import { createRecordedCycles, type RecordedSource } from '../../../../app/document/run/recorded-cycles.ts';
import { snapshotBytes } from '../../../../app/document/run/history.ts';
import { diagnosticsOf, fakeClock, fakeRuns, scenarioOf, settle, snapshotOf } from './fake-run.ts';
import { laboratoryOf } from '../../page/laboratory.ts';

const { beginTimes, cycleIsDone, restoreTimes, runTimes } = createRunClock();

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));

it('reports when a run began, and when its last cycle was done', () => {
  beginTimes(at(1));
  expect(runTimes()).toStrictEqual({ start: at(1).toISOString(), end: at(1).toISOString(), resumed: [] });
  cycleIsDone(at(5));
  cycleIsDone(at(9));
  expect(runTimes()).toStrictEqual({ start: at(1).toISOString(), end: at(9).toISOString(), resumed: [] });
});

it('reports when a run that was opened continued, and nothing new while it did not', () => {
  const stored = { start: at(1).toISOString(), end: at(2).toISOString(), resumed: [at(2).toISOString()] };
  restoreTimes(stored);
  expect(runTimes()).toStrictEqual(stored);
  cycleIsDone(at(30));
  cycleIsDone(at(31));
  const resumed = [...stored.resumed, at(30).toISOString()];
  expect(runTimes()).toStrictEqual({ start: stored.start, end: at(31).toISOString(), resumed });
});

const laboratory = laboratoryOf();

/** A file whose cycles are read when the test says so; a broken one never. */
function fileOf(cycles: readonly number[], broken: readonly number[] = [], isHeld = false) {
  const asked: number[] = [];
  const failed: [number, string][] = [];
  const held: (() => void)[] = [];
  let isClosed = false;
  const source: RecordedSource = {
    cycles,
    every: 5,
    members: [],
    file: 'fields.nc',
    async read(cycle) {
      asked.push(cycle);
      if (isHeld) await new Promise<void>((resolve) => void held.push(resolve));
      if (broken.includes(cycle)) throw new Error('damaged');
      return snapshotOf(cycle);
    },
    readCells: () => Promise.reject(new Error('no probe is pinned')),
    onFailure: (cycle, error) => void failed.push([cycle, String(error)]),
    close() {
      isClosed = true;
    },
  };
  const release = async (): Promise<void> => {
    for (const resolve of held.splice(0)) resolve();
    await settle();
  };
  return { source, asked, failed, release, isClosed: () => isClosed };
}

describe('a run that was opened at its last cycle', () => {
  let states = createRunStates();
  let fake = fakeRuns();
  let clock = fakeClock();
  let controller = createRunController(fake.open, { ...laboratory, ...states }, { clock });

  beforeEach(() => {
    laboratory.preferences.reducedMotion.value = true;
    states = createRunStates();
    fake = fakeRuns();
    clock = fakeClock();
    controller = createRunController(fake.open, { ...laboratory, ...states }, { clock });
  });

  /** @param at the cycle that would be computed next; from the beginning if omitted */
  async function open(source: RecordedSource, cycles: number, at?: number): Promise<void> {
    const checkpoint = at === undefined ? undefined : { cycle: at, arrays: {}, fingerprint: 'f' };
    controller.start(scenarioOf(cycles), {}, { play: false, ...(checkpoint && { checkpoint }) });
    fake.opened[0].ready();
    if (at === cycles) fake.opened[0].say({ type: 'end', cycles });
    states.course.recorded.attach(source);
    await settle();
  }

  it('steps through what is stored, and computes nothing', async () => {
    const { cycle, currentSnapshot, shownCycles, oldestCycle, lastCycle } = states.course;
    const { source } = fileOf([1, 3]);
    await open(source, 6, 6);
    expect([shownCycles.value, oldestCycle.value, lastCycle.value]).toEqual([[1, 3, 5], 1, 5]);
    expect(cycle.value).toBe(5);
    controller.stepBack();
    expect([cycle.value, currentSnapshot.value?.cycle]).toEqual([3, 3]);
    controller.stepBack();
    controller.stepBack();
    expect(cycle.value).toBe(1);
    await controller.stepForward();
    expect(cycle.value).toBe(3);
    controller.scrub(2);
    expect(cycle.value).toBe(1);
    expect(fake.opened[0].steps).toBe(0);
  });

  it('shows a cycle when it has been read, until then what was on screen, and of several presses the last', async () => {
    const { awaited, cycle, currentSnapshot } = states.course;
    const { source, asked, release } = fileOf([0, 1, 2, 3, 4], [], true);
    await open(source, 6, 6);
    controller.stepBack();
    controller.stepBack();
    controller.stepBack();
    expect([cycle.value, currentSnapshot.value?.cycle, awaited.value]).toEqual([5, 5, 2]);
    // One is read ahead, one for the first press; the one in between comes no sooner than all others.
    expect(asked).toEqual([0, 4]);
    await release();
    expect(cycle.value).toBe(5);
    await release();
    expect([cycle.value, currentSnapshot.value?.cycle, awaited.value]).toEqual([2, 2, undefined]);
    expect(asked.slice(0, 4)).toEqual([0, 4, 1, 2]);
  });

  it('plays all stored cycles, passes over those that cannot be read, and stops at the end', async () => {
    const { cycle, playing, recorded } = states.course;
    const { source, failed } = fileOf([0, 1, 2, 3], [1]);
    await open(source, 4, 4);
    controller.scrub(0);
    expect(cycle.value).toBe(0);
    const seen: number[] = [];
    controller.play();
    for (let turn = 0; turn < 6; turn += 1) {
      await settle();
      seen.push(cycle.value);
      await clock.tick();
    }
    expect([...new Set(seen)]).toEqual([2, 3]);
    expect(playing.value).toBe(false);
    expect([recorded.unreadable.value, failed]).toEqual([[1], [[1, 'Error: damaged']]]);
    expect(fake.opened[0].steps).toBe(0);
    controller.play();
    await settle();
    expect(cycle.value).toBe(0);
  });

  it('continues from its checkpoint where it had not ended', async () => {
    const { cycle, lastCycle } = states.course;
    const { source } = fileOf([0, 1, 2]);
    await open(source, 6, 3);
    expect(cycle.value).toBe(2);
    await controller.stepForward();
    expect([cycle.value, lastCycle.value, fake.opened[0].steps]).toEqual([3, 3, 1]);
    controller.stepBack();
    expect(cycle.value).toBe(2);
  });

  it('computes nothing over what is stored where it has to begin again', async () => {
    const { cycle, goesOn, lastCycle, showCycle } = states.course;
    await open(fileOf([0, 1, 2]).source, 6);
    expect([goesOn.value, lastCycle.value]).toEqual([false, 2]);
    showCycle(2);
    await controller.stepForward();
    expect([cycle.value, fake.opened[0].steps]).toEqual([2, 0]);
  });

  it('releases stored cycles that it goes back before', async () => {
    const { recorded, shownCycles } = states.course;
    const { source, isClosed } = fileOf([0, 1, 2, 3]);
    await open(source, 4, 4);
    states.course.forgetFrom(2);
    expect(recorded.cycles.value).toEqual([0, 1]);
    expect(shownCycles.value).toEqual([0, 1]);
    states.course.addDiagnostics([diagnosticsOf('letkf', 0)]);
    controller.start(scenarioOf(2), {});
    expect([recorded.source.value, recorded.loaded.value, isClosed()]).toEqual([undefined, [], true]);
  });
});

describe('the memory of what was read', () => {
  it('is bounded: what was used longest ago goes, the cycle on screen stays', async () => {
    const room = 3 * snapshotBytes(snapshotOf(0));
    const recorded = createRecordedCycles(room);
    const { source, asked } = fileOf([0, 1, 2, 3, 4, 5, 6]);
    recorded.attach(source);
    for (let turn = 0; turn < 5; turn += 1) await settle();
    // Reading ahead ends where it would drive out what it has read.
    expect(recorded.loaded.value.map(({ cycle }) => cycle)).toEqual([0, 1, 2]);
    recorded.pin(0);
    await recorded.bring(5);
    await recorded.bring(6);
    expect(recorded.loaded.value.map(({ cycle }) => cycle)).toEqual([0, 5, 6]);
    await recorded.bring(5);
    expect(asked).toEqual([0, 1, 2, 5, 6]);
    expect(await recorded.bring(9)).toBeUndefined();
  });
});

describe('the line of stored cycles', () => {
  it('has a bar for each row of cycles, and says why others are not there', () => {
    const scale = timelineScale(100);
    expect(barsOf([], scale)).toBe('');
    expect(barsOf([-1, 0, 1, 49, 99], scale).match(/M/g)).toHaveLength(3);
    expect(barsOf([99], scale)).toBe('M998.00 0H1002.00V4H998.00z');
    expect(skippedText({ file: 'fields.nc', every: 1 })).toBeUndefined();
    expect([2, 3, 11, 21].map((every) => /every (\w+)/.exec(skippedText({ file: '', every }) ?? '')?.[1])).toEqual([
      '2nd',
      '3rd',
      '11th',
      '21st',
    ]);
  });
});
