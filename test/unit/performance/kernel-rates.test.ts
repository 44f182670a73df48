import { describe, expect, it } from 'vitest';
import { boundOf, isSeen, ratesOf } from '../../../engine/index.ts';
import type { Ceilings, KernelWork } from '../../../engine/index.ts';
import { greatestStep, wallClockStep } from '../../../engine/performance/ceilings/index.ts';

const CEILINGS: Ceilings = {
  copyGigabytesPerSecond: 40,
  fmaGigaflopsPerSecond: 200,
  dispatchMicroseconds: 2,
  clock: 'device',
  tickMicroseconds: 0.5,
};

function work(changes: Partial<KernelWork> = {}): KernelWork {
  return { calls: 1, totalMicroseconds: 1000, clock: 'device', bytes: 20e6, flops: 10e6, ...changes };
}

/** A time as a clock shows it that continues in steps of 100. */
function readBy100(time: number): number {
  return 100 * Math.floor(time / 100);
}

describe('rates of a kernel', () => {
  it('are of bytes and operations over time, beside the ceiling that is nearer', () => {
    // 20 MB in 1 ms are 20 GB/s of 40; 10 MFLOP in 1 ms are 10 GFLOP/s of 200.
    expect(ratesOf(work(), CEILINGS)).toEqual({
      gigabytesPerSecond: 20,
      gigaflopsPerSecond: 10,
      bound: 'bandwidth',
      fractionOfCeiling: 0.5,
    });
    expect(ratesOf(work({ flops: 180e6 }), CEILINGS)).toMatchObject({ bound: 'arithmetic', fractionOfCeiling: 0.9 });
  });

  it.each([
    // The machine's balance is 5 operations a byte.
    [4.9, 'bandwidth'],
    [5.1, 'arithmetic'],
  ])('change their ceiling at the balance of the machine: %d operations a byte', (intensity, bound) => {
    expect(boundOf({ bytes: 1e6, flops: intensity * 1e6 }, CEILINGS)).toBe(bound);
  });

  it('have no ceiling if none was measured, or the kernel moves and computes nothing', () => {
    expect(ratesOf(work({ totalMicroseconds: 1e6 }), undefined)).toMatchObject({
      gigabytesPerSecond: 0.02,
      bound: null,
      fractionOfCeiling: null,
    });
    expect(ratesOf(work({ bytes: 0, flops: 0 }), CEILINGS)).toMatchObject({ bound: null, fractionOfCeiling: null });
  });

  it('are above the ceiling where the data comes from a cache', () => {
    expect(ratesOf(work({ bytes: 80e6 }), CEILINGS).fractionOfCeiling).toBe(2);
  });
});

describe('a clock that continues in steps', () => {
  const coarse: Ceilings = { ...CEILINGS, tickMicroseconds: 100 };

  it('has seen a call of many steps, and not one of a few', () => {
    // A triangular error of one step: √(1/6) of 100 µs, a tenth of 408 µs.
    expect(isSeen(work({ totalMicroseconds: 409 }), coarse)).toBe(true);
    expect(isSeen(work({ totalMicroseconds: 408 }), coarse)).toBe(false);
    expect(ratesOf(work({ totalMicroseconds: 300 }), coarse)).toEqual({
      gigabytesPerSecond: null,
      gigaflopsPerSecond: null,
      bound: 'bandwidth',
      fractionOfCeiling: null,
    });
  });

  it('sees short calls when there are many: the error of a sum grows with the root of their number', () => {
    const short = { calls: 10_000, totalMicroseconds: 10_000 * 5 };
    expect(isSeen(work(short), coarse)).toBe(true);
    expect(isSeen(work({ calls: 100, totalMicroseconds: 500 }), coarse)).toBe(false);
  });

  it('is taken for the coarsest there is while its step is unknown, or is that of another clock', () => {
    expect(isSeen(work({ totalMicroseconds: 300 }), undefined)).toBe(false);
    expect(isSeen(work({ totalMicroseconds: 300, clock: 'wall' }), CEILINGS)).toBe(false);
    expect(isSeen(work({ totalMicroseconds: 300 }), CEILINGS)).toBe(true);
  });

  it('errs as much as is reckoned with', () => {
    // Calls of all lengths up to a step, begun at all places between two steps.
    const evenly = Array.from({ length: 100 }, (_, n) => n + 0.5);
    const errors = evenly.flatMap((begin) => evenly.map((long) => readBy100(begin + long) - readBy100(begin) - long));
    const variance = errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length;
    const deviationOfSum = Math.sqrt(50 * variance);
    expect(isSeen(work({ calls: 50, totalMicroseconds: 10.05 * deviationOfSum }), coarse)).toBe(true);
    expect(isSeen(work({ calls: 50, totalMicroseconds: 9.95 * deviationOfSum }), coarse)).toBe(false);
  });

  it('shows its step in the times that it gives', () => {
    expect(greatestStep([0, 131.072, 65.536, 196.608])).toBeCloseTo(65.536, 9);
    expect(greatestStep([5.024, 3.2, 12.032])).toBeCloseTo(0.032, 9);
    expect(greatestStep([0, 0])).toBe(0);
  });

  it('shows its step when it is read again and again, and a clock that does not advance ends the wait', () => {
    let reads = 0;
    expect(wallClockStep(() => Math.floor((reads += 1) / 7) * 0.1)).toBeCloseTo(100, 9);
    let turns = 0;
    expect(wallClockStep(() => ((turns += 1) > 1_000 ? 100 : 0))).toBe(20_000);
    const here = wallClockStep();
    expect(here).toBeGreaterThan(0);
    expect(here).toBeLessThan(1000);
  });
});
