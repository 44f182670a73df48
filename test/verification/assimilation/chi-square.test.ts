/** χ²/p is 1 where the statistics of a method are right: over many draws of backgrounds and observations. */
import { describe, expect, it } from 'vitest';
import { createReferenceBackend } from '../../../engine/index.ts';
import { apply } from '../../../engine/check/assimilation/dense.ts';
import { normals } from '../../../engine/check/measures.ts';
import { method, variational } from '../../../engine/check/assimilation/set-up.ts';
import type { Observed } from '../../../engine/check/assimilation/set-up.ts';
import { COUNT, DEVIATIONS, LENGTH, analysed, background, observe, observed, squareRoot } from './observed-basin.ts';

const linear: Observed = {
  ...observed,
  variable: Array.from({ length: COUNT }, (_, j) => ['eta', 'hu', 'hv'][j % 3]),
};

/** dᵀS⁻¹d/p of many innovations, each of a background and of observations drawn again. */
async function mean(draws: number, one: (draw: number) => Promise<number>): Promise<number> {
  let sum = 0;
  for (let draw = 0; draw < draws; draw++) sum += await one(draw);
  return sum / (draws * COUNT);
}

describe('χ² where the statistics are right, float64', () => {
  it('3D-Var: 2J/p is 1 within four standard deviations of its mean over draws, √(2/(p N))', async () => {
    const backend = createReferenceBackend();
    const covariance = {
      kind: 'recursive-filter',
      length: 4,
      standardDeviation: DEVIATIONS,
      balance: 'geostrophic',
    } as const;
    const root = await squareRoot(covariance);
    const draws = 60;
    const found = await mean(draws, async (draw) => {
      const error = apply(root, normals(root[0].length, 'misfit.background', draw));
      const noise = normals(COUNT, 'misfit.noise', draw);
      const truth = background.map((value, e) => value + error[e]);
      const values = observe(truth, linear).map((value, j) => value + noise[j] / linear.inverseErrorStd[j]);
      const { report } = await analysed(backend, variational(covariance), background, { ...linear, values });
      return 2 * (report.minimisation?.cost.at(-1) ?? Number.NaN);
    });
    backend.dispose();
    expect(found).toBeClose(1, { absolute: 4 * Math.sqrt(2 / (COUNT * draws)) });
  });

  it.each(['letkf', 'enkf', 'eakf'] as const)(
    '%s without a taper: (k − 1)/(k − p − 2) at most, more than 1 for the sampling of S, within four standard deviations',
    async (kind) => {
      const backend = createReferenceBackend();
      const settings = method({ kind, localisation: { halfWidth: 1e9 } });
      const [members, draws] = [200, 30];
      const found = await mean(draws, async (draw) => {
        const drawn = (index: number) =>
          normals(LENGTH, 'misfit.drawn', 1000 * draw + index).map((value, e) => background[e] + 0.1 * value);
        const forecast = Float64Array.from(
          Array.from({ length: members }, (_, l) => drawn(l)).flatMap((own) => [...own]),
        );
        const noise = normals(COUNT, 'misfit.noise', draw);
        const values = observe(drawn(members), linear).map((value, j) => value + noise[j] / linear.inverseErrorStd[j]);
        const { misfit } = await analysed(backend, settings, forecast, { ...linear, values });
        return misfit ?? Number.NaN;
      });
      backend.dispose();
      const within = 4 * Math.sqrt(2 / (COUNT * draws));
      // E[S⁻¹] of a sample covariance of k members is (k − 1)/(k − p − 2) times the inverse, were all of S sampled; R is known.
      const most = ((1 + 1 / members) * (members - 1)) / (members - COUNT - 2);
      expect(found).toBeGreaterThan(1 - within);
      expect(found).toBeLessThan(most + within);
    },
  );
});
