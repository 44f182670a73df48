import { expect, it } from 'vitest';
import { addTimings, NO_KERNELS, removeTimings, timingsOf } from '../../../engine/index.ts';

const cycleOf = (...times: readonly number[]) =>
  timingsOf(
    times.map((microseconds) => ({ name: 'step', begin: 0, microseconds, clock: 'wall', bytes: 10, flops: 4 })),
  );

it('keeps of a whole run the calls, their time, the least, the most, bytes and operations', () => {
  const totals = [cycleOf(3, 8), cycleOf(1), cycleOf(5, 5, 9)].reduce(
    (sum, timings) => addTimings(sum, timings),
    NO_KERNELS,
  );
  expect(totals).toEqual({
    cycles: 3,
    kernels: [
      {
        name: 'step',
        calls: 6,
        totalMicroseconds: 31,
        minimumMicroseconds: 1,
        maximumMicroseconds: 9,
        clock: 'wall',
        bytes: 60,
        flops: 24,
        workgroup: null,
      },
    ],
  });
});

it('stays as large as it is, however long the run', () => {
  let totals = NO_KERNELS;
  for (let cycle = 0; cycle < 5000; cycle++) totals = addTimings(totals, cycleOf(1, 2));
  expect(totals.kernels).toHaveLength(1);
  expect(totals).toMatchObject({ cycles: 5000, kernels: [{ calls: 10_000, totalMicroseconds: 15_000 }] });
});

it('takes cycles out again that are done again', () => {
  const before = addTimings(NO_KERNELS, cycleOf(3, 8));
  const again = cycleOf(2, 2);
  expect(removeTimings(addTimings(before, again), again).kernels[0]).toEqual({
    ...before.kernels[0],
    minimumMicroseconds: 2,
  });
  expect(removeTimings(before, cycleOf(3, 8))).toEqual(NO_KERNELS);
  expect(removeTimings(NO_KERNELS, cycleOf(1))).toEqual(NO_KERNELS);
});
