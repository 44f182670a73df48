/**
 * Where an increment comes from: the contributions of the observations sum to it, the covariance columns are those of the matrices
 * that the gain is made of, the weights of the LETKF make its mean, and traces and variances are those of the dense matrices.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend, Method as MethodSettings } from '../../../engine/index.ts';
import { correlationsOf, createMethod, executeAnalysis } from '../../../engine/methods/index.ts';
import type { Explanation, ExplanationKind, Method, MethodQuestion } from '../../../engine/methods/index.ts';
import { createControlTransform } from '../../../engine/methods/covariances/index.ts';
import type { AnalysisKind } from '../../../engine/methods/explanation.ts';
import { taperBetween } from '../../../engine/operators/localisation/index.ts';
import { backends } from '../../setup/backends.ts';
import { normals } from '../../../engine/check/measures.ts';
import {
  dot,
  eigenvalues as spectrumOf,
  matrixOf,
  norm,
  plusDiagonal,
  solve,
  times,
  transposed,
} from '../../../engine/check/assimilation/dense.ts';
import type { Matrix } from '../../../engine/check/assimilation/dense.ts';
import {
  basin,
  contextOf,
  lengthOf,
  meanOf,
  method,
  NO_LOCALISATION,
  PHYSICS,
  sampleCovariance,
  variational,
} from '../../../engine/check/assimilation/set-up.ts';
import type { Observed } from '../../../engine/check/assimilation/set-up.ts';

const [NX, NY, MEMBERS] = [9, 7, 6];
const CELLS = NX * NY;
const MODEL = basin({ nx: NX, ny: NY, periodicX: true });
const LENGTH = lengthOf(MODEL);
const SPREAD = 0.1;
const ERROR = 0.1;
const INFLATION = 1.2;
/** Metres; cells are 2 m × 1.5 m. */
const HALF_WIDTH = 4;

/** At cells, so that H is a choice of elements. */
const PLACES: readonly (readonly [x: number, y: number, variable: 'eta' | 'hu'])[] = [
  [1, 1, 'eta'],
  [5, 1, 'hu'],
  [8, 3, 'eta'],
  [3, 4, 'eta'],
  [4, 4, 'hu'],
  [6, 6, 'eta'],
  [2, 6, 'eta'],
];
const COUNT = PLACES.length;

const OBSERVED: Observed = {
  x: Float64Array.from(PLACES, ([x]) => x),
  y: Float64Array.from(PLACES, ([, y]) => y),
  variable: PLACES.map(([, , variable]) => variable),
  values: normals(COUNT, 'influence.values').map((value) => SPREAD * value),
  // The fifth is missing.
  inverseErrorStd: Float64Array.from(PLACES, (_, j) => (j === 4 ? 0 : 1 / ERROR)),
};
const USED = PLACES.flatMap((_, j) => (OBSERVED.inverseErrorStd[j] > 0 ? [j] : []));

/** The element of the state that an observation sees. */
function seenElement(j: number): number {
  const [x, y, variable] = PLACES[j];
  return (variable === 'eta' ? 0 : CELLS) + y * NX + x;
}

/** The taper between two elements' cells. */
function taperOf(a: number, b: number, halfWidth = HALF_WIDTH): number {
  const taper = taperBetween({
    nx: NX,
    ny: NY,
    periodicX: true,
    periodicY: false,
    aspect: 0.75,
    halfWidthCells: halfWidth / 2,
  });
  const [cellA, cellB] = [a % CELLS, b % CELLS];
  return taper((cellA % NX) - (cellB % NX), Math.floor(cellA / NX) - Math.floor(cellB / NX));
}

/** y − mean H(x) of the forecast, H being a choice of elements. */
function innovationOf(j: number): number {
  return OBSERVED.values[j] - meanOf(drawn(MEMBERS), LENGTH)[seenElement(j)];
}

/** An ensemble of small waves, exact in float32. */
function drawn(members: number): Float64Array {
  return normals(members * LENGTH, 'influence.forecast').map((value) => Math.fround(SPREAD * value));
}

const COVARIANCE = {
  kind: 'recursive-filter',
  length: 4,
  standardDeviation: { h: SPREAD, hu: SPREAD },
  balance: 'geostrophic',
} as const;
const FILTER = { localisation: { halfWidth: HALF_WIDTH }, inflation: INFLATION };

/** Errors that are correlated along a track. */
const TRACK = { count: 5, between: (a: number, b: number) => (a === b ? 1 : 0.8 * Math.exp(-Math.abs(a - b))) };

interface Asked {
  readonly made: Method;
  /** The increment of the mean, [length]. */
  readonly increment: Float64Array;
  /** The analysis, [members][length]. */
  readonly state: Float64Array;
  readonly ask: <Kind extends AnalysisKind>(question: MethodQuestion<Kind>) => Promise<Explanation<Kind>>;
  readonly variance: (row: Float64Array) => Promise<number>;
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

  /** Has a method analyse its forecast, and asks it. */
  async function analysed<Result>(
    settings: MethodSettings,
    use: (asked: Asked) => Promise<Result>,
    observed = OBSERVED,
  ): Promise<Result> {
    const context = await contextOf(backend, MODEL, observed, MEMBERS);
    const made = await createMethod(settings, context);
    const before = drawn(made.members);
    const forecast = backend.allocate('forecast', 'real', before.length);
    const row = backend.allocate('row', 'real', LENGTH);
    try {
      backend.write(forecast, before);
      backend.write(made.state, before);
      made.departures.compute(made.state);
      await executeAnalysis(backend, made, 0);
      const after = await backend.read(made.state);
      return await use({
        made,
        state: after,
        increment: meanOf(
          after.map((value, i) => value - before[i]),
          LENGTH,
        ),
        async ask<Kind extends AnalysisKind>(question: MethodQuestion<Kind>) {
          const answer = await made.explain(question, forecast);
          if (answer === undefined) throw new Error(`no answer to ${question.kind satisfies ExplanationKind}`);
          return answer;
        },
        async variance(values) {
          backend.write(row, values);
          return (await made.analysedVariance?.(row, forecast)) ?? Number.NaN;
        },
      });
    } finally {
      for (const owned of [forecast, row, made, context]) owned.dispose();
    }
  }

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

  /**
   * What rounding makes of an increment: each is a sum over members and observations, of terms as large as the contributions and of
   * states, after a solve whose condition is at most 1 + tr(S P Sᵀ), and after tens of taps of a filter.
   */
  function roundingOf(contributions: Float64Array): number {
    const condition = 1 + COUNT * ((INFLATION * 4 * SPREAD ** 2) / ERROR ** 2);
    const operations = 4 * (MEMBERS + COUNT) + 60;
    const size = contributions.reduce((sum, value) => sum + Math.abs(value), 0);
    return eps * operations * (condition * size + 4 * SPREAD);
  }

  it.each(methods)('%s: the contributions of the observations sum to the increment', async (name, settings) => {
    await analysed(settings, async ({ ask, increment }) => {
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
        expect(sum).toBeClose(told.increment, { absolute: unconverged + roundingOf(contributions) });
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
      method({ kind, ...FILTER }),
      async ({ ask }) => {
        const { contributions, increment } = await ask({ kind: 'influence', variable: 'hu', cell: { x: 3, y: 4 } });
        const sum = contributions.reduce((total, value) => total + value, 0);
        expect(Math.abs(increment)).toBeGreaterThan(1e-3);
        // Speeds are momenta over depths of about a metre: three times as large at most.
        expect(sum).toBeClose(increment, { absolute: 9 * roundingOf(contributions) });
      },
      observed,
    );
  });

  it.each([
    ['EnKF', 'enkf'],
    ['LETKF', 'letkf'],
    ['EAKF', 'eakf'],
  ] as const)('%s: a column is the tapered and inflated covariance of the members', async (_, kind) => {
    await analysed(method({ kind, ...FILTER }), async ({ ask }) => {
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
    await analysed(settings, async ({ ask }) => {
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

  it.each([
    ['fewer observations in reach than members', HALF_WIDTH],
    // Beyond half of the periodic axis, so that all are in reach.
    ['more observations in reach than members', 40],
  ])('LETKF: the weights of a cell make its mean, with %s', async (_, halfWidth) => {
    const settings = method({ kind: 'letkf', localisation: { halfWidth }, inflation: INFLATION });
    await analysed(settings, async ({ ask, increment }) => {
      const before = drawn(MEMBERS);
      let least = Infinity;
      for (const [x, y] of [
        [3, 4],
        [1, 1],
        [8, 6],
      ] as const) {
        const { weights, observations, localisation, degreesOfFreedom } = await ask({
          kind: 'weights',
          cell: { x, y },
        });
        const rounding = roundingOf(Float64Array.of(1));
        expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeClose(1, { absolute: rounding });
        for (let variable = 0; variable < 3; variable++) {
          const element = variable * CELLS + y * NX + x;
          const values = Array.from({ length: MEMBERS }, (__, i) => before[i * LENGTH + element]);
          const made = dot(weights, values) - meanOf(before, LENGTH)[element];
          expect(made).toBeClose(increment[element], { absolute: rounding });
        }
        const at = y * NX + x;
        const inReach = USED.filter((j) => taperOf(seenElement(j), at, halfWidth) > 0);
        expect([...observations]).toEqual(inReach);
        const expected = inReach.map((j) => taperOf(seenElement(j), at, halfWidth));
        expect(localisation).toBeClose(expected, { absolute: 1e-14 });
        least = Math.min(least, observations.length);
        expect(degreesOfFreedom).toBeGreaterThan(0);
        expect(degreesOfFreedom).toBeLessThan(Math.min(observations.length, MEMBERS - 1));
      }
      expect(least >= MEMBERS).toBe(halfWidth > HALF_WIDTH);
    });
  });

  it.each([
    ['independent errors', {}],
    ['correlated errors', { errorCorrelation: 'full' }],
    ['inflation that adapts itself', { adaptation: { kind: 'innovations' } }],
    ['inflation of every cell', { adaptation: { kind: 'local' } }],
  ] as const)('LETKF: the matrices of a cell make its analysis, with %s', async (_, own) => {
    const settings = method({ kind: 'letkf', ...FILTER, ...own });
    const observed = { ...OBSERVED, correlated: [{ first: 0, errors: TRACK }] };
    await analysed(
      settings,
      async ({ ask, state }) => {
        const k = MEMBERS;
        const before = drawn(k);
        const cell = { x: 3, y: 4 };
        const { weights, transform } = await ask({ kind: 'weights', cell });
        const { place, observations, observationWeights, covariance, root, eigenvalues } = transform;
        expect(place).toEqual(cell);
        const rows = (values: Float64Array): Float64Array[] =>
          Array.from({ length: k }, (__, i) => values.slice((i * values.length) / k, ((i + 1) * values.length) / k));
        const [c, p, w] = [observationWeights, covariance, root].map(rows);
        // xᵃ⁽ⁱ⁾ = Σ weightₘ x⁽ᵐ⁾ + Σ Wₘᵢ (x⁽ᵐ⁾ − x̄), for every variable.
        const rounding = roundingOf(Float64Array.of(1));
        for (let variable = 0; variable < 3; variable++) {
          const element = variable * CELLS + cell.y * NX + cell.x;
          const values = Float64Array.from({ length: k }, (__, m) => before[m * LENGTH + element]);
          const mean = values.reduce((sum, value) => sum + value / k, 0);
          const [moved] = times([values.map((value) => value - mean)], w);
          const made = moved.map((value) => dot(weights, values) + value);
          const found = Float64Array.from({ length: k }, (__, i) => state[i * LENGTH + element]);
          expect(found).toBeClose(made, { absolute: rounding });
        }
        // (k − 1) P̃ᵃ = W², and P̃ᵃ [(k − 1) I/ρ + C Y] = I: so are the eigenvalues (k − 1)/ρ over those of P̃ᵃ.
        const square = times(w, w).map((row) => row.map((value) => value / (k - 1)));
        p.forEach((row, i) => expect(row).toBeClose(square[i], { absolute: rounding }));
        const y = [...observations].map((j) => {
          const seen = Float64Array.from({ length: k }, (__, m) => before[m * LENGTH + seenElement(j)]);
          return seen.map((value) => value - seen.reduce((sum, each) => sum + each / k, 0));
        });
        const none = square.map((row) => new Float64Array(row.length));
        const inverse = solve(p, plusDiagonal(none, new Float64Array(k).fill(1)));
        const product = times(c, y);
        const own = inverse[0][0] - product[0][0];
        const size = Math.max(...inverse.map((row) => norm(row)));
        expect(own).toBeClose((k - 1) / INFLATION, { absolute: 100 * rounding * size });
        inverse.forEach((row, i) =>
          expect(row).toBeClose(
            product[i].map((value, j) => value + (i === j ? own : 0)),
            { absolute: 100 * rounding * size },
          ),
        );
        const expected = spectrumOf(p).map((value) => 1 / (own * value));
        expect(eigenvalues).toBeClose(expected, { relative: 100 * rounding });
        expect(eigenvalues[0]).toBeGreaterThan(1.2);
        expect(eigenvalues[k - 1]).toBeClose(1, { absolute: 100 * rounding });
      },
      observed,
    );
  });

  it('LETKF: members count alike where no observation is in reach', async () => {
    const settings = method({ kind: 'letkf', localisation: { halfWidth: 1 }, inflation: INFLATION });
    await analysed(settings, async ({ ask }) => {
      const answer = await ask({ kind: 'weights', cell: { x: 0, y: 6 } });
      expect(answer.observations).toHaveLength(0);
      expect(answer.degreesOfFreedom).toBe(0);
      expect(answer.weights).toBeClose(new Float64Array(MEMBERS).fill(1 / MEMBERS), { absolute: 4 * eps });
    });
  });

  it.each(['letkf', 'eakf'] as const)(
    '%s: degrees of freedom are the sum of what each observation has',
    async (kind) => {
      await analysed(method({ kind, ...FILTER }), async ({ ask }) => {
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
        expect(told.value).toBeClose(sum, { absolute: USED.length * roundingOf(Float64Array.of(1)) });
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
    await analysed(threeDVar, async ({ ask, variance }) => {
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
      await analysed(filter, async ({ ask }) => {
        const told = await ask({ kind: 'degrees-of-freedom' });
        expect(told).toMatchObject({ standardError: 0, observations: USED.length });
        const expected = traceOf(observedCovariance(tapered));
        expect(told.value).toBeClose(expected, { absolute: roundingOf(Float64Array.of(1)) });
      });
    }
    const whole = sampleCovariance(drawn(MEMBERS), LENGTH).map((line) => line.map((value) => INFLATION * value));
    const eakf = method({ kind: 'eakf', localisation: NO_LOCALISATION, inflation: INFLATION });
    await analysed(eakf, async ({ ask }) => {
      const told = await ask({ kind: 'degrees-of-freedom' });
      expect(told).toMatchObject({ standardError: 0, observations: USED.length });
      expect(told.value).toBeClose(traceOf(observedCovariance(whole)), { absolute: roundingOf(Float64Array.of(1)) });
    });
  });
});
