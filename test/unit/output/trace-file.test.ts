import { beforeAll, describe, expect, it } from 'vitest';
import {
  createMemoryStorage,
  createRunFolder,
  openRunHere,
  readRunToContinue,
  createHostPlanes,
} from '../../../engine/index.ts';
import type { Backend, CycleTrace, KernelSample, RunEvent, RunIdentity, Storage } from '../../../engine/index.ts';
import { createTraceLog } from '../../../engine/performance/trace-log.ts';
import { formatTrace, readTrace } from '../../../engine/output/kernel-files.ts';
import { backends, runBackends } from '../../setup/backends.ts';
import { completeEvents, readTraceText } from '../../setup/trace.ts';
import type { Trace } from '../../setup/trace.ts';
import { scenarioOf } from '../../../engine/check/assimilation/twin.ts';

const START = Date.UTC(2026, 0, 1);
const METHODS = ['free-run', '3dvar', 'letkf'] as const;
const scenario = scenarioOf({
  name: 'basin',
  seed: 7,
  grid: { nx: 16, ny: 16 },
  model: { scheme: 'richtmyer', bathymetry: { kind: 'flat', depth: 1 } },
  truth: { initial: { kind: 'drops', count: 4, amplitude: [0.1, 0.5], width: 10 } },
  background: { initial: { kind: 'drops', count: 4, amplitude: [0.1, 0.5], width: 10 }, members: 4 },
  observations: [
    { name: 'gauges', network: { kind: 'regular', stride: [4, 4], offset: [2, 2] }, errorStandardDeviation: 0.02 },
  ],
  methods: [
    { kind: 'free-run' },
    { kind: '3dvar', covariance: { kind: 'recursive-filter', length: 3, standardDeviation: { h: 0.05 } } },
    { kind: 'letkf', localisation: { halfWidth: 4 }, inflation: 1.1 },
  ],
  experiment: { cycles: 4, window: 1 },
});
const identity: RunIdentity = { scenario, seed: 7, backend: { name: 'wasm', adapter: 'SIMD' } };
const identityOfTrace = { ...identity, start: new Date(START).toISOString() };

function textOf(storage: Awaited<ReturnType<typeof run>>['storage']): string {
  return new TextDecoder().decode(storage.files.get('trace.json'));
}

/** Runs the scenario, or continues with it, with a checkpoint after each cycle. @param until the cycle before which it is left */
async function run(backend: Backend, storage = createMemoryStorage(), until = Infinity) {
  const continued = await readRunToContinue(storage, scenario);
  const folder = createRunFolder(storage, {
    identity,
    versions: {},
    now: () => new Date(),
    ...(continued && { continued }),
  });
  await folder.begin();
  const held = openRunHere(
    () => ({ backend, planes: createHostPlanes(backend) }),
    {
      scenario,
      files: {},
      source: 'basin',
      misfit: 'refuse',
      ...(continued?.checkpoint && { checkpoint: continued.checkpoint }),
    },
    {
      observers: [{ event: (event: RunEvent) => take(event) }],
      writers: [
        {
          schedule: { kind: 'cycles', every: 1 },
          prepare: 'checkpoint',
          waits: true,
          atEnd: true,
          commit: (checkpoint) => folder.save(checkpoint),
        },
      ],
    },
  );
  const take = (event: RunEvent): void => {
    if (event.type !== 'ready' && event.type !== 'states' && event.type !== 'failed') folder.listen(event);
  };
  const outcome = await held.play(until);
  held.dispose();
  if (outcome === 'complete') await folder.finish('complete');
  return { storage, folder };
}

function cyclesIn(trace: Trace): string[] {
  return completeEvents(trace)
    .map((event) => event.name)
    .filter((title) => /^cycle \d/.test(title));
}

describe.each(backends)('the trace of a run on $name', ({ name, open }) => {
  const before = Date.now();
  let whole: Awaited<ReturnType<typeof run>>;
  beforeAll(async () => {
    const backend = await open();
    whole = await run(backend);
    backend.dispose();
  });

  it('has the parts of each cycle by method, kernels, counters, and all of it in the time of the run', () => {
    const { storage, folder } = whole;
    const trace = readTraceText(textOf(storage), Date.now() - Date.parse(folder.record.start) + 1);
    expect(Date.parse(trace.otherData.start)).toBeGreaterThanOrEqual(before);
    expect(cyclesIn(trace)).toEqual(['cycle 0', 'cycle 1', 'cycle 2', 'cycle 3']);
    const named = new Set(completeEvents(trace).map((event) => event.name));
    const expected = METHODS.flatMap((method) => [`forecast ${method}`, `analysis ${method}`, `diagnostics ${method}`]);
    for (const each of [...expected, 'forecast truth', 'checkpoint', 'writing', 'preparation'])
      expect(named).toContain(each);
    const kernels = completeEvents(trace).filter(({ pid }) => pid === 2);
    expect(kernels.length).toBeGreaterThan(20);
    const waits = completeEvents(trace).filter((event) => event.name === 'wait');
    const counted = trace.traceEvents.filter((event) => event.ph === 'C' && event.name === 'dispatches');
    expect(counted).toHaveLength(4 + 1);
    // Where everything is done at once there is nothing to wait for, and nothing to be moved.
    const isDevice = name === 'webgpu';
    expect(waits.length >= 4).toBe(isDevice);
    for (const each of ['wait', 'upload', 'readback', 'submission']) expect(named.has(each)).toBe(isDevice);
  });

  it('has each kernel while its cycle was queued or waited for', () => {
    const trace = readTraceText(textOf(whole.storage));
    const { clockErrorMicroseconds } = trace.otherData as { clockErrorMicroseconds?: number };
    const error = clockErrorMicroseconds ?? Number.NaN;
    const events = completeEvents(trace);
    for (const cycle of [0, 1, 2, 3]) {
      const kernels = events.filter(({ pid, args }) => pid === 2 && args['cycle'] === cycle);
      if (kernels.length === 0) continue;
      const begun = events.find((event) => event.name === `cycle ${cycle}`);
      const told = events.find((event) => event.name === `numbers ${cycle}`);
      if (!begun || !told) throw new Error(`cycle ${cycle} is not in the trace`);
      // A cycle is reported when its kernels are done; where clocks are two, to within their correlation.
      expect(Math.min(...kernels.map(({ ts }) => ts))).toBeGreaterThanOrEqual(begun.ts - error);
      const end = told.ts + told.dur + error;
      expect(Math.max(...kernels.map(({ ts, dur }) => ts + dur))).toBeLessThanOrEqual(end);
    }
  });
});

describe.each(runBackends)('the trace of a run that is interrupted on $name', ({ open }) => {
  it('continues where the run continues, and has each cycle once', async () => {
    const backend = await open();
    const { storage } = await run(backend, createMemoryStorage(), 2);
    const half = readTraceText(textOf(storage));
    expect(cyclesIn(half)).toEqual(['cycle 0', 'cycle 1']);
    await run(backend, storage);
    const whole = readTraceText(textOf(storage));
    expect(cyclesIn(whole)).toEqual(['cycle 0', 'cycle 1', 'cycle 2', 'cycle 3']);
    expect(completeEvents(whole).slice(0, 3)).toEqual(completeEvents(half).slice(0, 3));
    backend.dispose();
  });
});

const NOTHING = { waits: 0, submissions: 0, dispatches: 0, uploads: 0, uploadedBytes: 0, readbacks: 0, readBytes: 0 };

function traceOf(cycle: number, spans: CycleTrace['spans']): CycleTrace {
  return {
    cycle,
    origin: START,
    at: 10 * cycle + 9,
    spans,
    counts: { ...NOTHING, waits: 1 },
    clockErrorMicroseconds: 0,
  };
}

function cycleSpan(cycle: number): CycleTrace['spans'][number] {
  return { part: 'cycle', cycle, begin: 10 * cycle, milliseconds: 8, bytes: 0 };
}

function kernel(begin: number, microseconds: number): KernelSample {
  return { name: 'step', begin, microseconds, clock: 'wall', bytes: 8, flops: 2 };
}

describe('a trace', () => {
  it('of a long run has its first and its last cycles, and says how many it does not have', () => {
    const most = 8000;
    const log = createTraceLog(START, undefined, most);
    for (let cycle = 0; cycle < 1000; cycle++) {
      log.kernel(cycle, kernel(10 * cycle + 1, 100));
      log.add(traceOf(cycle, [cycleSpan(cycle)]));
    }
    const text = formatTrace(log.stored, identityOfTrace);
    const trace = readTraceText(text, 10_000);
    const kept = log.stored.cycles.map(({ cycle }) => cycle);
    expect(kept[0]).toBe(0);
    expect(kept.at(-1)).toBe(999);
    expect(trace.otherData['leftOut']).toEqual({ cycles: 1000 - kept.length, kernels: 0 });
    const letters = log.stored.cycles.flatMap(({ lines }) => lines).reduce((sum, { length }) => sum + length, 0);
    expect(letters).toBeLessThanOrEqual(most);
    expect(letters).toBeGreaterThan(0.8 * most);
  });

  it('has of a cycle with very many kernels as many as there is room for', () => {
    const log = createTraceLog(START, undefined, 8000);
    for (let n = 0; n < 500; n++) log.kernel(0, kernel(n / 100, 5));
    log.add(traceOf(0, [cycleSpan(0)]));
    const trace = readTraceText(formatTrace(log.stored, identityOfTrace));
    const kernels = completeEvents(trace).filter(({ pid }) => pid === 2);
    expect(kernels.length).toBeGreaterThan(0);
    expect(trace.otherData['leftOut']).toEqual({ cycles: 0, kernels: 500 - kernels.length });
  });

  it('lays what is across something else on a lane of its own', () => {
    const log = createTraceLog(START);
    log.kernel(0, kernel(0, 2000));
    log.kernel(0, kernel(1, 2000));
    log.kernel(0, kernel(2, 500));
    log.add(traceOf(0, [cycleSpan(0)]));
    const kernels = completeEvents(readTraceText(formatTrace(log.stored, identityOfTrace))).filter(
      ({ pid }) => pid === 2,
    );
    expect(kernels.map(({ ts, dur }) => [ts, dur])).toEqual([
      [0, 2000],
      [1000, 2000],
      [2000, 500],
    ]);
    expect(kernels[1].tid).not.toBe(kernels[0].tid);
  });

  it('has nothing before the run, whatever the clocks say', () => {
    const log = createTraceLog(START + 5000);
    log.add(traceOf(0, [cycleSpan(0)]));
    log.add(traceOf(1, [cycleSpan(1)]));
    const [first, second] = completeEvents(readTraceText(formatTrace(log.stored, identityOfTrace)));
    expect([first.ts, second.ts - first.ts]).toEqual([0, 10_000]);
  });

  it('is read as it was written', async () => {
    const log = createTraceLog(START);
    for (const cycle of [0, 1, 2]) {
      log.kernel(cycle, kernel(10 * cycle, 7.125));
      log.add(traceOf(cycle, [cycleSpan(cycle)]));
    }
    const storage = createMemoryStorage();
    await storage.writeWhole('trace.json', formatTrace(log.stored, identityOfTrace));
    expect(await readTrace(storage)).toEqual(log.stored);
  });

  it('forgets the cycles that are done again', () => {
    const log = createTraceLog(START);
    for (const cycle of [0, 1, 2]) log.add(traceOf(cycle, [cycleSpan(cycle)]));
    log.dropFrom(1);
    log.add(traceOf(1, [cycleSpan(1)]));
    expect(log.stored.cycles.map(({ cycle }) => cycle)).toEqual([0, 1]);
    expect(log.stored.leftOut.cycles).toBe(0);
  });

  it.each([
    ['{"traceEvents": [', 'trace.json:1:18: not JSON'],
    ['{"traceEvents": [{"ph": "X"}], "otherData": {}}', 'trace.json: traceEvents'],
    [
      '{"traceEvents": [], "otherData": {"cycles": [{"cycle": 0, "events": 3}], "leftOut": {"cycles": 0, "kernels": 0}, "clockErrorMicroseconds": 0}}',
      'found 0 events, its cycles have 3',
    ],
  ])('that was cut or changed is refused: %s', async (text, message) => {
    const storage: Storage = createMemoryStorage();
    await storage.writeWhole('trace.json', text);
    await expect(readTrace(storage)).rejects.toThrow(message);
    await expect(readTrace(storage)).rejects.toThrow('when it is removed');
  });
});
