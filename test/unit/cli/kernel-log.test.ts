import { expect, it } from 'vitest';
import { createKernelLog, median } from '../../../engine/performance/kernel-log.ts';

const sample = (name: string, microseconds: number) =>
  ({ name, microseconds, clock: 'device', bytes: 6000, flops: 3000 }) as const;

it('adds up the calls of one kernel in one cycle', () => {
  const log = createKernelLog('webgpu', [64, 32]);
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
      medianMicroseconds: 2,
      totalMicroseconds: 12,
      clock: 'device',
      bytes: 18_000,
      flops: 9000,
      gigabytesPerSecond: 1.5,
      gigaflopsPerSecond: 0.75,
      workgroup: null,
      fractionOfCeiling: null,
    },
    expect.objectContaining({ cycle: 0, name: 'analysis', calls: 1 }),
  ]);
  expect(log.take().map(({ cycle }) => cycle)).toEqual([1]);
  expect(log.take()).toEqual([]);
});

it('measures a kernel against the nearer ceiling of the machine', () => {
  const log = createKernelLog('webgpu', [64, 32]);
  log.add(0, { ...sample('step', 3), workgroup: [32, 4] });
  log.compareWith({ copyGigabytesPerSecond: 4, fmaGigaflopsPerSecond: 100 });
  // 6000 bytes in 3 µs are 2 GB/s, half of the copy; 3000 operations are 1 GFLOP/s, a hundredth.
  expect(log.take()[0]).toMatchObject({ workgroup: [32, 4], fractionOfCeiling: 0.5 });
});

it('gives no rate where the clock saw no time', () => {
  const log = createKernelLog('webgpu', [1, 1]);
  log.add(0, sample('step', 0));
  expect(log.take()[0]).toMatchObject({ gigabytesPerSecond: 0, gigaflopsPerSecond: 0 });
});

it('takes the middle of an odd and of an even number of values', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
});
