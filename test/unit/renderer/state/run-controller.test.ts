import { beforeEach, describe, expect, it } from 'vitest';
import { isSetting } from '../../../../engine/index.ts';
import { createRunController } from '../../../../app/renderer/state/run-controller.ts';
import { createRunStates } from '../../../../app/renderer/state/run-view.ts';
import { fakeClock, fakeSessions, scenarioOf, settle, snapshotOf } from './fake-run.ts';
import { laboratoryOf } from './laboratory.ts';

const laboratory = laboratoryOf();
const { notices } = laboratory.notices;
const states = createRunStates();
const { beginRun } = states.edits;
const { adoptScenario, appliedScenario, markApplied, pendingChanges, setDraftValue } = states.scenario;
const {
  addSnapshot,
  clearRun,
  cycle,
  diagnostics,
  failure,
  followNewest,
  info,
  loopRange,
  newestCycle,
  oldestCycle,
  playing,
  probeReadings,
  speed,
  status,
  transit,
} = states.session;
const { reducedMotion } = laboratory.preferences;
const { clearSelection, probes, toggleProbe } = states.view;

beforeEach(() => {
  clearRun();
  clearSelection();
  notices.value = [];
  playing.value = false;
  reducedMotion.value = false;
  speed.value = 2;
  status.value = 'idle';
});

interface Running {
  readonly repeats?: boolean;
  readonly play?: boolean;
  readonly deviceOf?: Parameters<typeof fakeSessions>[0];
  readonly moves?: boolean;
}

function running(cycles: number, { repeats = false, play = true, deviceOf, moves = false }: Running = {}) {
  const { open, opened } = fakeSessions(deviceOf, moves);
  const clock = fakeClock();
  const controller = createRunController(open, { ...laboratory, ...states }, { clock, repeats: () => repeats });
  controller.start(scenarioOf(cycles), {}, { play });
  return { opened, clock, controller };
}

describe('playing', () => {
  it('starts when the session is ready and shows each cycle at the speed that is asked for', async () => {
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

  it('begins anew at the end where that is asked for, without computing', async () => {
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

  it('stops at a pause and goes on from there', async () => {
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

function flowing(cycles: number) {
  const found = running(cycles, { moves: true });
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

  it('that lies in cycles to come is computed up to', async () => {
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
  it('tells a failure that cannot be recovered from and keeps what is stored', async () => {
    const { opened, controller } = running(4, { play: false });
    opened[0].ready();
    await controller.stepForward();
    opened[0].say({ type: 'failed', message: 'h became NaN', recoverable: false });
    expect(status.value).toBe('failed');
    expect(failure.value?.message).toBe('h became NaN');
    expect(newestCycle.value).toBe(0);
    expect(notices.value.map(({ kind, lines }) => [kind, lines])).toStrictEqual([['error', ['h became NaN']]]);
  });

  it('opens a lost session again, but not for ever', () => {
    const { opened } = running(4, { play: false });
    for (let turn = 0; turn < 4; turn += 1) {
      opened[turn].ready();
      opened[turn].say({ type: 'failed', message: 'device lost', recoverable: true });
    }
    expect(opened).toHaveLength(4);
    expect(opened[0].isDisposed).toBe(true);
    expect(status.value).toBe('failed');
  });

  it('opens a session that came further each time as often as it is lost', () => {
    const { opened } = running(99, { play: false });
    for (let turn = 0; turn < 6; turn += 1) {
      opened[turn].ready();
      opened[turn].keep(10 * (turn + 1));
      opened[turn].say({ type: 'failed', message: 'device lost', recoverable: true });
    }
    const began = opened.map(({ checkpointGiven }) => checkpointGiven?.cycle ?? 0);
    expect(began).toStrictEqual([0, 10, 20, 30, 40, 50, 60]);
  });

  it('hears nothing of a session that was replaced', () => {
    const { opened, controller } = running(4, { play: false });
    opened[0].ready();
    controller.restart();
    opened[1].ready();
    opened[0].say({ type: 'failed', message: 'late', recoverable: false });
    expect(status.value).toBe('ready');
  });
});

async function withDraft(path: string, value: unknown, deviceOf?: Running['deviceOf']) {
  const run = running(4, { play: false, ...(deviceOf && { deviceOf }) });
  run.opened[0].ready();
  const scenario = scenarioOf(4);
  adoptScenario({ scenario, raw: scenario, notes: [], warnings: [] }, { name: 'small.json', kind: 'file', files: {} });
  markApplied();
  beginRun(scenario);
  await run.controller.stepForward();
  expect(setDraftValue(path, value)).toStrictEqual([]);
  await run.controller.apply();
  return run;
}

describe('changed settings', () => {
  it('take hold at the next cycle of the same session where the method alone is concerned', async () => {
    const { opened, controller } = await withDraft('methods[1].inflation', 1.3);
    expect(opened).toHaveLength(1);
    const edit = { kind: 'setting', cycle: 1, path: 'methods[1].inflation', value: 1.3 };
    expect(opened[0].scenario).toStrictEqual({ ...scenarioOf(4), interventions: [edit] });
    expect([info.value?.scenario.interventions, status.value]).toStrictEqual([[edit], 'ready']);
    expect(newestCycle.value).toBe(0);
    await controller.stepForward();
    expect(cycle.value).toBe(1);
    expect(diagnostics.value.get('letkf')?.map((row) => row.cycle)).toStrictEqual([0, 1]);
  });

  it('wait for the cycle that is being computed, and the next one for them', async () => {
    const { opened, controller } = await withDraft('title', 'Another title');
    const step = controller.stepForward();
    setDraftValue('methods[1].inflation', 1.3);
    const applying = controller.apply();
    await Promise.all([step, applying, controller.stepForward()]);
    expect(opened[0].scenario.interventions).toMatchObject([{ cycle: 2, value: 1.3 }]);
    await controller.stepForward();
    expect([opened.length, newestCycle.value]).toStrictEqual([1, 2]);
  });

  it('take hold one after the other where two are applied at once', async () => {
    const { opened, controller } = await withDraft('title', 'Another title');
    setDraftValue('methods[1].inflation', 1.3);
    const first = controller.apply();
    setDraftValue('observations[0].errorStandardDeviation', 0.2);
    await Promise.all([first, controller.apply()]);
    expect(
      opened[0].scenario.interventions
        .filter(isSetting)
        .map(({ path }) => path)
        .sort(),
    ).toStrictEqual(['methods[1].inflation', 'observations[0].errorStandardDeviation']);
    expect(pendingChanges.value).toStrictEqual([]);
  });

  it('wait for a cycle that waits for an earlier one', async () => {
    const { opened, controller } = await withDraft('title', 'Another title');
    setDraftValue('methods[1].inflation', 1.3);
    const first = controller.apply();
    const step = controller.stepForward();
    setDraftValue('methods[1].inflation', 1.5);
    await Promise.all([first, step, controller.apply()]);
    expect(opened[0].scenario.interventions).toMatchObject([
      { cycle: 1, value: 1.3 },
      { cycle: 2, value: 1.5 },
    ]);
    expect([newestCycle.value, pendingChanges.value]).toStrictEqual([1, []]);
  });

  it('begin the run again where its first cycle is still to come', async () => {
    const { opened, controller } = running(4, { play: false });
    opened[0].ready();
    const scenario = scenarioOf(4);
    const name = 'small.json';
    adoptScenario({ scenario, raw: scenario, notes: [], warnings: [] }, { name, kind: 'file', files: {} });
    markApplied();
    beginRun(scenario);
    setDraftValue('methods[1].inflation', 1.3);
    await controller.apply();
    expect(opened.map((session) => session.scenario.interventions)).toStrictEqual([[], []]);
    expect(opened[1].scenario.methods[1]).toMatchObject({ inflation: 1.3 });
  });

  it('make a run longer that has ended, and it goes on', async () => {
    const { opened, controller } = await withDraft('title', 'Another title');
    for (let each = 0; each < 3; each++) await controller.stepForward();
    expect(status.value).toBe('ended');
    setDraftValue('experiment.cycles', 6);
    await controller.apply();
    expect([status.value, info.value?.cycles]).toStrictEqual(['ready', 6]);
    await controller.stepForward();
    expect([opened.length, newestCycle.value]).toStrictEqual([1, 4]);
  });

  it('go on with a run that was lost since', async () => {
    const { opened } = await withDraft('methods[1].inflation', 1.3);
    opened[0].keep(1);
    opened[0].say({ type: 'failed', message: 'device lost', recoverable: true });
    expect(opened[1].checkpointGiven?.cycle).toBe(1);
    expect(opened[1].scenario.interventions).toMatchObject([{ cycle: 1, value: 1.3 }]);
  });

  it('go on from the last checkpoint of a run that has failed', async () => {
    const { opened, controller } = await withDraft('title', 'Another title');
    opened[0].say({ type: 'failed', message: 'h became NaN', recoverable: false });
    setDraftValue('methods[1].inflation', 1.3);
    await controller.apply();
    expect(opened).toHaveLength(2);
    expect(opened[1].checkpointGiven?.cycle).toBe(1);
    expect(opened[1].scenario.interventions).toMatchObject([{ cycle: 1, value: 1.3 }]);
  });

  it('begin a new run where the truth is concerned', async () => {
    const { opened } = await withDraft('grid.nx', 8);
    expect(opened).toHaveLength(2);
    expect(opened[1].checkpointGiven).toBeUndefined();
    expect(newestCycle.value).toBe(-1);
  });

  it('leave the run alone where only words are concerned', async () => {
    const { opened } = await withDraft('title', 'Another title');
    expect(opened).toHaveLength(1);
  });
});

it('says of a draft that went on while it was applied that its latest change still waits', async () => {
  const { opened, controller } = await withDraft('title', 'Another title');
  setDraftValue('methods[1].inflation', 1.3);
  const applying = controller.apply();
  setDraftValue('methods[1].inflation', 1.5);
  await applying;
  expect(opened[0].scenario.interventions).toMatchObject([{ value: 1.3 }]);
  expect(appliedScenario.value?.methods[1]).toMatchObject({ inflation: 1.3 });
  expect(pendingChanges.value.map(({ path }) => path)).toStrictEqual(['methods[1].inflation']);
});

/** As far as a device is told from another. */
const [GPU, OTHER_GPU] = [{} as GPUDevice, {} as GPUDevice];

describe('planes on a GPU', () => {
  it('outlive the session that made them where the run goes on, and are released to it', async () => {
    const { opened, controller } = await withDraft('methods[1].inflation', 1.3, () => GPU);
    controller.goBack(1, false);
    expect(oldestCycle.value).toBe(-1);
    opened[1].ready();
    await controller.stepForward();
    expect([oldestCycle.value, newestCycle.value]).toStrictEqual([-1, 1]);
    // The state that the second session began from was stored by the first.
    expect(opened[1].released.map((snapshot) => snapshot.cycle)).toStrictEqual([0]);
    expect(opened[0].released).toStrictEqual([]);
    controller.start(scenarioOf(4), {});
    expect(opened[0].released.map((snapshot) => snapshot.cycle)).toStrictEqual([0, -1]);
    expect(opened[1].released.map((snapshot) => snapshot.cycle)).toStrictEqual([0, 1]);
  });

  it('are gone where the run goes on elsewhere', async () => {
    const { opened, controller } = await withDraft('methods[1].inflation', 1.3, (n) => (n === 0 ? GPU : OTHER_GPU));
    controller.goBack(1, false);
    opened[1].ready();
    expect([oldestCycle.value, newestCycle.value]).toStrictEqual([0, 0]);
    expect(opened[0].released.map((snapshot) => snapshot.cycle)).toStrictEqual([0, -1]);
    expect(opened[1].released).toStrictEqual([]);
  });

  it('are gone when it is lost, and what is in memory is not', async () => {
    for (const device of [GPU, undefined]) {
      const { opened, controller } = running(4, { play: false, deviceOf: () => device });
      opened[0].ready();
      await controller.stepForward();
      opened[0].keep(1);
      opened[0].say({ type: 'failed', message: 'lost', recoverable: true });
      expect(newestCycle.value).toBe(device ? -1 : 0);
      expect(opened[0].released).toHaveLength(device ? 2 : 0);
      controller.dispose();
    }
  });
});

describe('probes', () => {
  it('are recorded from when they are pinned, also by the next session', () => {
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
  it('are kept by the session while somebody wishes for them, and by one that is opened meanwhile', () => {
    const { opened, controller } = running(3);
    const { wantForecasts } = states.session;
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
