import { describe, expect, it } from 'vitest';
import { type Beyond, beyondMark, layoutStrip, stripWords } from '../../../app/figures/consistency-rows.ts';

const GOOD = [0.8, 1.2] as const;

/** Places of the mark's corners, pixels from the strip's end. */
function xs(beyond: Beyond): number[] {
  return beyondMark(beyond)
    .split(' ')
    .map((point) => Number(point.split(',')[0]));
}

describe('a strip', () => {
  it('has what is good in its middle, the value and its interval where they are', () => {
    const { good, value, beyond, interval } = layoutStrip({ value: 1, interval: [0.9, 1.2] }, GOOD);
    expect(value).toBeCloseTo((good[0] + good[1]) / 2, 12);
    expect(beyond).toBeUndefined();
    expect(interval?.[0]).toBeCloseTo(0.4, 12);
    expect(interval?.[1]).toBeCloseTo(good[1], 12);
  });

  it('says of a value beyond an end which end it is, and cuts its interval off there', () => {
    expect(layoutStrip({ value: 9, interval: [1.2, 12] }, GOOD)).toMatchObject({ value: 1, beyond: 'high' });
    expect(layoutStrip({ value: 9, interval: [1.2, 12] }, GOOD).interval?.[1]).toBe(1);
    // All of it beyond: there is nothing about it to draw.
    expect(layoutStrip({ value: -9, interval: [-12, -7] }, GOOD)).toMatchObject({
      value: 0,
      beyond: 'low',
      interval: undefined,
    });
  });

  it('points outwards from its end', () => {
    expect(Math.max(...xs('high'))).toBe(0);
    expect(Math.min(...xs('low'))).toBe(0);
  });

  it('is reported in words with its value, its unit, and where it is', () => {
    expect(stripWords({ value: 9, unit: '%', interval: [7, 12], good: GOOD })).toBe(
      '9.00\u00a0%; beyond the right end of the strip; 95 % from 7.00 to 12.0\u00a0%; good from 0.8 to 1.2\u00a0%',
    );
    expect(stripWords({ value: 1, unit: '', interval: undefined, good: GOOD })).toBe(
      '1.00; no interval yet; good from 0.8 to 1.2',
    );
  });
});
