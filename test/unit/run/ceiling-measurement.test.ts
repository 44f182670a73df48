/** Measuring beside a run: when, how often, and that the run knows nothing about it. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createCeilingMeasurement,
  createReferenceBackend,
  createWasmBackend,
  createWebGpuBackend,
  measureCeilings,
  requestDevice,
  tuningTasks,
} from '../../../engine/index.ts';
import type { Backend, CeilingMeasurement, Ceilings, TuningRecord, TuningStore } from '../../../engine/index.ts';
import { nodeGpu } from '../../../app/cli/adapters.ts';
import { measureInTurn } from '../../../engine/run/ceiling-measurement.ts';
import { openBeside } from '../../../app/document/compute/page-host.ts';
import { runBackends } from '../../setup/backends.ts';
import { tinyScenario } from '../document/run/tiny-scenario.ts';
import { hold } from './hold.ts';

const CEILINGS: Ceilings = {
  copyGigabytesPerSecond: 10,
  fmaGigaflopsPerSecond: 20,
  dispatchMicroseconds: 1,
  clock: 'wall',
  tickMicroseconds: 5,
};

/** A measurement of a few parts that says when each is done. */
function fakeMeasurement(parts: number, log: string[], outcome: Ceilings | 'given-up' = CEILINGS): CeilingMeasurement {
  let done = 0;
  return {
    open: () => Promise.resolve(),
    next() {
      done += 1;
      log.push(`part ${done}`);
      return Promise.resolve(done < parts ? 'unfinished' : outcome);
    },
    stop() {
      log.push('stop');
      return Promise.resolve();
    },
  };
}

interface Options {
  readonly measure?: () => CeilingMeasurement;
  readonly ceilings?: Ceilings | 'between';
  readonly yieldToEventLoop?: () => Promise<void>;
  readonly log?: string[];
  readonly cycles?: number;
}

async function open(backend: Backend, { log, cycles = 6, measure, ceilings, yieldToEventLoop }: Options) {
  const { run, events } = hold(tinyScenario({ experiment: { cycles, window: 0.5 } }), {
    backend,
    job: { ceilings: ceilings ?? 'beside' },
    host: { measure, yieldToEventLoop },
    observers: [
      {
        states: true,
        event: (event) => {
          if (event.type === 'states') log?.push(`cycle ${event.snapshot.cycle}`);
          if (event.type === 'ceilings') log?.push('ceilings');
        },
      },
    ],
  });
  await run.ready;
  return { run, events };
}

/** Lets everything continue that waits for nothing but its turn. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}

describe('measuring beside a run', () => {
  it('begins after the first cycles, and a cycle that is asked for waits for one part at most', async () => {
    // Time does not pass: a part that a busy machine held up for a millisecond would be followed by a rest.
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const log: string[] = [];
    const { run } = await open(createReferenceBackend(), { log, measure: () => fakeMeasurement(3, log) });
    await Promise.all([1, 2, 3, 4, 5].map(() => run.step()));
    await settle();
    const cycles = ['cycle 0', 'cycle 1', 'cycle 2', 'cycle 3', 'cycle 4'];
    expect(log).toEqual([...cycles, 'part 1', 'part 2', 'part 3', 'ceilings']);

    const between: string[] = [];
    let breaths = 0;
    let next: Promise<void> | undefined;
    const other = await open(createReferenceBackend(), {
      log: between,
      measure: () => fakeMeasurement(4, between),
      // A cycle is asked for while the first part is waiting for its turn.
      yieldToEventLoop: () => {
        if (between.length === 3 && breaths++ === 0) next = other.run.step();
        return Promise.resolve();
      },
    });
    for (let n = 0; n < 3; n++) await other.run.step();
    await settle();
    await next;
    await settle();
    expect(between.slice(3)).toEqual(['part 1', 'cycle 3', 'part 2', 'part 3', 'part 4', 'ceilings']);
  });

  it('holds up a run that continues for a twentieth of its time, and makes the most of a pause', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    try {
      const [parts, begun]: [number[], number] = [[], performance.now()];
      let cycles = 0;
      const measurement: CeilingMeasurement = {
        open: () => Promise.resolve(),
        next() {
          parts.push(performance.now() - begun);
          return new Promise((resolve) => {
            setTimeout(() => resolve(parts.length < 8 ? 'unfinished' : CEILINGS), 20);
          });
        },
        stop: () => Promise.resolve(),
      };
      const emit = vi.fn();
      const run = {
        inTurn: (work: () => Promise<void>) => work(),
        yieldToEventLoop: () => Promise.resolve(),
        isOver: () => false,
      };
      measureInTurn(measurement, { ...run, cycles: () => cycles }, emit);
      for (; parts.length < 4; cycles++) await vi.advanceTimersByTimeAsync(50);
      // A part and its rest: 20 + 400 ms.
      expect(parts).toEqual([0, 420, 840, 1260]);
      // No cycle is computed any more, which is known a quarter of a second later; then part follows part.
      await vi.advanceTimersByTimeAsync(1000);
      expect(parts.slice(4)).toEqual([1680, 1950, 1970, 1990]);
      expect(emit).toHaveBeenCalledExactlyOnceWith(CEILINGS);
    } finally {
      vi.useRealTimers();
    }
  });

  it('continues after the last cycle of a short run', async () => {
    const log: string[] = [];
    const { run } = await open(createReferenceBackend(), {
      log,
      cycles: 2,
      measure: () => fakeMeasurement(2, log),
    });
    for (let n = 0; n < 3; n++) await run.step();
    await settle();
    expect(log).toEqual(['cycle 0', 'cycle 1', 'part 1', 'part 2', 'ceilings']);
  });

  it('is done after the first cycle, on the backend of the run, where a run has that in turn', async () => {
    const log: string[] = [];
    const { run } = await open(await createWasmBackend({ threads: 1 }), { log, ceilings: 'between', cycles: 3 });
    await run.play();
    expect(log).toEqual(['cycle 0', 'ceilings', 'cycle 1', 'cycle 2']);
    run.dispose();
  });

  it('is omitted where the ceilings are known, which are reported at once', async () => {
    const log: string[] = [];
    const measure = (): CeilingMeasurement => fakeMeasurement(1, log);
    const { run, events } = await open(createReferenceBackend(), { ceilings: CEILINGS, measure });
    const types = events.map(({ type }) => type).filter((type) => type === 'ready' || type === 'ceilings');
    expect(types).toEqual(['ready', 'ceilings']);
    for (let n = 0; n < 4; n++) await run.step();
    await settle();
    expect(log).toEqual([]);
  });

  it('reports nothing where it is given up, and the run continues', async () => {
    const log: string[] = [];
    const { run, events } = await open(createReferenceBackend(), {
      measure: () => fakeMeasurement(2, log, 'given-up'),
    });
    for (let n = 0; n < 6; n++) await run.step();
    await settle();
    expect(events.filter(({ type }) => type === 'ceilings' || type === 'failed')).toEqual([]);
    expect(events.at(-1)?.type).toBe('end');
  });

  it('ends with the run', async () => {
    const log: string[] = [];
    const { run, events } = await open(createReferenceBackend(), { measure: () => fakeMeasurement(1000, log) });
    for (let n = 0; n < 3; n++) await run.step();
    await settle();
    run.dispose();
    await settle();
    const parts = log.length;
    await settle();
    expect(log).toHaveLength(parts);
    expect(log.at(-1)).toBe('stop');
    expect(events.some(({ type }) => type === 'ceilings')).toBe(false);
  });
});

describe.each(runBackends.filter(({ name }) => name !== 'wasm'))('a run on $name', ({ name }) => {
  it('has the same bits and the same kernels with and without measuring', { timeout: 240_000 }, async () => {
    const gpu = name === 'webgpu' ? await requestDevice(await nodeGpu()) : undefined;
    const openBackend = async (): Promise<Backend> => (gpu ? createWebGpuBackend(gpu) : createReferenceBackend());
    const beside = async (): Promise<Backend | undefined> => (gpu ? openBeside(gpu) : createReferenceBackend());
    const outcome = async (options: Options) => {
      const backend = await openBackend();
      const { run, events } = await open(backend, options);
      // The last cycles come in between the parts.
      for (let n = 0; n < 6; n++) await run.step();
      const isOver = (): boolean => !options.measure || events.some(({ type }) => type === 'ceilings');
      await expect.poll(isOver, { timeout: 200_000 }).toBe(true);
      const checkpoint = await run.ask({ kind: 'checkpoint' });
      // The first cycle is timed in any case, later ones as often as their pace allows.
      const timed = events.flatMap((event) => (event.type === 'kernel' ? [event] : []));
      const first = timed.filter(({ cycle }) => cycle === 0);
      run.dispose();
      backend.dispose();
      return { checkpoint, first: first.map(({ sample }) => sample.name), all: timed.map(({ sample }) => sample.name) };
    };
    const without = await outcome({});
    const measured = await outcome({
      measure: () => createCeilingMeasurement(beside),
      yieldToEventLoop: () => new Promise((resolve) => setTimeout(resolve, 0)),
    });
    expect(measured.checkpoint).toEqual(without.checkpoint);
    expect(measured.first).toEqual(without.first);
    expect(measured.first.length).toBeGreaterThan(0);
    expect(measured.all.some((kernel) => kernel.startsWith('ceiling'))).toBe(false);
    gpu?.device.destroy();
  });
});

/** All parts of a measurement on the backend of the processor. */
async function measureAll(store: TuningStore | undefined): Promise<Ceilings | 'given-up'> {
  const measurement = createCeilingMeasurement(() => createWasmBackend(), store);
  let outcome = await measurement.next();
  while (outcome === 'unfinished') outcome = await measurement.next();
  return outcome;
}

describe('a measurement', () => {
  it('comes in parts to the same as in one piece', async () => {
    const measurement = createCeilingMeasurement(() => Promise.resolve(createReferenceBackend()));
    let parts = 0;
    let outcome = await measurement.next();
    for (; outcome === 'unfinished'; outcome = await measurement.next()) parts += 1;
    expect(parts).toBeGreaterThan(10);
    const whole = await measureCeilings(createReferenceBackend());
    expect(Object.keys(outcome)).toEqual(Object.keys(whole));
    expect(await measurement.next()).toBe('given-up');
  });

  it('continues to tune what is not known on its device, and keeps that for the next', async () => {
    const kept = new Map<string, TuningRecord>();
    const store: TuningStore = {
      find: (device) => Promise.resolve(kept.get(device)),
      keep: (record) => Promise.resolve(kept.set(record.device, record)),
    };
    expect(await measureAll(undefined)).toHaveProperty('copyGigabytesPerSecond');
    expect(kept.size).toBe(0);
    expect(await measureAll(store)).toHaveProperty('copyGigabytesPerSecond');
    const tasks = tuningTasks('wasm', 'runs');
    const [record] = kept.values();
    expect(tasks.map(({ sizeClass }) => sizeClass)).toContain(record.choices[0].sizeClass);
    // What is known is not measured again.
    const all = tasks.map(({ kernel, sizeClass }) => ({ kernel, sizeClass, variant: 'any', milliseconds: 1 }));
    const keepNothing = vi.fn<TuningStore['keep']>();
    await measureAll({ find: () => Promise.resolve({ ...record, choices: all }), keep: keepNothing });
    expect(keepNothing).not.toHaveBeenCalled();
  });

  it('keeps its ceilings where the tuning fails', async () => {
    const failing: TuningStore = {
      find: () => Promise.reject(new Error('no database')),
      keep: () => Promise.reject(new Error('no database')),
    };
    expect(await measureAll(failing)).toHaveProperty('copyGigabytesPerSecond');
  });

  it('waits for no database that has not kept the tuning yet', async () => {
    const slow: TuningStore = { find: () => Promise.resolve(undefined), keep: () => new Promise(() => undefined) };
    expect(await measureAll(slow)).toHaveProperty('copyGigabytesPerSecond');
  });

  it('holds up no run while its backend is being opened', async () => {
    const measurement = createCeilingMeasurement(() => new Promise(() => undefined));
    const inTurn = vi.fn((work: () => Promise<void>) => work());
    const run = { inTurn, yieldToEventLoop: () => Promise.resolve(), cycles: () => 3, isOver: () => false };
    measureInTurn(measurement, run, () => undefined);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(inTurn).not.toHaveBeenCalled();
  });

  it('is given up if there is no backend, and where that fails', async () => {
    expect(await createCeilingMeasurement(() => Promise.resolve(undefined)).next()).toBe('given-up');
    const failing = createCeilingMeasurement(() => Promise.reject(new Error('no device')));
    expect(await failing.next()).toBe('given-up');
    const backend = createReferenceBackend();
    const broken = createCeilingMeasurement(() => Promise.resolve(backend));
    expect(await broken.next()).toBe('unfinished');
    backend.settle = () => Promise.reject(new Error('the device is gone'));
    expect(await broken.next()).toBe('given-up');
    expect(() => backend.allocate('x', 'real', 1)).toThrow('dispose');
  });

  it('is stopped in the middle, with its backend freed', async () => {
    const backend = createReferenceBackend();
    const measurement = createCeilingMeasurement(() => Promise.resolve(backend));
    await measurement.next();
    await measurement.stop();
    expect(() => backend.allocate('x', 'real', 1)).toThrow('dispose');
    expect(await measurement.next()).toBe('given-up');
  });
});
