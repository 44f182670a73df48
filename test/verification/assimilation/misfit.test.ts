/**
 * What a method expects of its innovations: the background's variance at each observation, and χ² = dᵀS⁻¹d with S = HBHᵀ + R,
 * against matrices that are written out.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gaspariCohn } from '../../../engine/operators/localisation/index.ts';
import type { Backend } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';
import { dot, plusDiagonal, solve, times, transposed } from '../../../engine/check/assimilation/dense.ts';
import type { Matrix } from '../../../engine/check/assimilation/dense.ts';
import { normals } from '../../../engine/check/measures.ts';
import { method, variational } from '../../../engine/check/assimilation/set-up.ts';
import type { Observed } from '../../../engine/check/assimilation/set-up.ts';
import {
  CELLS,
  COUNT,
  DEVIATIONS,
  LENGTH,
  NX,
  analysed,
  background,
  model,
  observe,
  observed,
  squareRoot,
} from './observed-basin.ts';

/** H′ by central differences of its definition, [observation][state]. */
function tangent(state: Float64Array, of: Observed): Matrix {
  const step = 1e-5;
  const columns = Array.from({ length: LENGTH }, (_, e) => {
    const moved = (by: number) =>
      observe(
        state.map((value, i) => (i === e ? value + by : value)),
        of,
      );
    const [up, down] = [moved(step), moved(-step)];
    return up.map((value, j) => (value - down[j]) / (2 * step));
  });
  return transposed(columns);
}

/** dᵀS⁻¹d of scaled innovations, S = I + R^−½ HPHᵀ R^−½. */
function misfitOf(scaledCovariance: Matrix, scaledInnovation: Float64Array): number {
  const S = plusDiagonal(scaledCovariance, new Float64Array(scaledInnovation.length).fill(1));
  return dot(scaledInnovation, solve(S, [scaledInnovation])[0]);
}

function innovationOf(seen: Float64Array, of: Observed): Float64Array {
  return of.values.map((value, j) => of.inverseErrorStd[j] * (value - seen[j]));
}

/** Rows and columns scaled by R^−½. */
function scaled(matrix: Matrix, of: Observed): Matrix {
  return matrix.map((row, a) => row.map((value, b) => of.inverseErrorStd[a] * of.inverseErrorStd[b] * value));
}

/** Members around the background. */
function ensemble(members: number): Float64Array {
  return Float64Array.from(
    Array.from({ length: members }, (_, l) =>
      Array.from(normals(LENGTH, 'misfit.members', l), (value, e) => background[e] + 0.03 * value),
    ).flat(),
  );
}

/** C ∘ Y′Y′ᵀ ρ/(k − 1) of what members observe. */
function sampleCovariance(forecast: Float64Array, of: Observed, halfWidth: number, inflation: number) {
  const members = forecast.length / LENGTH;
  const seen = Array.from({ length: members }, (_, l) => observe(forecast.subarray(l * LENGTH, (l + 1) * LENGTH), of));
  const mean = seen[0].map((_, j) => seen.reduce((sum, own) => sum + own[j], 0) / members);
  const { dx, dy } = model.grid;
  const matrix = of.variable.map((_, a) =>
    Float64Array.from(of.variable, (_name, b) => {
      const distance = Math.hypot(dx * (of.x[a] - of.x[b]), dy * (of.y[a] - of.y[b]));
      const product = seen.reduce((sum, own) => sum + (own[a] - mean[a]) * (own[b] - mean[b]), 0);
      return (inflation * gaspariCohn(distance / halfWidth) * product) / (members - 1);
    }),
  );
  return { mean, matrix };
}

/** Observations that are linear in the state: the EnKF tapers their covariances in model space. */
const LINEAR = new Set(['eta', 'h', 'hu', 'hv']);

/**
 * HPHᵀ as the EnKF has it. The state with what is nonlinear of it appended is tapered by distance, and observed: of a linear
 * observation by its row of H, of any other by the value that is appended.
 */
function enkfCovariance(forecast: Float64Array, of: Observed, halfWidth: number): Matrix {
  const members = forecast.length / LENGTH;
  const states = Array.from({ length: members }, (_, l) => forecast.subarray(l * LENGTH, (l + 1) * LENGTH));
  const seen = states.map((state) => observe(state, of));
  const { dx, dy } = model.grid;
  /** Place in the appended state: cells of three variables, then the observations. */
  const place = (e: number): readonly [number, number] =>
    e < LENGTH
      ? [dx * ((e % CELLS) % NX), dy * Math.floor((e % CELLS) / NX)]
      : [dx * of.x[e - LENGTH], dy * of.y[e - LENGTH]];
  const all = states.map((state, l) => [...state, ...seen[l]]);
  const mean = all[0].map((_, e) => all.reduce((sum, own) => sum + own[e], 0) / members);
  const covariance = (a: number, b: number): number => {
    const [[xa, ya], [xb, yb]] = [place(a), place(b)];
    const product = all.reduce((sum, own) => sum + (own[a] - mean[a]) * (own[b] - mean[b]), 0);
    return (gaspariCohn(Math.hypot(xa - xb, ya - yb) / halfWidth) * product) / (members - 1);
  };
  const H = tangent(background, of);
  const rowOf = (j: number): readonly (readonly [element: number, weight: number])[] =>
    LINEAR.has(of.variable[j])
      ? Array.from(H[j], (weight, e) => [e, weight] as const).filter(([, weight]) => Math.abs(weight) > 1e-7)
      : [[LENGTH + j, 1]];
  const rows = of.variable.map((_, j) => rowOf(j));
  return rows.map((row) =>
    Float64Array.from(rows, (column) =>
      row.reduce((sum, [a, p]) => sum + column.reduce((inner, [b, q]) => inner + p * q * covariance(a, b), 0), 0),
    ),
  );
}

const cases = (['recursive-filter', 'gaussian'] as const).flatMap((kind) =>
  (['none', 'geostrophic'] as const).map((balance) => ({ kind, balance, length: 4, standardDeviation: DEVIATIONS })),
);

describe.each(backends)('what a method expects of its innovations, on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  // H′ is computed by differences of 1e-5, to 1e-9; float32: some fifty roundings of B's filter, twice.
  const relative = precision === 'float64' ? 1e-8 : 2e-5;

  it.each(cases)('3D-Var: the diagonal of H′BH′ᵀ, of $kind with balance $balance', async (covariance) => {
    const root = await squareRoot(covariance);
    const H = tangent(background, observed);
    const seen = times(H, root).map((row) => dot(row, row));
    const { variance } = await analysed(backend, variational(covariance), background, observed);
    expect(variance).toBeClose(seen, { relative });
  });

  it.each(cases)(
    '3D-Var: 2J at the minimum is dᵀ(H′BH′ᵀ + R)⁻¹d, of $kind with balance $balance',
    async (covariance) => {
      const root = await squareRoot(covariance);
      const seen = times(tangent(background, observed), root);
      const expected = misfitOf(
        scaled(times(seen, transposed(seen)), observed),
        innovationOf(observe(background, observed), observed),
      );
      const { report } = await analysed(backend, variational(covariance), background, observed);
      const found = 2 * (report.minimisation?.cost.at(-1) ?? Number.NaN);
      expect(found / expected).toBeClose(1, { absolute: 10 * relative });
    },
  );

  it.each(['letkf', 'enkf', 'denkf'] as const)(
    '%s: dᵀS⁻¹d with the tapered, inflated covariance of what members observe',
    async (kind) => {
      const forecast = ensemble(8);
      const [halfWidth, inflation] = [4, 1.3];
      // Every seventh observation is absent.
      const some = { ...observed, inverseErrorStd: observed.inverseErrorStd.map((r, j) => (j % 7 === 6 ? 0 : r)) };
      const settings = method({ kind, localisation: { halfWidth }, inflation });
      const { misfit, status, variance } = await analysed(backend, settings, forecast, some);
      // EnKF and DEnKF inflate their members and then observe them, which is not quite the same where H is not linear.
      const inflated = kind !== 'letkf';
      const mean = Float64Array.from({ length: LENGTH }, (_, e) => {
        let sum = 0;
        for (let l = 0; l < 8; l++) sum += forecast[l * LENGTH + e] / 8;
        return sum;
      });
      const given = inflated
        ? forecast.map((value, e) => mean[e % LENGTH] + Math.sqrt(inflation) * (value - mean[e % LENGTH]))
        : forecast;
      const { mean: seen, matrix: alike } = sampleCovariance(given, some, halfWidth, inflated ? 1 : inflation);
      const matrix = inflated ? enkfCovariance(given, some, halfWidth) : alike;
      const expected = misfitOf(scaled(matrix, some), innovationOf(seen, some));
      expect(status).toBe(0);
      expect(misfit).toBeClose(expected, { absolute: 20 * relative * expected });
      const own = sampleCovariance(forecast, some, halfWidth, inflation).matrix;
      expect(variance).toBeClose(
        own.map((row, j) => row[j]),
        { relative: 5 * relative },
      );
    },
  );

  it.each([
    ['as they are', []],
    ['one of which all members see alike', [0]],
  ])('EAKF without a taper: dᵀS⁻¹d, as the sum over the turns of the observations, %s', async (_name, alike) => {
    const [drawn, inflation] = [ensemble(8), 1.3];
    const around = new Set(
      alike.flatMap((j) => {
        const corner = Math.floor(observed.y[j]) * NX + Math.floor(observed.x[j]);
        return [corner, corner + 1, corner + NX, corner + NX + 1];
      }),
    );
    const forecast = drawn.map((value, at) => (around.has(at % LENGTH) ? 0.125 : value));
    const some = { ...observed, inverseErrorStd: observed.inverseErrorStd.map((r, j) => (j % 7 === 6 ? 0 : r)) };
    const settings = method({ kind: 'eakf', localisation: { halfWidth: 1e9 }, inflation });
    const { misfit, status } = await analysed(backend, settings, forecast, some);
    const mean = forecast.map((_, at) => {
      let sum = 0;
      for (let l = 0; l < 8; l++) sum += forecast[l * LENGTH + (at % LENGTH)] / 8;
      return sum;
    });
    const inflated = forecast.map((value, at) => mean[at] + Math.sqrt(inflation) * (value - mean[at]));
    const { mean: seen, matrix } = sampleCovariance(inflated, some, 1e9, 1);
    const expected = misfitOf(scaled(matrix, some), innovationOf(seen, some));
    expect(status).toBe(0);
    expect(misfit).toBeClose(expected, { absolute: 20 * relative * expected });
  });

  it('quality control allows for the inflation of a filter', async () => {
    const forecast = ensemble(8);
    const plain = sampleCovariance(forecast, observed, 4, 1);
    // d of 3.5 standard deviations without inflation, of less than 3 with it.
    const far = {
      ...observed,
      inverseErrorStd: new Float64Array(COUNT).fill(100),
      threshold: new Float64Array(COUNT).fill(3),
    };
    const values = plain.mean.map((value, j) => value + 3.5 * Math.sqrt(100 ** -2 + plain.matrix[j][j]));
    const used = async (inflation: number): Promise<number> => {
      const settings = method({ kind: 'letkf', localisation: { halfWidth: 4 }, inflation });
      const { inverseErrorStd } = await analysed(backend, settings, forecast, { ...far, values });
      return inverseErrorStd.filter((r) => r > 0).length;
    };
    expect(await used(1)).toBe(0);
    expect(await used(2)).toBe(COUNT);
  });

  it('the EnKF learns of currents from their speed, where a tangent at rest would see nothing', async () => {
    // Members with currents to three sides, none on average: the derivative of the mean's speed is 0, the members' speeds differ.
    const members = 6;
    const forecast = Float64Array.from({ length: members * LENGTH }, (_, at) => {
      const [l, e] = [Math.floor(at / LENGTH), at % LENGTH];
      if (e < CELLS) return 0.01 * Math.cos(l);
      const [hu, hv] = [
        [0.2, 0],
        [-0.1, 0.1],
        [-0.1, -0.1],
      ][l % 3];
      return e < 2 * CELLS ? hu : hv;
    });
    const one: Observed = {
      x: Float64Array.of(3),
      y: Float64Array.of(2),
      variable: ['speed'],
      values: Float64Array.of(0.4),
      inverseErrorStd: Float64Array.of(20),
    };
    const settings = method({ kind: 'enkf', localisation: { halfWidth: 1e9 } });
    const { state } = await analysed(backend, settings, forecast, one);
    // P Sᵀ (1 + S P Sᵀ)⁻¹ of the mean: from the members' speeds alone.
    const { mean: seen, matrix } = sampleCovariance(forecast, one, 1e9, 1);
    const meanOf = (values: Float64Array, e: number): number => {
      let sum = 0;
      for (let l = 0; l < members; l++) sum += values[l * LENGTH + e] / members;
      return sum;
    };
    const speeds = Array.from(
      { length: members },
      (_, l) => observe(forecast.subarray(l * LENGTH, (l + 1) * LENGTH), one)[0],
    );
    const innovation = (0.4 - seen[0]) / (matrix[0][0] + 1 / 400);
    for (const e of [2 * NX + 3, CELLS + 5, 2 * CELLS + 11]) {
      const mean = meanOf(forecast, e);
      let covariance = 0;
      for (let l = 0; l < members; l++)
        covariance += ((forecast[l * LENGTH + e] - mean) * (speeds[l] - seen[0])) / (members - 1);
      expect(meanOf(state, e) - mean).toBeClose(covariance * innovation, { absolute: 20 * relative });
    }
    const current = CELLS + 2 * NX + 3;
    expect(Math.abs(meanOf(state, current) - meanOf(forecast, current))).toBeGreaterThan(0.03);
  });
});
