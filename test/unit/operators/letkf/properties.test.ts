import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gaspariCohn } from '../../../../engine/operators/localisation/index.ts';
import type { Backend } from '../../../../engine/index.ts';
import { backends, allBackends } from '../../../setup/backends.ts';
import { kalmanAnalysis } from './kalman.ts';
import { analyse, meansOf, randomProblem } from './set-up.ts';
import type { Problem } from './set-up.ts';

/** Each kernel: an invocation a point, a workgroup a point in the observations' space, and in the members' space. */
const kernels = [
  { kernel: 'dual, few observations', form: 'dual', observations: 9, halfWidthCells: 1.5, localCapacity: 16 },
  { kernel: 'dual, many observations', form: 'dual', observations: 21, halfWidthCells: 6, localCapacity: 24 },
  { kernel: 'primal', form: 'primal', observations: 12, halfWidthCells: 2, localCapacity: 24 },
] as const;

/** Rounding of these problems (numbers near 1, condition near 100, sums of a few dozen terms). */
const ROUNDING = { float64: 1e-12, float32: 3e-6 };

function permuted(problem: Problem, order: readonly number[]): Problem {
  const p = order.length;
  const take = (values: Float64Array): Float64Array => Float64Array.from(order, (o) => values[o]);
  return {
    ...problem,
    observedEnsemble: problem.observedEnsemble.map((_, e) => problem.observedEnsemble[e - (e % p) + order[e % p]]),
    values: take(problem.values),
    inverseErrorStd: take(problem.inverseErrorStd),
    positionX: take(problem.positionX),
    positionY: take(problem.positionY),
  };
}

/** Blocks of `size` elements in another order. */
function reordered(values: Float64Array, size: number, order: readonly number[]): Float64Array {
  return Float64Array.from(values, (_, e) => values[order[Math.floor(e / size)] * size + (e % size)]);
}

/** Adds observations that are not there, with numbers that must not be used. */
function withAbsent(problem: Problem, absent: number): Problem {
  const { members, values } = problem;
  const p = values.length;
  const extend = (array: Float64Array, value: number): Float64Array =>
    Float64Array.from({ length: p + absent }, (_, o) => (o < p ? array[o] : value));
  return {
    ...problem,
    observedEnsemble: Float64Array.from({ length: members * (p + absent) }, (_, e) => {
      const o = e % (p + absent);
      return o < p ? problem.observedEnsemble[((e - o) / (p + absent)) * p + o] : NaN;
    }),
    values: extend(values, NaN),
    inverseErrorStd: extend(problem.inverseErrorStd, 0),
    positionX: extend(problem.positionX, 3),
    positionY: extend(problem.positionY, 2),
  };
}

describe.each(allBackends)('letkf on $name', ({ open, precision }) => {
  let backend: Backend;
  const rounding = ROUNDING[precision];
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  describe.each(kernels)('$kernel', ({ form, observations, halfWidthCells, localCapacity }) => {
    const settings = { form, localCapacity };
    const problem = randomProblem({ observations, halfWidthCells });

    it('is unchanged by the order of the observations', async () => {
      const order = Array.from({ length: observations }, (_, o) => (o * 5 + 3) % observations);
      expect(new Set(order).size).toBe(observations);
      const analysis = await analyse(backend, problem, settings);
      expect(await analyse(backend, permuted(problem, order), settings)).toBeClose(analysis, { relative: rounding });
    });

    it('permutes with the members', async () => {
      const order = [3, 0, 5, 1, 4, 2];
      const { ensemble, observedEnsemble, members } = problem;
      const shuffled = {
        ...problem,
        ensemble: reordered(ensemble, ensemble.length / members, order),
        observedEnsemble: reordered(observedEnsemble, observations, order),
      };
      const analysis = await analyse(backend, problem, settings);
      const expected = reordered(analysis, ensemble.length / members, order);
      expect(await analyse(backend, shuffled, settings)).toBeClose(expected, { relative: rounding });
    });

    it('keeps the mean and inflates the anomalies where no observation is', async () => {
      const empty = { ...problem, inverseErrorStd: new Float64Array(observations) };
      const analysis = await analyse(backend, empty, settings);
      const means = meansOf(problem.ensemble, problem.members);
      const root = Math.sqrt(problem.inflation);
      const expected = problem.ensemble.map((value, e) => {
        const mean = means[e % means.length];
        return mean + root * (value - mean);
      });
      expect(analysis).toBeClose(expected, { relative: rounding });
      expect(meansOf(analysis, problem.members)).toBeClose(means, { relative: rounding });
    });

    it('does not feel observations that are absent, to the last bit', async () => {
      const analysis = await analyse(backend, problem, settings);
      expect(await analyse(backend, withAbsent(problem, 3), settings)).toBeClose(analysis, { absolute: 0 });
    });

    it('does not feel absent observations that the index lists', async () => {
      const padded = withAbsent(problem, 3);
      const analysis = await analyse(backend, problem, settings);
      const listed = await analyse(
        backend,
        padded,
        settings,
        Array.from(padded.values, () => true),
      );
      expect(listed).toBeClose(analysis, { absolute: 0 });
    });

    it('is the Kalman analysis in the span of the ensemble, without localisation', async () => {
      const whole = randomProblem({ nx: 4, ny: 3, observations, halfWidthCells: Infinity, inflation: 1.3 });
      const analysis = await analyse(backend, whole, settings);
      const { mean, covariance } = kalmanAnalysis(whole);
      // 1e-8: the bar in float64. Float32: rounding of G (condition near 100, 22 observations) enters the covariance twice.
      const tolerance = { relative: precision === 'float64' ? 1e-8 : 1e-5 };
      const means = meansOf(analysis, whole.members);
      expect(means).toBeClose(mean, tolerance);
      const n = mean.length;
      const found = covariance.map((_, e) => {
        let sum = 0;
        for (let i = 0; i < whole.members; i++) {
          const [a, b] = [(e - (e % n)) / n, e % n];
          sum += (analysis[i * n + a] - means[a]) * (analysis[i * n + b] - means[b]);
        }
        return sum / (whole.members - 1);
      });
      expect(found).toBeClose(covariance, tolerance);
    });

    it('keeps an ensemble without spread', async () => {
      const flat = {
        ...problem,
        ensemble: new Float64Array(problem.ensemble.length).fill(0.7),
        observedEnsemble: new Float64Array(problem.observedEnsemble.length).fill(0.7),
      };
      expect(await analyse(backend, flat, settings)).toBeClose(flat.ensemble, { relative: rounding });
    });

    it('stays within 1e-3 of exact where the condition is 1e5', async () => {
      // spread 0.17, so (0.17/0.0015)² = 13 000 an observation, and about ten of them.
      const accurate = randomProblem({ observations, halfWidthCells, deviation: 0.0015 });
      const exact = await backends[0].open();
      const expected = await analyse(exact, accurate, { form: 'primal' });
      exact.dispose();
      expect(await analyse(backend, accurate, settings)).toBeClose(expected, { relative: 1e-3 });
    });

    it.each([1e-5, 1e-9])('takes over an observation of error %s, and stays finite', async (deviation) => {
      const accurate = randomProblem({ observations: 1, deviation, inflation: 1 });
      const at = { ...accurate, positionX: Float64Array.of(3), positionY: Float64Array.of(2) };
      const { nx, ny, members, ensemble } = at;
      const state = ensemble.length / members;
      const cell = 2 * nx + 3;
      const observedEnsemble = Float64Array.from({ length: members }, (_, i) => ensemble[i * state + cell]);
      const analysis = await analyse(backend, { ...at, observedEnsemble }, settings);
      expect(analysis.every(Number.isFinite)).toBe(true);
      const forecastMean = meansOf(ensemble, members)[cell];
      const analysisMean = meansOf(analysis, members)[cell];
      // In float32 an error counts as at least a thousandth of the spread: 2^-20 of the innovation and 2^-10 of the spread stay.
      expect(Math.abs(analysisMean - at.values[0])).toBeLessThan(2e-6);
      for (let i = 0; i < members; i++) {
        const before = Math.abs(ensemble[i * state + cell] - forecastMean);
        const after = Math.abs(analysis[i * state + cell] - analysisMean);
        expect(after).toBeLessThan(before / 1000 + 1e-6);
      }
      expect(analysis).toHaveLength(members * 2 * nx * ny);
    });

    it.each([
      { halfWidthCells: 1, periodicX: false, periodicY: false, x: 3, y: 2 },
      { halfWidthCells: 1, periodicX: true, periodicY: true, x: 0, y: 4 },
      { halfWidthCells: 1.7, periodicX: true, periodicY: false, x: 6.4, y: 0.3 },
      { halfWidthCells: 2.5, periodicX: false, periodicY: true, x: 0.1, y: 4.9 },
      { halfWidthCells: 9, periodicX: true, periodicY: true, x: 1, y: 1 },
    ])(
      'weighs one observation by its shortest distance: c $halfWidthCells, x $x $periodicX, y $y $periodicY',
      async ({ x, y, ...shape }) => {
        const one = {
          ...randomProblem({ observations: 1, ...shape }),
          positionX: Float64Array.of(Math.fround(x)),
          positionY: Float64Array.of(Math.fround(y)),
        };
        const analysis = await analyse(backend, one, settings);
        expect(analysis).toBeClose(oneObservation(one), { relative: rounding });
      },
    );

    it('moves with its observations around a periodic domain', async () => {
      const around = randomProblem({ observations, halfWidthCells, periodicX: true, periodicY: true });
      const { nx, ny } = around;
      const shiftX = 3;
      const shiftY = 4;
      const moved = (values: Float64Array): Float64Array =>
        values.map((_, e) => {
          const i = e % nx;
          const j = Math.floor(e / nx) % ny;
          const plane = e - (e % (nx * ny));
          return values[plane + ((j - shiftY + ny) % ny) * nx + ((i - shiftX + nx) % nx)];
        });
      const elsewhere = {
        ...around,
        ensemble: moved(around.ensemble),
        positionX: around.positionX.map((value) => value + shiftX),
        positionY: around.positionY.map((value) => (value + shiftY) % ny),
      };
      const expected = moved(await analyse(backend, around, settings));
      expect(await analyse(backend, elsewhere, settings)).toBeClose(expected, { relative: rounding });
    });
  });
});

/** How far apart two coordinates are on an axis. */
function away(difference: number, period: number, periodic: boolean): number {
  return periodic ? Math.min(Math.abs(difference), period - Math.abs(difference)) : Math.abs(difference);
}

/** The analysis of one observation, written out: with ŷ the anomalies of the observed ensemble, w its weight, r = 1/σₒ. */
function oneObservation(problem: Problem): Float64Array {
  const {
    nx,
    ny,
    members: k,
    inflation,
    halfWidthCells,
    ensemble,
    observedEnsemble,
    values,
    inverseErrorStd,
  } = problem;
  const means = meansOf(ensemble, k);
  const [observedMean] = meansOf(observedEnsemble, k);
  const observed = observedEnsemble.map((value) => value - observedMean);
  return ensemble.map((_, e) => {
    const at = e % means.length;
    const dx = away(problem.positionX[0] - (at % nx), nx, problem.periodicX);
    const dy = away(problem.positionY[0] - (Math.floor(at / nx) % ny), ny, problem.periodicY);
    const weight = gaspariCohn(Math.hypot(dx, dy) / halfWidthCells) * inverseErrorStd[0] ** 2;
    let variance = 0;
    let covariance = 0;
    for (let i = 0; i < k; i++) {
      variance += (inflation * observed[i] ** 2) / (k - 1);
      covariance += (inflation * observed[i] * (ensemble[i * means.length + at] - means[at])) / (k - 1);
    }
    const member = (e - at) / means.length;
    const gain = (weight * covariance) / (1 + weight * variance);
    const root = Math.sqrt(1 + weight * variance);
    const reduced = (weight * covariance * observed[member]) / (root * (1 + root));
    return means[at] + gain * (values[0] - observedMean) + Math.sqrt(inflation) * (ensemble[e] - means[at] - reduced);
  });
}
