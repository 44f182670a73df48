/** What 3D-Var reports of its minimisation: J at every iteration, and the condition of the problem. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceBackend } from '../../../engine/index.ts';
import type { Backend } from '../../../engine/index.ts';
import { createControlTransform } from '../../../engine/methods/covariances/index.ts';
import type { MinimisationReport } from '../../../engine/operators/conjugate-gradient/index.ts';
import { backends } from '../../setup/backends.ts';
import {
  apply,
  dot,
  eigenvalues,
  matrixOf,
  minus,
  plusDiagonal,
  solve,
  times,
  transposed,
} from '../../../engine/check/assimilation/dense.ts';
import type { Matrix } from '../../../engine/check/assimilation/dense.ts';
import { between } from '../../../engine/check/measures.ts';
import { analyse, basin, lengthOf, PHYSICS, variational } from '../../../engine/check/assimilation/set-up.ts';
import type { Observed } from '../../../engine/check/assimilation/set-up.ts';

const [NX, NY] = [6, 5];
const CELLS = NX * NY;
const model = basin({ nx: NX, ny: NY });

interface Settings {
  /** Metres; cells are 2 m × 1.5 m. */
  readonly length?: number;
  readonly tolerance?: number;
  readonly maxIterations?: number;
}

function threeDVar({ length = 2.2, tolerance = 1e-13, maxIterations = 100 }: Settings = {}) {
  return variational({ kind: 'recursive-filter', length, standardDeviation: { h: 0.1 } }, { tolerance, maxIterations });
}

/** The surface elevation at given cells, from a sea at rest. */
function observedAt(cells: readonly number[], deviation: number): Observed {
  return {
    x: Float64Array.from(cells, (cell) => cell % NX),
    y: Float64Array.from(cells, (cell) => Math.floor(cell / NX)),
    variable: cells.map(() => 'eta'),
    values: between(cells.length, -0.2, 0.2, 'values'),
    inverseErrorStd: new Float64Array(cells.length).fill(1 / deviation),
  };
}

const EVERYWHERE = Array.from({ length: CELLS }, (_, cell) => cell);
/** Pairs of neighbours, whose differences B hardly allows: some of what is observed is as good as unobserved. */
const PAIRS = [7, 8, 10, 16, 22, 23, 25, 26];

/** V of the surface, [cells][cells], and R^−½ H V. */
async function densely(
  { x, y, inverseErrorStd }: Observed,
  settings?: Settings,
): Promise<{ readonly root: Matrix; readonly seen: Matrix }> {
  const backend = createReferenceBackend();
  const transform = await createControlTransform(backend, model, threeDVar(settings).covariance, PHYSICS);
  const root = (await matrixOf(backend, transform, lengthOf(model))).slice(0, CELLS);
  backend.dispose();
  const seen = Array.from(x, (i, j) => root[y[j] * NX + i].map((value) => inverseErrorStd[j] * value));
  return { root, seen };
}

/** The spectrum of I + VᵀHᵀR⁻¹HV. */
function spectrum(seen: Matrix): number[] {
  return eigenvalues(plusDiagonal(times(transposed(seen), seen), new Float64Array(CELLS).fill(1)));
}

async function minimise(
  backend: Backend,
  observed: Observed,
  settings?: Settings,
): Promise<{ readonly increment: Float64Array; readonly report: MinimisationReport }> {
  const atRest = new Float64Array(lengthOf(model));
  const { state, report } = await analyse(backend, model, threeDVar(settings), atRest, observed);
  if (!report.minimisation) throw new Error('3D-Var has not reported its minimisation');
  return { increment: state.slice(0, CELLS), report: report.minimisation };
}

describe('J along the iterations, float64', () => {
  let backend: Backend;
  beforeAll(() => {
    backend = createReferenceBackend();
  });
  afterAll(() => backend.dispose());

  it('J, J_b and J_o as reported are those of the increment after each iteration, and J falls at every one', async () => {
    // An iteration lowers J by some residual²: 1e-12 of it at the last one, which sixteen digits still show.
    const tolerance = 1e-6;
    const observed = observedAt(PAIRS, 0.03);
    const { root, seen } = await densely(observed);
    const departures = observed.values.map((value, j) => value * observed.inverseErrorStd[j]);
    const { report } = await minimise(backend, observed, { tolerance });
    expect(report.converged).toBe(true);
    expect(report.iterations).toBeGreaterThanOrEqual(PAIRS.length - 1);
    for (let k = 1; k <= report.iterations; k++) {
      const { increment } = await minimise(backend, observed, { tolerance, maxIterations: k });
      const [control] = solve(root, [increment]);
      const residual = minus(departures, apply(seen, control));
      const background = 0.5 * dot(control, control);
      const observation = 0.5 * dot(residual, residual);
      // v is recovered from δx by V⁻¹, whose condition of some hundreds takes three of sixteen digits.
      const relative = 1e-10;
      expect(report.backgroundCost[k] / background - 1).toBeClose(0, { absolute: relative });
      expect(report.observationCost[k] / observation - 1).toBeClose(0, { absolute: relative });
      expect(report.cost[k]).toBeLessThan(report.cost[k - 1]);
    }
    expect(report.cost[0]).toBeClose(0.5 * dot(departures, departures), { relative: 1e-13 });
  });

  it('at the end J is at its minimum: ½ dᵀ(HBHᵀ + R)⁻¹d', async () => {
    const observed = observedAt(PAIRS, 0.03);
    const { seen } = await densely(observed);
    const departures = observed.values.map((value, j) => value * observed.inverseErrorStd[j]);
    const total = plusDiagonal(times(seen, transposed(seen)), new Float64Array(PAIRS.length).fill(1));
    const { report } = await minimise(backend, observed);
    const minimum = 0.5 * dot(departures, solve(total, [departures])[0]);
    expect(report.cost[report.iterations]).toBeClose(minimum, { relative: 1e-12 });
  });
});

describe('spectrum of I + VᵀHᵀR⁻¹HV, float64', () => {
  let backend: Backend;
  beforeAll(() => {
    backend = createReferenceBackend();
  });
  afterAll(() => backend.dispose());

  it.each([
    ['every cell observed', EVERYWHERE, 0.05, 2.2],
    ['every cell observed precisely', EVERYWHERE, 0.01, 2.2],
    ['pairs of neighbours, whose differences are as good as unobserved', PAIRS, 0.1, 6],
  ] as const)(
    'its condition number is that of the Ritz values to a hundredth: %s',
    async (_, cells, deviation, length) => {
      const observed = observedAt(cells, deviation);
      const exact = spectrum((await densely(observed, { length })).seen);
      const { report } = await minimise(backend, observed, { length });
      expect(exact[CELLS - 1] / exact[0]).toBeGreaterThan(4);
      expect(report.conditionNumber / (exact[CELLS - 1] / exact[0])).toBeClose(1, { absolute: 0.01 });
    },
  );

  it('with one observation there is one iteration, to the one eigenvalue that is not 1: 1 + σ_b²/σ_o²', async () => {
    const { report } = await minimise(backend, observedAt([14], 0.05));
    expect(report.iterations).toBe(1);
    expect(report.ritzValues[0]).toBeClose(1 + 0.1 ** 2 / 0.05 ** 2, { relative: 1e-12 });
    // What no observation sees has the eigenvalue 1 and never enters the iteration: the condition number is that of the rest.
    expect(report.conditionNumber).toBe(1);
  });
});

describe.each(backends)('minimisation on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it('J falls at each iteration, and the spectrum found by then is that of float64', async () => {
    const observed = observedAt(PAIRS, 0.03);
    const reference = createReferenceBackend();
    const settings = { tolerance: 1e-3 };
    const { report: expected } = await minimise(reference, observed, settings);
    reference.dispose();
    const { report } = await minimise(backend, observed, settings);
    expect(report.iterations).toBe(expected.iterations);
    expect(report.iterations).toBeGreaterThan(3);
    for (let k = 1; k <= report.iterations; k++) expect(report.cost[k]).toBeLessThan(report.cost[k - 1]);
    // The residual is kept with the rounding of its first value: by the last iteration 1/tolerance of it in relation.
    const relative = precision === 'float64' ? 1e-12 : 2 ** -24 / settings.tolerance;
    const norm = expected.ritzValues[expected.iterations - 1];
    report.ritzValues.forEach((value, k) =>
      expect((value - expected.ritzValues[k]) / norm).toBeClose(0, { absolute: relative }),
    );
    expect(report.cost).toBeClose(expected.cost, { relative: precision === 'float64' ? 1e-13 : 1e-6 });
  });
});
