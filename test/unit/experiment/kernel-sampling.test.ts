import { describe, expect, it } from 'vitest';
import { createKernelSampling } from '../../../engine/experiment/cycle-trace.ts';

/** How many of `cycles` cycles are timed, which take so long and have so many kernels. */
function timedOf(cycles: number, milliseconds: number, dispatches: number, timingMicroseconds: number): boolean[] {
  const counts = { waits: 0, submissions: 0, dispatches: 0 };
  const sampling = createKernelSampling({ counts: () => ({ ...counts }), timingMicroseconds });
  return Array.from({ length: cycles }, () => {
    const isTimed = sampling.begin();
    counts.dispatches += dispatches;
    sampling.end();
    sampling.took(milliseconds);
    return isTimed;
  });
}

describe('the kernels are timed', () => {
  it('in every cycle where cycles are slow', () => {
    // 100 kernels of 20 µs: 2 ms of 140 ms.
    expect(timedOf(50, 140, 100, 20)).not.toContain(false);
  });

  it('in every cycle where timing costs nothing', () => {
    expect(timedOf(50, 0.1, 1000, 0)).not.toContain(false);
  });

  it('in as many as keep its cost at one and a half per cent where they are quick, and in the first', () => {
    const timed = timedOf(1000, 2.5, 100, 20);
    expect(timed[0]).toBe(true);
    const cost = 2 * timed.filter(Boolean).length;
    expect(cost).toBeLessThanOrEqual(0.015 * 1000 * 2.5 + 2);
    expect(cost).toBeGreaterThanOrEqual(0.015 * 1000 * 2.5 - 2);
  });
});
