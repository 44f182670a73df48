import { describe, expect, it } from 'vitest';
import {
  benchmarksOf,
  compareWithPublished,
  createReferenceBackend,
  largestError,
  rowOf,
} from '../../../engine/index.ts';
import type { Benchmark, Ceilings, Judgement, Measurement } from '../../../engine/index.ts';

const ceilings: Ceilings = {
  copyGigabytesPerSecond: 40,
  fmaGigaflopsPerSecond: 20,
  dispatchMicroseconds: 1,
  clock: 'wall',
  tickMicroseconds: 0.1,
};
const measurement: Measurement = {
  microseconds: [3000, 2000, 2500],
  clock: 'wall',
  cost: { bytes: 20e6, flops: 2e6 },
  whole: undefined,
  result: Float64Array.of(1),
  tooLongMilliseconds: undefined,
};
const [volume] = benchmarksOf(['convolution'], 'usual');

function row(benchmark: Benchmark, change: Partial<Measurement> = {}, judgement?: Judgement) {
  return rowOf(benchmark, createReferenceBackend(), { ...measurement, ...change }, ceilings, { reference: judgement });
}

describe('a row', () => {
  it('has the least and the median time, the rates at the least, and the share of the nearer ceiling', () => {
    const told = row(volume, {}, { error: 1e-9 });
    expect(told).toMatchObject({
      suite: 'convolution',
      name: 'convolution-124x132x130',
      backend: 'reference',
      threads: 1,
      milliseconds: 2,
      median: 2.5,
      runs: 3,
      clock: 'wall',
      bound: 'bandwidth',
      errorAgainstReference: 1e-9,
      notes: [],
    });
    // 20 MB and 2 Mflop in 2 ms.
    expect(told.GBs).toBeCloseTo(10, 12);
    expect(told.GFLOPs).toBeCloseTo(1, 12);
    expect(told.fractionOfCeiling).toBeCloseTo(0.25, 12);
  });

  it('is beside what was published, in the same unit', () => {
    // 124 · 132 · 130 points, 3 axes, 16 taps, 2 operations each.
    const ours = (124 * 132 * 130 * 96) / 2e-3 / 1e9;
    const { published, otherPublished } = row(volume);
    expect(published).toMatchObject({ value: 118, unit: 'GFLOP/s', hardware: 'HD 6970, in blocks' });
    expect(published?.measured).toBeCloseTo(ours, 9);
    expect(published?.ratio).toBeCloseTo(ours / 118, 9);
    expect(otherPublished.map(({ value }) => value)).toEqual([105]);
  });

  it('says what is missing, and why', () => {
    const told = row(volume, { tooLongMilliseconds: 4321 }, { absent: 'no error: nobody waited' });
    expect(told.errorAgainstReference).toBeNull();
    expect(told.notes).toEqual(['3 runs only, since one takes 4.3 s', 'no error: nobody waited']);
    expect(row(volume, {}, { error: Infinity })).toMatchObject({
      errorAgainstReference: null,
      notes: ['no error: a result is not a number'],
    });
    expect(row(volume, { microseconds: [1000, 3000, 3100] }).notes).toEqual([
      'unsteady: the median is 3.0 times the best',
    ]);
    // Shorter than the clock can measure: no rate, rather than a wrong one.
    expect(row(volume, { microseconds: [0.05] })).toMatchObject({ GBs: null, GFLOPs: null, fractionOfCeiling: null });
  });
});

describe('a published figure', () => {
  const figure = { unit: 's', hardware: 'h', source: 's' };
  it('of time is beaten by a shorter one, of a rate by a higher one', () => {
    const seconds = {
      ...figure,
      value: 4,
      largerIsBetter: false,
      measured: (milliseconds: number) => milliseconds / 1000,
    };
    expect(compareWithPublished(seconds, 2)).toMatchObject({ measured: 0.002, ratio: 2000 });
    const rate = { ...figure, value: 4, largerIsBetter: true, measured: (milliseconds: number) => 16 / milliseconds };
    expect(compareWithPublished(rate, 2)).toMatchObject({ measured: 8, ratio: 2 });
  });

  it('that cannot be compared has no ratio', () => {
    const ratio = { ...figure, value: 92.7, largerIsBetter: true, measured: undefined };
    expect(compareWithPublished(ratio, 2)).toMatchObject({ value: 92.7, measured: null, ratio: null });
  });
});

describe('the largest error', () => {
  it('is relative to the largest expected value, and absolute below 1', () => {
    expect(largestError(Float64Array.of(10, 3), Float64Array.of(10, 4))).toBeCloseTo(0.1, 15);
    expect(largestError(Float64Array.of(0.1), Float64Array.of(0.3))).toBeCloseTo(0.2, 15);
  });

  it('is infinite where a value is no number, or values are missing', () => {
    expect(largestError(Float64Array.of(NaN), Float64Array.of(1))).toBe(Infinity);
    expect(largestError(Float64Array.of(1), Float64Array.of(1, 2))).toBe(Infinity);
  });
});
