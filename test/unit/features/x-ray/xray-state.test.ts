/** The X-ray of a run that really computes: it follows the cycle on screen, asks again what has gone by, and leaves nothing behind. */
import { setImmediate as turn } from 'node:timers/promises';
import { signal } from '@preact/signals';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHostPlanes, createReferenceBackend } from '../../../../engine/index.ts';
import { openRunIn } from '../../../../app/document/run/open-run.ts';
import type { RunLine } from '../../../../app/document/lines/line.ts';
import type { ShownPlanes } from '../../../../app/document/views/shown-planes.ts';
import { createRunController } from '../../../../app/document/run/run-controller.ts';
import { createRunStates } from '../../../../app/document/run-view.ts';
import { createXray } from '../../../../app/features/x-ray/xray-state.ts';
import { channelTo } from '../../run/hold.ts';
import { tinyScenario } from '../../document/run/tiny-scenario.ts';
import { laboratoryOf } from '../../page/laboratory.ts';
import { soon } from '../../../setup/soon.ts';

const openRun = openRunIn({
  findAdapter: () => Promise.resolve(undefined),
  openGpu: () => Promise.reject(new Error('there is no GPU here')),
  startWorker() {
    const backend = createReferenceBackend();
    return channelTo(() => ({ backend, planes: createHostPlanes(backend), yieldToEventLoop: () => turn() }));
  },
});

function running() {
  const laboratory = laboratoryOf();
  const states = createRunStates();
  const controller = createRunController(openRun, { ...laboratory, ...states });
  const shown = signal<ShownPlanes | undefined>(undefined);
  const { course } = states;
  const main = {
    ...controller,
    id: undefined,
    title: 'The run',
    first: 0,
    course,
    subjectOf: (label: string) => label,
  };
  const lines = signal<readonly RunLine[]>([main]);
  const xray = createXray({ course, lines, shown });
  // Cycles follow each other by cuts.
  laboratory.preferences.reducedMotion.value = true;
  controller.start(tinyScenario(), {}, { play: false });
  return { ...states, controller, lines, shown, xray };
}

let run: ReturnType<typeof running>;
beforeEach(async () => {
  run = running();
  await soon(() => {
    if (run.course.status.value !== 'ready') throw new Error('the run is not ready yet');
  });
});
afterEach(() => {
  run.xray.dispose();
  run.controller.dispose();
});

const POINT = { kind: 'point', x: 4, y: 3, variable: 'h' } as const;
const patience = { timeout: 20_000 };

/** Waits until the X-ray has the answers of a cycle, all of them. */
async function answered(cycle: number): Promise<void> {
  await expect.poll(() => run.xray.answers.value?.cycle, patience).toBe(cycle);
  await expect.poll(() => run.xray.busy.value, patience).toBeUndefined();
}

/** Steps to the first cycle with observations. */
async function toObservations(): Promise<void> {
  await run.controller.stepForward();
  await run.controller.stepForward();
  expect(run.course.cycle.value).toBe(1);
}

describe('an X-ray', () => {
  it('turns the views of the methods that assimilate to what links a point with the rest', async () => {
    run.xray.choose(POINT);
    expect(run.course.keepsForecasts.value).toBe(true);
    await run.controller.stepForward();
    await answered(0);
    const { planes, range, marks, symbol, unit } = run.shown.value ?? {};
    expect([...(planes?.keys() ?? [])]).toEqual(['3dvar', 'letkf']);
    expect([range, symbol, unit]).toEqual([[-1, 1], 'corr h', '1']);
    expect(marks).toEqual([{ x: 4, y: 3, kind: 'asked' }]);
    // A place correlates with itself by 1, up to float32.
    for (const plane of planes?.values() ?? []) expect(plane[3 * 12 + 4]).toBeCloseTo(1, 6);
    run.xray.chosenMeasure.value = 'covariance';
    expect(run.shown.value?.unit).toBe('m·m');
    run.xray.chosenVariable.value = 'hu';
    expect(run.shown.value?.unit).toBe('m²/s·m');
    run.xray.leave();
    expect(run.shown.value).toBeUndefined();
    expect(run.course.keepsForecasts.value).toBe(false);
  });

  it('asks 4D-Var about any two times of the window, and the others about its end alone', async () => {
    const waves = { kind: 'recursive-filter', length: 3, standardDeviation: { h: 0.05, hu: 0.1, hv: 0.1 } };
    const { methods } = tinyScenario();
    run.controller.start(
      tinyScenario({ methods: [...methods, { kind: '4dvar', covariance: waves }] }),
      {},
      { play: false },
    );
    await expect.poll(() => run.xray.hasTimes.value, patience).toBe(true);
    const among = () => [...(run.shown.value?.planes.keys() ?? [])];
    const ofFilter = () => run.xray.answers.value?.byMethod.get('letkf');
    run.xray.choose({ ...POINT, times: { field: 0, cell: 0 } });
    await run.controller.stepForward();
    await answered(0);
    expect(among()).toEqual(['4dvar']);
    expect(run.shown.value).toMatchObject({ title: 'Correlation with the point at the start', range: [-1, 1] });
    expect(ofFilter()?.refusals?.column).toMatch(/one covariance, at the end of the window/);
    const start = run.shown.value?.planes.get('4dvar');
    const before = ofFilter()?.influence;
    run.xray.choose({ ...POINT, times: { field: 1, cell: 0 } });
    await expect.poll(() => run.shown.value?.planes.get('4dvar'), patience).not.toBe(start);
    const end = run.shown.value?.planes.get('4dvar') as Float32Array;
    // What was there at the start has moved on.
    expect(end[3 * 12 + 4]).toBeLessThan(0.9);
    expect(Math.max(...end)).toBeGreaterThan(0.1);
    run.xray.choose(POINT);
    await expect.poll(among, patience).toEqual(['3dvar', 'letkf', '4dvar']);
    expect(ofFilter()?.refusals?.column).toBeUndefined();
    expect(ofFilter()?.influence).toBe(before);

    // A run without such a method has no times.
    run.xray.choose({ ...POINT, times: { field: 1, cell: 0 } });
    run.controller.start(tinyScenario(), {}, { play: false });
    await expect.poll(() => run.xray.subject.value, patience).toEqual({ ...POINT, times: undefined });
  });

  it('reports what one observation does alone, and what it would do had it read otherwise', async () => {
    run.xray.choose({ kind: 'observation', index: 5 });
    await toObservations();
    await answered(1);
    expect(run.shown.value).toMatchObject({ title: 'Increment by observation 5 alone', symbol: 'δη', lift: 'value' });
    const gainOf = (): number | undefined => run.xray.answers.value?.byMethod.get('3dvar')?.observation?.alone.gain;
    const before = run.xray.answers.value?.byMethod.get('3dvar');
    const gain = gainOf();
    run.xray.choose({ kind: 'observation', index: 5, value: 3, errorStd: 0.001 });
    await expect.poll(() => run.xray.answers.value?.byMethod.get('3dvar')?.observation?.observation.value).toBe(3);
    // A reading with less error is taken over further; what does not depend on it was not asked again.
    expect(gainOf()).toBeGreaterThan(gain ?? Infinity);
    expect(run.xray.answers.value?.byMethod.get('3dvar')?.influence).toBe(before?.influence);
  });

  it('shows what was read last, also where a reading between was asked for meanwhile', async () => {
    const own = { kind: 'observation', index: 5 } as const;
    run.xray.choose(own);
    await toObservations();
    await answered(1);
    const readNow = () => run.xray.answers.value?.byMethod.get('3dvar')?.observation?.observation.value;
    const read = readNow();
    run.xray.choose({ ...own, value: 3 });
    run.xray.choose(own);
    await expect.poll(() => run.xray.busy.value, patience).toBeUndefined();
    expect(run.xray.answers.value?.subject).toEqual(own);
    expect(readNow()).toBe(read);
  });

  it('follows the run, and asks a cycle that has gone by again when the run rests at it', async () => {
    await toObservations();
    await run.controller.stepForward();
    // Not kept: the X-ray began later.
    run.xray.choose(POINT);
    await answered(2);
    const incrementNow = () => run.xray.answers.value?.byMethod.get('letkf')?.influence?.increment;
    // Observed every second cycle: nothing is changed between.
    expect(incrementNow()).toBe(0);
    run.controller.scrub(1);
    await answered(1);
    expect(Math.abs(incrementNow() ?? 0)).toBeGreaterThan(0);
    await run.controller.stepForward();
    await run.controller.stepForward();
    await answered(3);
    expect(Math.abs(incrementNow() ?? 0)).toBeGreaterThan(0);
  });

  it('says what a cycle does not have', async () => {
    run.xray.choose({ kind: 'observation', index: 99 });
    await run.controller.stepForward();
    await expect.poll(() => run.xray.failure.value).toBe('Cycle 0 has no observations.');
    expect(run.shown.value).toBeUndefined();
    await run.controller.stepForward();
    await expect.poll(() => run.xray.failure.value).toBe('Cycle 1 has observations 0 to 15.');
    // Another subject is a new beginning.
    run.xray.choose(POINT);
    await answered(1);
    expect(run.xray.failure.value).toBeUndefined();
  });

  it('leaves the stage to others, and takes it back', async () => {
    run.xray.choose(POINT);
    await run.controller.stepForward();
    await answered(0);
    const own = run.shown.value;
    const other = own && { ...own, title: 'Other' };
    run.shown.value = other;
    expect(run.shown.value).toBe(other);
    run.shown.value = undefined;
    expect(run.shown.value).toBe(own);
    run.shown.value = other;
    run.xray.leave();
    expect(run.shown.value).toBe(other);
  });

  it('forgets what a run that begins again will not have, and a point that its basin does not have', async () => {
    run.xray.choose({ ...POINT, x: 11 });
    await run.controller.stepForward();
    await answered(0);
    run.controller.start(tinyScenario({ grid: { nx: 10, ny: 10 } }), {}, { play: false });
    expect(run.xray.answers.value).toBeUndefined();
    await expect.poll(() => run.course.status.value).toBe('ready');
    expect(run.xray.subject.value).toBeUndefined();
  });

  it('asks a branch that is chosen, from where it leaves the run, and shows its answers on the branch’s own water', async () => {
    const [main] = run.lines.value;
    const asked: (number | undefined)[] = [];
    const recording = (line: RunLine): RunLine => ({
      ...line,
      ask: (question) => {
        asked.push(line.id);
        return main.ask(question);
      },
    });
    let ended = 0;
    const branch = {
      ...main,
      endAgain: () => void (ended += 1),
      id: 7,
      title: 'inflation 1 → 2',
      first: 1,
      subjectOf: (label: string) => `branch ${label}`,
    };
    run.lines.value = [recording(main), recording(branch)];
    run.xray.choose(POINT);
    run.xray.chosenLine.value = 7;
    await run.controller.stepForward();
    await answered(0);
    expect([...new Set(asked)]).toEqual([undefined]);
    expect([...(run.shown.value?.planes.keys() ?? [])]).toEqual(['3dvar', 'letkf']);
    asked.length = 0;
    await run.controller.stepForward();
    await answered(1);
    expect([...new Set(asked)]).toEqual([7]);
    expect([...(run.shown.value?.planes.keys() ?? [])]).toEqual(['branch 3dvar', 'branch letkf']);
    expect(ended).toBe(0);
    // A branch that was removed: the run answers, and what the branch computed again is ended.
    run.lines.value = [recording(main)];
    expect(ended).toBe(1);
    await answered(1);
    await expect.poll(() => [...(run.shown.value?.planes.keys() ?? [])], patience).toEqual(['3dvar', 'letkf']);
  });
});
