import { expect, it } from 'vitest';
import { createKernelLog } from '../../../engine/performance/kernel-totals.ts';
import { median, timingsOf } from '../../../engine/index.ts';
import type { Ceilings } from '../../../engine/index.ts';

const place = { backend: 'webgpu', grid: [64, 32], ceilings: undefined } as const;
const sample = (name: string, microseconds: number) =>
  ({ name, begin: 0, microseconds, clock: 'device', bytes: 6000, flops: 3000 }) as const;
const CEILINGS: Ceilings = {
  copyGigabytesPerSecond: 4,
  fmaGigaflopsPerSecond: 100,
  dispatchMicroseconds: 1,
  clock: 'device',
  tickMicroseconds: 0.001,
};

it('adds up the calls of one kernel in one cycle, and in the whole run', () => {
  const log = createKernelLog(place);
  log.compareWith(CEILINGS);
  for (const time of [1, 9, 2]) log.add(0, sample('step', time));
  log.add(0, sample('analysis', 4));
  log.add(1, sample('step', 5));
  expect(log.take(1)).toEqual([
    {
      cycle: 0,
      name: 'step',
      backend: 'webgpu',
      grid: [64, 32],
      calls: 3,
      minimumMicroseconds: 1,
      medianMicroseconds: 2,
      maximumMicroseconds: 9,
      totalMicroseconds: 12,
      clock: 'device',
      bytes: 18_000,
      flops: 9000,
      gigabytesPerSecond: 1.5,
      gigaflopsPerSecond: 0.75,
      workgroup: null,
      bound: 'bandwidth',
      fractionOfCeiling: 0.375,
    },
    expect.objectContaining({ cycle: 0, name: 'analysis', calls: 1 }),
  ]);
  expect(log.totals.cycles).toBe(1);
  expect(log.take().map(({ cycle }) => cycle)).toEqual([1]);
  expect(log.take()).toEqual([]);
  expect(log.totals).toMatchObject({
    cycles: 2,
    kernels: [
      { name: 'step', calls: 4, totalMicroseconds: 17, minimumMicroseconds: 1, maximumMicroseconds: 9, bytes: 24_000 },
      { name: 'analysis', calls: 1 },
    ],
  });
});

it('gives no rate where the clock saw no time', () => {
  const log = createKernelLog({ ...place, ceilings: CEILINGS });
  log.add(0, sample('step', 0));
  expect(log.take()[0]).toMatchObject({ gigabytesPerSecond: null, gigaflopsPerSecond: null, fractionOfCeiling: null });
});

it('separates times of one kernel by two clocks', () => {
  const timings = timingsOf([sample('step', 1), { ...sample('step', 50), clock: 'wall' }]);
  expect(timings.map(({ clock, calls, workgroup }) => [clock, calls, workgroup])).toEqual([
    ['device', 1, null],
    ['wall', 1, null],
  ]);
});

it('takes the middle of an odd and of an even number of values', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
});
