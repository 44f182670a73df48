/**
 * Where an increment comes from: the contributions of the observations sum to it, the covariance columns are those of the matrices
 * that the gain is made of, and traces and variances are those of the dense matrices.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend, Method as MethodSettings } from '../../../engine/index.ts';
import { correlationsOf } from '../../../engine/methods/index.ts';
import { createControlTransform } from '../../../engine/methods/covariances/index.ts';
import { backends } from '../../setup/backends.ts';
import {
  dot,
  matrixOf,
  norm,
  plusDiagonal,
  solve,
  times,
  transposed,
} from '../../../engine/check/assimilation/dense.ts';
import type { Matrix } from '../../../engine/check/assimilation/dense.ts';
import {
  meanOf,
  method,
  NO_LOCALISATION,
  PHYSICS,
  sampleCovariance,
  variational,
} from '../../../engine/check/assimilation/set-up.ts';
import type { Observed } from '../../../engine/check/assimilation/set-up.ts';
import {
  CELLS,
  COUNT,
  ERROR,
  FILTER,
  HALF_WIDTH,
  INFLATION,
  LENGTH,
  MEMBERS,
  MODEL,
  NX,
  OBSERVED,
  PLACES,
  SPREAD,
  USED,
  analysed,
  drawn,
  roundingOf,
  seenElement,
  taperOf,
} from './asked-analysis.ts';

const COVARIANCE = {
  kind: 'recursive-filter',
  length: 4,
  standardDeviation: { h: SPREAD, hu: SPREAD },
  balance: 'geostrophic',
} as const;
/** y − mean H(x) of the forecast, H being a choice of elements. */
function innovationOf(j: number): number {
  return OBSERVED.values[j] - meanOf(drawn(MEMBERS), LENGTH)[seenElement(j)];
}

/** H P Hᵀ of the observations that are used, R being ERROR². */
function observedCovariance(covariance: Matrix): Matrix {
  return USED.map((a) => Float64Array.from(USED, (b) => covariance[seenElement(a)][seenElement(b)]));
}

/** tr(P (P + R)⁻¹) */
function traceOf(observed: Matrix): number {
  const sum = plusDiagonal(observed, new Float64Array(observed.length).fill(ERROR ** 2));
  return solve(sum, observed).reduce((total, column, j) => total + column[j], 0);
}

describe.each(backends)('influence on $name', ({ name: backendName, open, precision }) => {
  const eps = precision === 'float64' ? 2 ** -53 : 2 ** -24;
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  const tolerance = precision === 'float64' ? 1e-12 : 1e-6;
  const methods: readonly (readonly [name: string, settings: MethodSettings])[] = [
    ['3D-Var', variational(COVARIANCE, { tolerance, maxIterations: 200 })],
    ['EnKF', method({ kind: 'enkf', ...FILTER })],
    ['LETKF', method({ kind: 'letkf', ...FILTER })],
    [
      'hybrid',
      method({
        kind: 'hybrid',
        localisation: { length: HALF_WIDTH / 2 },
        ensemble: { kind: 'letkf', ...FILTER },
        covariance: COVARIANCE,
        minimisation: { tolerance, maxIterations: 200 },
      }),
    ],
    ['nudging', method({ kind: 'nudging', localisation: { halfWidth: HALF_WIDTH }, strength: 0.7 })],
    ['DEnKF', method({ kind: 'denkf', ...FILTER })],
    ['EAKF', method({ kind: 'eakf', ...FILTER })],
    [
      'EAKF with inflation that adapts itself',
      method({ kind: 'eakf', ...FILTER, adaptation: { kind: 'innovations' } }),
    ],
  ];

  /** Places of all kinds: observed, beside an observation, of another variable, out of reach of some. */
  const CELLS_ASKED = [
    ['h', 1, 1],
    ['hu', 4, 4],
    ['hv', 7, 3],
    ['h', 0, 5],
  ] as const;

  it.each(methods)('%s: the contributions of the observations sum to the increment', async (name, settings) => {
    await analysed(backend, settings, async ({ ask, increment }) => {
      let largest = 0;
      for (const [variable, x, y] of CELLS_ASKED) {
        const { contributions, ...told } = await ask({ kind: 'influence', variable, cell: { x, y } });
        const element = ['h', 'hu', 'hv'].indexOf(variable) * CELLS + y * NX + x;
        expect(contributions).toHaveLength(COUNT);
        expect(contributions[4]).toBe(0);
        expect(told.increment).toBeClose(increment[element], { absolute: 2 * eps });
        // Two minimisations end where the residual is the tolerance's share of ‖Gᵀd‖ ≤ √tr(S B Sᵀ) ‖d‖ and of ‖Vᵀe‖ ≤ σ_b.
        const traceRoot = Math.sqrt((COUNT * 4 * SPREAD ** 2) / ERROR ** 2);
        const scaled = norm(OBSERVED.values.map((value) => (Math.abs(value) + 3 * SPREAD) / ERROR));
        const isMinimised = name === '3D-Var' || name === 'hybrid';
        const unconverged = isMinimised ? 2 * tolerance * traceRoot * scaled * 2 * SPREAD : 0;
        const sum = contributions.reduce((total, value) => total + value, 0);
        expect(sum).toBeClose(told.increment, { absolute: unconverged + roundingOf(eps, contributions) });
        largest = Math.max(largest, Math.abs(told.increment));
      }
      // The tolerance says something.
      expect(largest).toBeGreaterThan(0.01);
    });
  });

  // Compiling is most of the time on SwiftShader; what follows asks no kernel more of a device than the sums above.
  if (backendName === 'webgpu') return;

  it.each(['enkf', 'denkf', 'eakf'] as const)('%s: they sum to it also where speeds are observed', async (kind) => {
    const observed: Observed = { ...OBSERVED, variable: PLACES.map(([, , name]) => (name === 'eta' ? 'speed' : name)) };
    await analysed(
      backend,
      method({ kind, ...FILTER }),
      async ({ ask }) => {
        const { contributions, increment } = await ask({ kind: 'influence', variable: 'hu', cell: { x: 3, y: 4 } });
        const sum = contributions.reduce((total, value) => total + value, 0);
        expect(Math.abs(increment)).toBeGreaterThan(1e-3);
        // Speeds are momenta over depths of about a metre: three times as large at most.
        expect(sum).toBeClose(increment, { absolute: 9 * roundingOf(eps, contributions) });
      },
      observed,
    );
  });

  it.each([
    ['EnKF', 'enkf'],
    ['LETKF', 'letkf'],
    ['EAKF', 'eakf'],
  ] as const)('%s: a column is the tapered and inflated covariance of the members', async (_, kind) => {
    await analysed(backend, method({ kind, ...FILTER }), async ({ ask }) => {
      const sample = sampleCovariance(drawn(MEMBERS), LENGTH);
      const answer = await ask({ kind: 'covariance-column', variable: 'hu', cell: { x: 8, y: 2 } });
      const element = CELLS + 2 * NX + 8;
      expect(answer.element).toBe(element);
      const expected = sample.map((row, i) => INFLATION * taperOf(i, element) * row[element]);
      const absolute = 4 * (MEMBERS + 8) * eps * INFLATION * 16 * SPREAD ** 2;
      expect(answer.values).toBeClose(expected, { absolute });
      const deviations = sample.map((row, i) => Math.sqrt(INFLATION * row[i]));
      expect(answer.deviations).toBeClose(deviations, { absolute: 4 * (MEMBERS + 8) * eps * 4 * SPREAD });
      const correlations = correlationsOf(answer);
      expect(correlations[element]).toBeClose(1, { absolute: 4 * (MEMBERS + 8) * eps });
      expect(Math.max(...correlations.map(Math.abs))).toBeLessThanOrEqual(1 + 4 * (MEMBERS + 8) * eps);
    });
  });

  it.each(methods.slice(0, 3))('%s: the covariance of two elements is that of the other two', async (_, settings) => {
    await analysed(backend, settings, async ({ ask }) => {
      const one = await ask({ kind: 'covariance-column', variable: 'h', cell: { x: 1, y: 1 } });
      const other = await ask({ kind: 'covariance-column', variable: 'hu', cell: { x: 2, y: 2 } });
      const [there, back] = [one.values[other.element], other.values[one.element]];
      expect(there).not.toBe(0);
      expect(there).toBeClose(back, { absolute: 100 * eps * one.deviations[one.element] * SPREAD * 4 });
      // And its own is the variance that it reports.
      expect(one.values[one.element]).toBeClose(one.deviations[one.element] ** 2, {
        absolute: 100 * eps * SPREAD ** 2 * 16,
      });
    });
  });

  it.each(['letkf', 'eakf'] as const)(
    '%s: degrees of freedom are the sum of what each observation has',
    async (kind) => {
      await analysed(backend, method({ kind, ...FILTER }), async ({ ask }) => {
        const told = await ask({ kind: 'degrees-of-freedom' });
        expect(told).toMatchObject({ standardError: 0, observations: USED.length });
        // (H K)ⱼⱼ is the influence of an observation on what it observes, over its innovation.
        let sum = 0;
        for (const j of USED) {
          const element = seenElement(j);
          const [variable, at] = [Math.floor(element / CELLS), element % CELLS];
          const cell = { x: at % NX, y: Math.floor(at / NX) };
          const { contributions } = await ask({ kind: 'influence', variable: ['h', 'hu', 'hv'][variable], cell });
          sum += contributions[j] / innovationOf(j);
        }
        expect(told.value).toBeGreaterThan(0.5);
        expect(told.value).toBeClose(sum, { absolute: USED.length * roundingOf(eps) });
      });
    },
  );

  it('3D-Var, EnKF, DEnKF and EAKF: degrees of freedom and analysed variances are those of the dense matrices', async () => {
    const [[, threeDVar], [, enkf]] = methods;
    if (threeDVar.kind !== '3dvar') throw new Error('the first method is 3D-Var');
    const transform = await createControlTransform(backend, MODEL, threeDVar.covariance, PHYSICS);
    const root = await matrixOf(backend, transform, LENGTH);
    transform.dispose();
    const b = times(root, transposed(root));
    const dense = observedCovariance(b);
    await analysed(backend, threeDVar, async ({ ask, variance }) => {
      const told = await ask({ kind: 'degrees-of-freedom' });
      expect(told).toMatchObject({ standardError: 0, observations: USED.length });
      // A unit vector's minimisation is off by the tolerance's share of ‖Gᵀe‖ at most, and so is each of the trace's terms.
      const bound = USED.length * (10 * tolerance + 500 * eps) * 8;
      expect(told.value).toBeClose(traceOf(dense), { absolute: bound });
      const element = seenElement(3);
      const row = new Float64Array(LENGTH);
      row[element] = 1;
      const column = Float64Array.from(USED, (j) => b[element][seenElement(j)]);
      const inverse = plusDiagonal(dense, new Float64Array(USED.length).fill(ERROR ** 2));
      const [solved] = solve(inverse, [column]);
      expect(await variance(row)).toBeClose(b[element][element] - dot(column, solved), {
        absolute: bound * b[element][element],
      });
    });
    const tapered = sampleCovariance(drawn(MEMBERS), LENGTH).map((line, i) =>
      line.map((value, k) => INFLATION * taperOf(i, k) * value),
    );
    for (const filter of [enkf, method({ kind: 'denkf', ...FILTER })]) {
      await analysed(backend, filter, async ({ ask }) => {
        const told = await ask({ kind: 'degrees-of-freedom' });
        expect(told).toMatchObject({ standardError: 0, observations: USED.length });
        const expected = traceOf(observedCovariance(tapered));
        expect(told.value).toBeClose(expected, { absolute: roundingOf(eps) });
      });
    }
    const whole = sampleCovariance(drawn(MEMBERS), LENGTH).map((line) => line.map((value) => INFLATION * value));
    const eakf = method({ kind: 'eakf', localisation: NO_LOCALISATION, inflation: INFLATION });
    await analysed(backend, eakf, async ({ ask }) => {
      const told = await ask({ kind: 'degrees-of-freedom' });
      expect(told).toMatchObject({ standardError: 0, observations: USED.length });
      expect(told.value).toBeClose(traceOf(observedCovariance(whole)), { absolute: roundingOf(eps) });
    });
  });
});
