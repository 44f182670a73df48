import { describe, expect, it } from 'vitest';
import { createClockCorrelation } from '../../../engine/compute/webgpu/clock.ts';

/** The device's clock is the host's less this, ms. */
const OFFSET = 1234.5;

/** A submission at a time of the host: the device begins after `delay` and works for `work`, the host learns of it `lag` later. */
function submission(at: number, delay: number, work: number, lag: number, offset = OFFSET) {
  const begun = at + delay - offset;
  return { submitted: at, begun, ended: begun + work, arrived: at + delay + work + lag };
}

describe('the correlation of two clocks', () => {
  it('knows nothing before anything was observed', () => {
    const correlation = createClockCorrelation();
    expect(correlation.errorMilliseconds).toBe(Infinity);
    expect(correlation.toHost(1)).toBeNaN();
  });

  it('is within what each submission leaves open, and the better the more there are', () => {
    const correlation = createClockCorrelation();
    const delays = [3, 0.2, 5, 0.05];
    const lags = [0.4, 2, 0.1, 7];
    let widest = Infinity;
    delays.forEach((delay, n) => {
      correlation.observe(submission(10 * n, delay, 1, lags[n]));
      const width = Math.min(...delays.slice(0, n + 1)) + Math.min(...lags.slice(0, n + 1));
      expect(correlation.errorMilliseconds).toBeCloseTo(width / 2, 9);
      expect(correlation.errorMilliseconds).toBeLessThanOrEqual(widest);
      expect(Math.abs(correlation.toHost(0) - OFFSET)).toBeLessThanOrEqual(correlation.errorMilliseconds + 1e-9);
      widest = correlation.errorMilliseconds;
    });
  });

  it('continues from what it sees where the clocks have drifted apart', () => {
    const correlation = createClockCorrelation();
    correlation.observe(submission(0, 0.1, 1, 0.1));
    correlation.observe(submission(1e6, 0.1, 1, 0.1, OFFSET + 1));
    expect(correlation.toHost(0)).toBeCloseTo(OFFSET + 1, 9);
    expect(correlation.errorMilliseconds).toBeCloseTo(0.1, 9);
  });

  it('passes over a device whose clock goes backwards', () => {
    const correlation = createClockCorrelation();
    correlation.observe(submission(0, 0.1, 1, 0.1));
    correlation.observe({ submitted: 5, begun: 100, ended: 0, arrived: 6 });
    correlation.observe({ submitted: 5, begun: 0, ended: 100, arrived: 6 });
    expect(correlation.toHost(0)).toBeCloseTo(OFFSET, 9);
  });
});
