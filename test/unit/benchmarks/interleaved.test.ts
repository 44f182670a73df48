import { describe, expect, it } from 'vitest';
import { timeInterleaved } from '../../bench/regression/interleaved.ts';

/** A machine on which something else takes its turn: every third batch lasts ten times as long. */
function busyMachine(firstMilliseconds: number, secondMilliseconds: number) {
  let time = 0;
  let batches = 0;
  const order: string[] = [];
  const runs = (name: string, milliseconds: number) => (count: number) => {
    batches += 1;
    order.push(name);
    time += count * milliseconds * (batches % 3 === 0 ? 10 : 1);
    return Promise.resolve();
  };
  return {
    first: runs('first', firstMilliseconds),
    second: runs('second', secondMilliseconds),
    now: () => time,
    order,
  };
}

describe('interleaved times', () => {
  it('are those of undisturbed batches', async () => {
    const { first, second, now, order } = busyMachine(3, 0.02);
    const times = await timeInterleaved(first, second, { budgetMilliseconds: 50, leastBatches: 6, now });
    expect(times.first).toBeCloseTo(3, 12);
    expect(times.second).toBeCloseTo(0.02, 12);
    // In turn, once their sizes are found.
    const last = order.slice(-8);
    expect(last).toEqual(['first', 'second', 'first', 'second', 'first', 'second', 'first', 'second']);
  });

  it('take batches that a clock can see, and enough of them', async () => {
    let longest = 0;
    let time = 0;
    const runs = (count: number): Promise<void> => {
      longest = Math.max(longest, count);
      time += count * 0.01;
      return Promise.resolve();
    };
    const times = await timeInterleaved(runs, runs, { budgetMilliseconds: 0, leastBatches: 5, now: () => time });
    expect(times.second).toBeCloseTo(0.01, 12);
    // 2 ms of runs of 10 µs are 200; sizes are powers of two.
    expect(longest).toBe(256);
  });
});
