/** P_HT of a small basin against its definition, on each backend. */
import { describe, expect, it } from 'vitest';
import { gainOfBasin } from '../../../../engine/papers/gain-covariance/index.ts';
import { backends } from '../../../setup/backends.ts';

const question = { side: 7, members: 5, observations: 6, halfWidth: 1.5 };
const [n, m] = [question.side ** 2, question.observations];

describe.each(backends)('P_HT and its parts on $name', ({ open, precision }) => {
  const absolute = precision === 'float64' ? 1e-14 : 1e-6;

  it('are a taper times a covariance, and that times Hᵀ', async () => {
    const { h, taper, taperRow, sample, tapered, pht, x, y } = await gainOfBasin(await open(), question);
    expect(taper.subarray(0, n)).toEqual(taperRow);
    const product = sample.map((value, at) => value * taper[at]);
    expect(tapered).toBeClose(product, { absolute });
    expect(pht).toBeClose(
      Float64Array.from({ length: n * m }, (_, at) => {
        const [i, j] = [Math.floor(at / m), at % m];
        return h.subarray(j * n, (j + 1) * n).reduce((sum, weight, k) => sum + tapered[i * n + k] * weight, 0);
      }),
      { absolute },
    );
    for (let j = 0; j < m; j++) {
      const row = h.subarray(j * n, (j + 1) * n);
      expect(row.reduce((sum, weight) => sum + weight)).toBeCloseTo(1, 12);
      expect(row.reduce((sum, weight, k) => sum + weight * (k % question.side), 0)).toBeCloseTo(x[j], 12);
      expect(row.reduce((sum, weight, k) => sum + weight * Math.floor(k / question.side), 0)).toBeCloseTo(y[j], 12);
    }
  });

  it('have a covariance that is symmetric, with rank below the members', async () => {
    const { sample } = await gainOfBasin(await open(), { ...question, members: 2 });
    const at = (i: number, j: number): number => sample[i * n + j];
    const scale = Math.abs(at(0, 0));
    for (const [i, j] of [
      [3, 40],
      [12, 25],
      [48, 0],
    ] as const) {
      expect(Math.abs(at(i, j) - at(j, i))).toBeLessThanOrEqual(absolute);
      // Two members have one direction: every minor is 0.
      expect(Math.abs(at(i, i) * at(j, j) - at(i, j) * at(j, i))).toBeLessThanOrEqual(absolute);
    }
    expect(scale).toBeGreaterThan(0);
  });
});
