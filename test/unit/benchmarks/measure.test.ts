/** How workloads are timed, with a clock and a backend that only the runs move on. */
import { describe, expect, it } from 'vitest';
import { createReferenceBackend, measure, median, StoppedError } from '../../../engine/index.ts';
import type { Backend, Ceilings, KernelSample, Workload } from '../../../engine/index.ts';

const ceilings: Ceilings = {
  copyGigabytesPerSecond: 100,
  fmaGigaflopsPerSecond: 1000,
  dispatchMicroseconds: 1,
  clock: 'wall',
  tickMicroseconds: 1,
};

interface Stage {
  readonly backend: Backend;
  readonly workload: Workload;
  readonly now: () => number;
  /** When each run began, milliseconds. */
  readonly begins: number[];
  readonly resets: () => number;
  readonly verified: () => boolean;
}

interface Script {
  /** Milliseconds of run n, from 0. */
  readonly milliseconds: (n: number) => number;
  /** What the device's clock says of run n. */
  readonly passes?: (n: number) => readonly Pick<KernelSample, 'microseconds' | 'clock'>[];
  readonly kind?: Workload['kind'];
}

function stage({ milliseconds, passes = () => [], kind = 'operator' }: Script): Stage {
  let time = 0;
  let resets = 0;
  let verified = false;
  const begins: number[] = [];
  const listeners = new Set<(sample: KernelSample) => void>();
  const backend: Backend = Object.assign(createReferenceBackend(), {
    onKernel: (listener: (sample: KernelSample) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  });
  const work = { name: 'stub', bytes: 10, flops: 20 };
  const workload: Workload = {
    kind,
    cost: kind === 'whole' ? undefined : { bytes: 1000, flops: 2000 },
    reset: () => {
      resets += 1;
    },
    run: () => {
      const n = begins.push(time) - 1;
      time += milliseconds(n);
      for (const pass of passes(n)) for (const listener of listeners) listener({ ...work, begin: time, ...pass });
    },
    result: () => Promise.resolve(Float64Array.of(begins.length)),
    verify: () => {
      verified = true;
      return Promise.resolve();
    },
    dispose: () => undefined,
  };
  return { backend, workload, now: () => time, begins, resets: () => resets, verified: () => verified };
}

const device = (microseconds: number) => ({ microseconds, clock: 'device' as const });

describe('measure', () => {
  it('warms up for half a second, then times batches that a wall clock can see', async () => {
    // Ten times slower until the machine has been at work for 0.4 s.
    const { backend, workload, now, begins, resets, verified } = stage({
      milliseconds: () => (begins.length > 0 && now() > 400 ? 0.1 : 1),
    });
    const measured = await measure(backend, workload, { ceilings, now });
    expect(measured.microseconds.length).toBeGreaterThanOrEqual(7);
    for (const microseconds of measured.microseconds) expect(microseconds).toBeCloseTo(100, 6);
    expect(measured).toMatchObject({
      clock: 'wall',
      cost: { bytes: 1000, flops: 2000 },
      tooLongMilliseconds: undefined,
    });
    // The result is that of the first run.
    expect(measured.result).toEqual(Float64Array.of(1));
    // What runs change is put back at least every sixteen of them.
    expect(resets()).toBeGreaterThanOrEqual(begins.length / 16);
    expect(verified()).toBe(true);
  });

  it('is taken again where the machine changed its pace meanwhile, and the steadiest counts', async () => {
    // After the warm-up, three runs in four are three times slower for a while: a GPU that wakes late.
    const { backend, workload, now } = stage({
      milliseconds: () => 2,
      passes: (n) => [device(n < 400 && n % 4 > 0 ? 300 : 100)],
    });
    const measured = await measure(backend, workload, { ceilings: { ...ceilings, clock: 'device' }, now });
    expect(median(measured.microseconds)).toBe(100);
  });

  it('takes the times of the device, those of all passes of a run together', async () => {
    const { backend, workload, now } = stage({
      milliseconds: () => 2,
      passes: (n) => [device(n % 2 === 0 ? 700 : 800), device(300)],
    });
    const measured = await measure(backend, workload, { ceilings: { ...ceilings, clock: 'device' }, now });
    expect(measured.clock).toBe('device');
    expect(measured.microseconds).toHaveLength(100);
    expect(new Set(measured.microseconds)).toEqual(new Set([1000, 1100]));
  });

  it('falls back on the wall clock where the device lost a time', async () => {
    const { backend, workload, now } = stage({
      milliseconds: () => 2,
      passes: (n) => (n % 5 === 0 ? [] : [device(1)]),
    });
    const measured = await measure(backend, workload, { ceilings: { ...ceilings, clock: 'device' }, now });
    expect(measured.clock).toBe('wall');
    for (const microseconds of measured.microseconds) expect(microseconds).toBeCloseTo(2000, 6);
  });

  it.each([
    // The first run and those of the warm-up come before.
    [100, 7, 1 + 5 + 7, undefined],
    [3000, 6, 1 + 1 + 6, 3000],
    [25_000, 1, 1, 25_000],
  ])('has runs of %d ms %d times, and says when those are fewer than wanted', async (long, entries, runs, tooLong) => {
    const { backend, workload, now, begins } = stage({ milliseconds: () => long });
    const measured = await measure(backend, workload, { ceilings, now });
    expect(measured.microseconds).toHaveLength(entries);
    expect(measured.tooLongMilliseconds).toBe(tooLong);
    expect(begins).toHaveLength(runs);
  });

  it('takes no longer than its budget', async () => {
    const budget = { milliseconds: 50, longestMilliseconds: 300 };
    const quick = stage({ milliseconds: () => 1 });
    await measure(quick.backend, quick.workload, { ceilings, now: quick.now, budget });
    // The first run, the warm-up and the timing, the last batch of each too long by itself at most.
    expect(quick.now()).toBeLessThan(1 + 2 * 50 + 7 * 20 + 50);
    const slow = stage({ milliseconds: () => 100 });
    const measured = await measure(slow.backend, slow.workload, { ceilings, now: slow.now, budget });
    expect(measured).toMatchObject({ tooLongMilliseconds: 100 });
    expect(measured.microseconds).toHaveLength(3);
  });

  it('adds up the kernels of a whole, one of its runs after the other', async () => {
    const { backend, workload, now } = stage({
      milliseconds: () => 50,
      passes: () => [device(1000), device(3000)],
      kind: 'whole',
    });
    const measured = await measure(backend, workload, { ceilings: { ...ceilings, clock: 'device' }, now });
    expect(measured.clock).toBe('wall');
    expect(measured.microseconds).toHaveLength(10);
    expect(measured.cost).toEqual({ bytes: 20, flops: 40 });
    expect(measured.whole?.kernelMilliseconds).toBeCloseTo(4, 12);
  });

  it('stops between runs', async () => {
    const { backend, workload, now, begins } = stage({ milliseconds: () => 100 });
    const stopping = new AbortController();
    const pause = (): Promise<void> => {
      if (begins.length === 3) stopping.abort();
      return Promise.resolve();
    };
    await expect(measure(backend, workload, { ceilings, now, pause, signal: stopping.signal })).rejects.toThrow(
      StoppedError,
    );
    expect(begins).toHaveLength(3);
  });
});
