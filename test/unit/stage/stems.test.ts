import { describe, expect, test } from 'vitest';
import type { BasinInfo, SnapshotObservations } from '../../../engine/index.ts';
import { MAXIMUM_STEMS, innovationScale, stemData, stemSize } from '../../../app/stage/stems.ts';

const basin: BasinInfo = {
  nx: 10,
  ny: 10,
  dx: 1,
  dy: 1,
  periodicX: false,
  periodicY: false,
  bed: new Float32Array(100),
  gravity: 9.81,
  coriolis: 0,
};

function observations(count: number, missing: readonly number[] = []): SnapshotObservations {
  const x = Float64Array.from({ length: count }, (_, k) => k % 10);
  return {
    x,
    y: Float64Array.from({ length: count }, (_, k) => Math.floor(k / 10) % 10),
    variable: Array.from(x, () => 'h'),
    network: new Uint16Array(count),
    values: new Float64Array(count),
    inverseErrorStd: Float64Array.from(x, (_, k) => (missing.includes(k) ? 0 : 2)),
    innovations: { a: Float64Array.from(x, (_, k) => k - 1), b: new Float64Array(count) },
  };
}

describe('stems', () => {
  test('are where they observe, those that are missing not at all', () => {
    const data = stemData(observations(12, [0, 3]), basin, undefined, 1);
    expect(data.count).toBe(10);
    expect([data.cell[0], data.cell[1]]).toEqual([1, 0]);
    // Cell 1 of 10 in a scene from −1 to 1: its middle is at −0.7.
    expect(data.place[0]).toBeCloseTo(-0.7, 6);
    expect(data.place[1]).toBeCloseTo(0.9, 6);
    expect(data.tint.every((tint) => tint === 0)).toBe(true);
  });

  test('are tinted by the innovation against its scale', () => {
    const { innovations } = observations(5);
    const data = stemData(observations(5), basin, innovations['a'], 2);
    expect([...data.tint]).toEqual([-0.5, 0, 0.5, 1, 1.5]);
  });

  test('are thinned evenly when there are too many', () => {
    const side = 96;
    const places = Array.from({ length: side * side }, (_, k) => [k % side, Math.floor(k / side)] as const);
    const dense: SnapshotObservations = {
      ...observations(side * side),
      x: Float64Array.from(places, ([x]) => x),
      y: Float64Array.from(places, ([, y]) => y),
    };
    const data = stemData(dense, { ...basin, nx: side, ny: side, bed: new Float32Array(side * side) }, undefined, 1);
    // A third each way.
    expect(data.count).toBe(MAXIMUM_STEMS);
    const columns = new Set(data.cell.filter((_, n) => n % 2 === 0));
    expect([...columns].sort((a, b) => a - b)).toEqual(Array.from({ length: 32 }, (_, n) => 3 * n + 1));
  });

  test('that are in one place are drawn once if there are too many', () => {
    expect(stemData(observations(3 * MAXIMUM_STEMS), basin, undefined, 1).count).toBe(100);
  });

  test('step back by their weight, all alike if there is none', () => {
    const weights = Float64Array.of(1, 0.25, 0, 0.5);
    expect([...stemData(observations(4, [1]), basin, undefined, 1, weights).weight]).toEqual([1, 0, 0.5]);
    expect([...stemData(observations(4), basin, undefined, 1).weight]).toEqual([1, 1, 1, 1]);
    // Of a cycle with other observations nothing is known.
    expect([...stemData(observations(3), basin, undefined, 1, weights).weight]).toEqual([1, 1, 1]);
  });

  test('with weight are drawn before those without, if there are too many', () => {
    const crowd = observations(2 * MAXIMUM_STEMS);
    const weights = new Float64Array(2 * MAXIMUM_STEMS);
    weights[157] = 0.5;
    const { weight } = stemData(crowd, basin, undefined, 1, weights);
    expect(weight.filter((each) => each > 0)).toEqual(Float32Array.of(0.5));
  });

  test('grow smaller with their number, and never vanish', () => {
    expect(stemSize(1).radius).toBeGreaterThan(stemSize(1000).radius);
    expect(stemSize(1e6).radius).toBeGreaterThan(0.004);
  });
});

test('the scale is that of nearly all innovations, and 0 if there are none', () => {
  expect(innovationScale(observations(0))).toBe(0);
  expect(innovationScale(observations(3, [0, 1, 2]))).toBe(0);
  // |−1|, 1 … 98: the 95th of a hundred.
  expect(innovationScale(observations(100))).toBeGreaterThan(90);
});
