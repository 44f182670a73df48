import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import {
  anomalies,
  ensembleMean,
  ensembleTransform,
  ensembleVariance,
  inflation,
  meanPreservingRotation,
  perturbation,
  recentring,
  relaxation,
} from '../../../engine/operators/ensemble/index.ts';
import { applyOperator, allBackends } from '../../setup/backends.ts';
import { noise, normals } from '../../../engine/check/measures.ts';
import { product, transpose } from './matrices.ts';

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
const variance = (values: readonly number[]): number => {
  const centre = mean(values);
  return values.length === 1 ? 0 : values.reduce((sum, x) => sum + (x - centre) ** 2, 0) / (values.length - 1);
};

const spread = (values: readonly number[]): number => Math.sqrt(variance(values));

/** The values of element i in all members. */
const column = (ensemble: ArrayLike<number>, members: number, length: number, i: number): number[] =>
  Array.from({ length: members }, (_, l) => ensemble[l * length + i]);

describe.each(allBackends)('ensemble operators on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());
  const epsilon = precision === 'float64' ? 2 ** -53 : 2 ** -24;

  const sizes = [
    [1, 1],
    [2, 255],
    [20, 257],
    [33, 1000],
    [128, 70],
  ] as const;

  it.each(sizes)('takes moments: %i members of %i elements', async (members, length) => {
    // Around 4096 with a spread of 1/64: a variance by mean squares would lose every digit in float32.
    const ensemble = noise(members * length, length).map((x) => Math.fround(4096 + x / 64));
    const size = { members, length };
    const results = {
      ...(await applyOperator(backend, ensembleMean, size, { ensemble, mean: length })),
      ...(await applyOperator(backend, ensembleVariance, size, { ensemble, variance: length })),
    };
    const elements = Array.from({ length }, (_, i) => column(ensemble, members, length, i));
    const means = elements.map(mean);
    // The mean is rounded once at its own size; sums of small differences add (members) ε / 64 at most.
    const meanError = 2 * epsilon * 4096 + (members * epsilon) / 64;
    expect(results.mean).toBeClose(means, { absolute: meanError });
    // The variance about a mean that is off by δ is off by δ² k/(k − 1); its sum has k roundings of terms below 1/64².
    expect(results.variance).toBeClose(elements.map(variance), {
      absolute: 2 * meanError ** 2 + ((members + 4) * epsilon * 2) / 64 ** 2,
    });

    const factor = 1.5;
    const found = await applyOperator(
      backend,
      anomalies,
      { ...size, factor },
      { ensemble, mean: length, anomalies: members * length },
    );
    expect(found.mean).toEqual(results.mean);
    expect(found.anomalies).toBeClose(
      ensemble.map((x, at) => factor * (x - means[at % length])),
      { absolute: 2 * meanError },
    );
  });

  it('puts an ensemble together from its mean and anomalies', async () => {
    const [members, length] = [3, 300];
    const ensemble = noise(members * length, 3);
    const size = { members, length };
    const parts = await applyOperator(backend, anomalies, size, {
      ensemble,
      mean: length,
      anomalies: members * length,
    });
    const whole = await applyOperator(backend, recentring, size, {
      mean: parts.mean,
      anomalies: parts.anomalies,
      ensemble: members * length,
    });
    expect(whole.ensemble).toBeClose(ensemble, { absolute: 4 * epsilon });
    const doubled = await applyOperator(
      backend,
      recentring,
      { ...size, factor: 2 },
      { mean: parts.mean, anomalies: parts.anomalies, ensemble: members * length },
    );
    const inflated = await applyOperator(backend, inflation, { ...size, factor: 2 }, { ensemble });
    expect(inflated.ensemble).toBeClose(doubled.ensemble, { absolute: 8 * epsilon });
    expect(inflated.ensemble[0] - inflated.ensemble[length]).toBeClose(2 * (ensemble[0] - ensemble[length]), {
      absolute: 16 * epsilon,
    });
  });

  it('adds noise with a factor', async () => {
    const [members, length] = [2, 257];
    const ensemble = noise(members * length, 1);
    const added = noise(members * length, 2);
    const found = await applyOperator(
      backend,
      perturbation,
      { members, length, factor: 0.25 },
      { noise: added, ensemble },
    );
    expect(found.ensemble).toBeClose(
      ensemble.map((x, at) => x + 0.25 * added[at]),
      { absolute: 2 * epsilon },
    );
  });

  describe('relaxation', () => {
    const [members, length] = [9, 260];
    const background = noise(members * length, 5).map((x) => 10 + 2 * x);
    const analysis = noise(members * length, 6).map((x) => 11 + x / 2);
    // Values near 11, some 20 roundings.
    const rounding = 20 * 11 * epsilon;
    const elements = (ensemble: ArrayLike<number>) =>
      Array.from({ length }, (_, i) => column(ensemble, members, length, i));

    it.each([0, 0.7, 1])('moves the spread towards the background by %d (RTPS)', async (factor) => {
      const { ensemble } = await applyOperator(
        backend,
        relaxation,
        { members, length, kind: 'spread', factor },
        { background, ensemble: analysis },
      );
      const before = elements(analysis);
      const goal = elements(background).map((values, i) => factor * spread(values) + (1 - factor) * spread(before[i]));
      expect(elements(ensemble).map(spread)).toBeClose(goal, { absolute: rounding });
      expect(elements(ensemble).map(mean)).toBeClose(before.map(mean), { absolute: rounding });
    });

    it.each([0, 0.4, 1])('mixes in the perturbations of the background by %d (RTPP)', async (factor) => {
      const { ensemble } = await applyOperator(
        backend,
        relaxation,
        { members, length, kind: 'perturbations', factor },
        { background, ensemble: analysis },
      );
      const meansBefore = elements(analysis).map(mean);
      const backgroundMeans = elements(background).map(mean);
      const expected = analysis.map((x, at) => {
        const i = at % length;
        return meansBefore[i] + (1 - factor) * (x - meansBefore[i]) + factor * (background[at] - backgroundMeans[i]);
      });
      expect(ensemble).toBeClose(expected, { absolute: rounding });
    });

    it('leaves a collapsed ensemble and a single member alone', async () => {
      const collapsed = new Float64Array(2 * 3).fill(7);
      const wide = Float64Array.of(0, 1, 2, 3, 4, 5);
      for (const size of [
        { members: 2, length: 3 },
        { members: 1, length: 6 },
      ]) {
        const { ensemble } = await applyOperator(
          backend,
          relaxation,
          { ...size, kind: 'spread', factor: 1 },
          { background: wide, ensemble: collapsed },
        );
        expect(ensemble).toEqual(collapsed);
      }
    });
  });

  it.each([
    [1, 5],
    [3, 64],
    [40, 333],
    [65, 130],
  ])('transforms by a matrix: %i members of %i elements', async (members, length) => {
    const ensemble = noise(members * length, members);
    const transform = noise(members * members, length);
    const found = await applyOperator(
      backend,
      ensembleTransform,
      { members, length },
      { ensemble, transform, transformed: members * length },
    );
    const expected = product(transpose(transform, members), ensemble, members, members);
    // A sum of k products of numbers below 1.
    expect(found.transformed).toBeClose(expected, { absolute: (members + 2) * epsilon * Math.sqrt(members) });
  });

  it('keeps mean and covariance under a mean-preserving rotation', async () => {
    const [members, length] = [10, 7];
    const ensemble = noise(members * length, 8);
    const transform = meanPreservingRotation(members, normals(81, 'rotation'));
    const { transformed } = await applyOperator(
      backend,
      ensembleTransform,
      { members, length },
      { ensemble, transform, transformed: members * length },
    );
    const means = (x: ArrayLike<number>) => Array.from({ length }, (_, i) => mean(column(x, members, length, i)));
    expect(means(transformed)).toBeClose(means(ensemble), { absolute: 16 * epsilon });
    const gram = (x: Float64Array) => product(transpose(x, members), x, length, members);
    expect(gram(transformed)).toBeClose(gram(ensemble), { absolute: 64 * epsilon });
    expect(Math.abs(transformed[0] - ensemble[0])).toBeGreaterThan(0.01);
  });
});

describe('meanPreservingRotation', () => {
  it.each([1, 2, 3, 24, 64])('is orthogonal and keeps the vector of ones: %i members', (k) => {
    const u = meanPreservingRotation(k, normals((k - 1) ** 2, 'rotation', k));
    const identity = Float64Array.from({ length: k * k }, (_, at) => (at % (k + 1) === 0 ? 1 : 0));
    expect(product(u, transpose(u, k), k, k)).toBeClose(identity, { absolute: k * 1e-15 });
    const ones = new Float64Array(k).fill(1);
    expect(product(u, ones, k, k)).toBeClose(ones, { absolute: k * 1e-15 });
    expect(product(transpose(u, k), ones, k, k)).toBeClose(ones, { absolute: k * 1e-15 });
  });

  it('is a sign for two members, by chance', () => {
    expect(meanPreservingRotation(2, [0.3])).toBeClose([1, 0, 0, 1], { absolute: 1e-15 });
    expect(meanPreservingRotation(2, [-0.3])).toBeClose([0, 1, 1, 0], { absolute: 1e-15 });
  });

  it('refuses too few numbers', () => {
    expect(() => meanPreservingRotation(3, [1, 2, 3])).toThrow(/3 gaussians given, .* needs 4/);
  });
});
