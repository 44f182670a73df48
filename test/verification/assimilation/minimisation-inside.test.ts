/**
 * What 3D-Var reports of its minimisation from inside: the iterates are those of the run, both minimisations end at the same
 * increment, and their Ritz values are eigenvalues of the matrices that they minimise with.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend, MinimisationExplanation } from '../../../engine/index.ts';
import { createReferenceBackend } from '../../../engine/index.ts';
import { executeAnalysis, createMethod } from '../../../engine/methods/index.ts';
import { createControlTransform } from '../../../engine/methods/covariances/index.ts';
import type { MinimisationReport } from '../../../engine/operators/conjugate-gradient/index.ts';
import { backends } from '../../setup/backends.ts';
import { between } from '../../../engine/check/measures.ts';
import {
  dot,
  eigenvalues,
  matrixOf,
  minus,
  norm,
  plusDiagonal,
  solve,
  times,
  transposed,
} from '../../../engine/check/assimilation/dense.ts';
import type { Matrix } from '../../../engine/check/assimilation/dense.ts';
import { basin, contextOf, lengthOf, PHYSICS, variational } from '../../../engine/check/assimilation/set-up.ts';
import type { Observed } from '../../../engine/check/assimilation/set-up.ts';

const [NX, NY] = [6, 5];
const CELLS = NX * NY;
const MODEL = basin({ nx: NX, ny: NY });
const LENGTH = lengthOf(MODEL);
const DEVIATION = 0.1;
const ERROR = 0.03;
const PLACES = [7, 8, 10, 16, 22, 23, 25, 26];

const OBSERVED: Observed = {
  x: Float64Array.from(PLACES, (cell) => cell % NX),
  y: Float64Array.from(PLACES, (cell) => Math.floor(cell / NX)),
  variable: PLACES.map(() => 'eta'),
  values: between(PLACES.length, -0.2, 0.2, 'inside.values'),
  inverseErrorStd: new Float64Array(PLACES.length).fill(1 / ERROR),
};
/** Scaled values of a sea at rest. */
const SCALED = OBSERVED.values.map((value) => value / ERROR);

function settings(minimisation: { readonly tolerance: number; readonly maxIterations?: number }, balanced = false) {
  return variational(
    {
      kind: 'recursive-filter',
      length: 2.2,
      standardDeviation: { h: DEVIATION },
      ...(balanced && { balance: 'geostrophic' }),
    },
    { maxIterations: 100, ...minimisation },
  );
}

interface Told {
  readonly report: MinimisationReport;
  /** Increment of the analysis, [variable][y][x]. */
  readonly increment: Float64Array;
  readonly explanation: MinimisationExplanation;
}

/** Analyses a sea at rest, and asks how. */
async function tell(
  backend: Backend,
  method: ReturnType<typeof settings>,
  question: { readonly variable?: string; readonly iterations?: number } = {},
  observed = OBSERVED,
): Promise<Told> {
  const context = await contextOf(backend, MODEL, observed, 2);
  const made = await createMethod(method, context);
  const forecast = backend.allocate('forecast', 'real', LENGTH);
  try {
    backend.write(forecast, new Float64Array(LENGTH));
    backend.write(made.state, new Float64Array(LENGTH));
    made.departures.compute(made.state);
    const { minimisation: report } = await executeAnalysis(backend, made, 0);
    const increment = await backend.read(made.state);
    const explanation = await made.explain({ kind: 'minimisation', ...question }, forecast);
    if (!report || !explanation) throw new Error('3D-Var reports nothing about its minimisation');
    return { report, increment, explanation };
  } finally {
    for (const owned of [forecast, made, context]) owned.dispose();
  }
}

/** V of the surface, [cells][cells], and G = R^−½ H V. */
async function densely(method: ReturnType<typeof settings>): Promise<{ readonly root: Matrix; readonly seen: Matrix }> {
  const backend = createReferenceBackend();
  const transform = await createControlTransform(backend, MODEL, method.covariance, PHYSICS);
  const root = (await matrixOf(backend, transform, LENGTH)).slice(0, CELLS);
  backend.dispose();
  return { root, seen: PLACES.map((cell) => root[cell].map((value) => value / ERROR)) };
}

function planesOf({ increments }: MinimisationExplanation['plain']): Float32Array[] {
  return Array.from({ length: increments.length / CELLS }, (_, k) => increments.slice(k * CELLS, (k + 1) * CELLS));
}

/** What J_b and J_o are of an increment of the surface. */
function costsOf({ root, seen }: Awaited<ReturnType<typeof densely>>, increment: ArrayLike<number>) {
  const [control] = solve(root, [Float64Array.from(increment)]);
  const left = minus(
    SCALED,
    seen.map((row) => dot(row, control)),
  );
  return { background: 0.5 * dot(control, control), observation: 0.5 * dot(left, left) };
}

describe.each(backends)('a minimisation from inside on $name', ({ name, open, precision }) => {
  const eps = precision === 'float64' ? 2 ** -53 : 2 ** -24;
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it('goes through the iterations of the run to its increment, and reaches the same one without preconditioning', async () => {
    const tolerance = 1e-3;
    const { report, increment, explanation } = await tell(backend, settings({ tolerance }), { iterations: 100 });
    const { preconditioned, plain } = explanation;
    expect(explanation).toMatchObject({ variable: { name: 'h', unit: 'm' }, tolerance });
    expect(report.iterations).toBeGreaterThan(3);
    expect(preconditioned).toMatchObject({ iterations: report.iterations, converged: true });
    expect([...preconditioned.kept]).toEqual(Array.from({ length: report.iterations }, (_, k) => k + 1));
    // One kernel does all iterations of a run that is so small on a device: it sums in another order, and 1/tolerance of that
    // is seen in the last residual.
    const another = name === 'webgpu' ? 64 * eps : 0;
    expect([...preconditioned.cost]).toBeClose(report.cost, { relative: another });
    expect([...preconditioned.residual]).toBeClose(report.residual, { relative: another / tolerance });
    const size = Math.max(...increment.map(Math.abs));
    const [one, other] = [preconditioned, plain].map((course) => planesOf(course).at(-1) ?? []);
    expect(one).toBeClose(increment.slice(0, CELLS), { absolute: (2 ** -24 + another / tolerance) * size });

    expect(plain.converged).toBe(true);
    expect(plain.iterations).toBeGreaterThan(preconditioned.iterations);
    // No eigenvalue of A is below 1: v is off by its residual at most, ‖b‖ ≤ √λ₁ ‖d‖, and no row of V is longer than σ_b.
    const first = Math.sqrt((preconditioned.ritzValues.at(-1)?.at(-1) ?? Infinity) * dot(SCALED, SCALED));
    expect(one).toBeClose(other, { absolute: 2 * tolerance * first * DEVIATION });
    expect(size).toBeGreaterThan(20 * tolerance * first * DEVIATION);
    expect(plain.cost[0]).toBe(preconditioned.cost[0]);
    // J is off by half the squared residual at most.
    const [least, found] = [preconditioned, plain].map(({ cost, iterations }) => cost[iterations]);
    expect(Math.abs(least - found)).toBeLessThan(0.5 * (tolerance * first) ** 2 + 100 * eps * plain.cost[0]);
    for (let k = 1; k <= plain.iterations; k++) expect(plain.cost[k]).toBeLessThan(plain.cost[k - 1]);
  });
});

describe('a minimisation from inside, float64', () => {
  let backend: Backend;
  beforeAll(() => {
    backend = createReferenceBackend();
  });
  afterAll(() => backend.dispose());

  it('keeps after each iteration the increment of a run that is stopped there', async () => {
    const { explanation } = await tell(backend, settings({ tolerance: 1e-4 }));
    const stopped = await tell(backend, settings({ tolerance: 1e-4, maxIterations: 2 }), { iterations: 1 });
    expect(stopped.report).toMatchObject({ iterations: 2, converged: false });
    expect(stopped.explanation.preconditioned).toMatchObject({ iterations: 2, converged: false });
    expect(stopped.explanation.plain).toMatchObject({ iterations: 1, converged: false });
    const planes = planesOf(explanation.preconditioned);
    expect(planes[1]).toBeClose(stopped.increment.slice(0, CELLS), { relative: 2 ** -24 });
    expect(planes.at(-1)).not.toEqual(planes[1]);
  });

  it('without preconditioning J, J_b and J_o are those of the increments', async () => {
    const method = settings({ tolerance: 1e-6 });
    const dense = await densely(method);
    const { explanation } = await tell(backend, method, { iterations: 12 });
    const { plain } = explanation;
    expect(plain).toMatchObject({ iterations: 12, converged: false });
    planesOf(plain).forEach((plane, index) => {
      const { background, observation } = costsOf(dense, plane);
      // V⁻¹ makes of the rounding of a plane in single precision what its condition of some hundreds makes of it.
      const relative = 1000 * 2 ** -24;
      expect(plain.backgroundCost[index + 1] / background).toBeClose(1, { absolute: relative });
      expect(plain.observationCost[index + 1] / observation).toBeClose(1, { absolute: relative });
    });
  });

  it('the outermost Ritz values grow into the outermost eigenvalues of I + GᵀG, and of S V (I + GᵀG) Vᵀ S', async () => {
    const method = settings({ tolerance: 1e-10 });
    const { root, seen } = await densely(method);
    const hessian = plusDiagonal(times(transposed(seen), seen), new Float64Array(CELLS).fill(1));
    const scaled = root.map((row) => row.map((value) => value / norm(row)));
    const whole = times(times(scaled, hessian), transposed(scaled));
    const { explanation } = await tell(backend, method, { iterations: 200 });
    for (const [course, matrix] of [
      [explanation.preconditioned, hessian],
      [explanation.plain, whole],
    ] as const) {
      const exact = eigenvalues(matrix);
      const [low, high] = [exact[0], exact[CELLS - 1]];
      course.ritzValues.forEach((values, index) => {
        expect(values).toHaveLength(Math.min(64, index + 1));
        // Never outside of the spectrum, and never back.
        const rounding = 1e-12 * high;
        expect(values[0]).toBeGreaterThanOrEqual(low - rounding);
        expect(values[values.length - 1]).toBeLessThanOrEqual(high + rounding);
        const before = course.ritzValues[index - 1] ?? values;
        expect(values[0]).toBeLessThanOrEqual(before[0] + rounding);
        expect(values[values.length - 1]).toBeGreaterThanOrEqual(before[before.length - 1] - rounding);
      });
      const last = course.ritzValues.at(-1) ?? [];
      expect(last[last.length - 1] / high).toBeClose(1, { absolute: 1e-8 });
    }
    // As many observations as are fewer than cells leave the eigenvalue 1, which no iteration sees, and one for each of them.
    const ritz = explanation.preconditioned.ritzValues.at(-1) ?? [];
    const exact = eigenvalues(hessian).slice(-PLACES.length);
    expect(ritz).toHaveLength(PLACES.length);
    ritz.forEach((value, k) => expect(value / exact[k]).toBeClose(1, { absolute: 1e-6 }));
  });

  it('reports another variable, which balance alone gives an increment', async () => {
    const method = settings({ tolerance: 1e-8 }, true);
    const { increment, explanation } = await tell(backend, method, { variable: 'hu' });
    expect(explanation.variable).toEqual({ name: 'hu', unit: 'm²/s' });
    const last = planesOf(explanation.preconditioned).at(-1) ?? [];
    const expected = increment.slice(CELLS, 2 * CELLS);
    expect(Math.max(...expected.map(Math.abs))).toBeGreaterThan(1e-3);
    expect(last).toBeClose(expected, { relative: 2 ** -24 });
  });

  it('refuses what there is not', async () => {
    const method = settings({ tolerance: 1e-4 });
    await expect(tell(backend, method, { iterations: 0 })).rejects.toThrow('found 0 iterations, allowed: 1 to 1000');
    await expect(tell(backend, method, { variable: 'speed' })).rejects.toThrow(
      'found the variable speed, the state has',
    );
  });
});
