import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import {
  apply,
  matrixOf,
  plus,
  plusDiagonal,
  solve,
  times,
  transposed,
} from '../../../engine/check/assimilation/dense.ts';
import type { Matrix } from '../../../engine/check/assimilation/dense.ts';
import { basin, contextOf, method } from '../../../engine/check/assimilation/set-up.ts';
import type { CovarianceInput, Observed } from '../../../engine/check/assimilation/set-up.ts';
import { normals } from '../../../engine/check/measures.ts';
import { createControlTransform } from '../../../engine/methods/covariances/index.ts';
import { createMethod, executeAnalysis, type MethodContext } from '../../../engine/methods/index.ts';
import { createLinearWindow, type Model } from '../../../engine/models/index.ts';
import { backends } from '../../setup/backends.ts';
import { N, observedPlaces, observedRing, SECONDS, STEPS } from '../../setup/observed-ring.ts';
import { spread } from './set-up.ts';

const covariance = { kind: 'gaussian', length: 1.5, standardDeviation: { x: 0.6 } } as const satisfies CovarianceInput;

const OBSERVED = observedPlaces('four-d.values');
const BACKGROUND = normals(N, 'four-d.background').map((value) => 2 + 3 * value);

describe.each(backends)('4D-Var on $name', ({ open, precision }) => {
  const isExact = precision === 'float64';
  const minimisation = { tolerance: isExact ? 1e-12 : 1e-5, maxIterations: 200 } as const;
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  /** The analysis of a background at the beginning of the window, as the experiment asks for it. */
  async function analysisOf(context: MethodContext, settings: Parameters<typeof method>[0], from: Float64Array) {
    const held = await createMethod(method(settings), context);
    backend.write(held.state, from);
    if (held.beginning) backend.copy(held.state, held.beginning);
    held.departures.compute(held.state);
    const report = await executeAnalysis(backend, held, 0);
    const state = Float64Array.from(await backend.read(held.state));
    held.dispose();
    return { state, report };
  }

  /** The model from a state over so many steps, and its tangent, column by column. */
  async function windowAbout(model: Model, from: Float64Array, steps: number) {
    const window = await createLinearWindow(backend, model, { seconds: (steps / STEPS) * SECONDS, shares: [] });
    const work = backend.allocate('work', 'real', N);
    backend.write(work, from);
    const conclude = await window.follow(work, true);
    await backend.collect();
    await conclude('test');
    const state = Float64Array.from(await backend.read(work));
    const columns: Float64Array[] = [];
    for (let i = 0; i < N; i++) {
      backend.write(
        work,
        Float64Array.from({ length: N }, (_, j) => Number(i === j)),
      );
      window.tangent(work);
      columns.push(Float64Array.from(await backend.read(work)));
    }
    for (const owned of [window, work]) owned.dispose();
    return { state, tangent: transposed(columns) };
  }

  it('is the trajectory from the best linear estimate at the beginning, by dense algebra', async () => {
    const context = await observedRing(backend, OBSERVED, 1);
    const { model } = context;
    const settings = method({ kind: '4dvar', covariance, minimisation });
    if (settings.kind !== '4dvar') throw new Error(`found ${settings.kind}`);
    const transform = await createControlTransform(backend, model, settings.covariance, context);
    const root = await matrixOf(backend, transform, N);
    const background = [await windowAbout(model, BACKGROUND, STEPS), await windowAbout(model, BACKGROUND, STEPS / 2)];
    const { x, moment, values, inverseErrorStd } = OBSERVED;
    // G = H M' V, row by row, and R = 1/4 I.
    const seen = Array.from(x, (place, j) =>
      transposed(times(background[moment[j]].tangent, root)).map((column) => column[place]),
    );
    const matrix: Matrix = seen.map((row) => Float64Array.from(row));
    const innovation = Float64Array.from(x, (place, j) => values[j] - background[moment[j]].state[place]);
    const gram = plusDiagonal(
      times(matrix, transposed(matrix)),
      inverseErrorStd.map((inverse) => inverse ** -2),
    );
    const [weights] = solve(gram, [innovation]);
    const increment = apply(root, apply(transposed(matrix), weights));
    const analysed = await windowAbout(model, plus(BACKGROUND, increment), STEPS);

    const { state, report } = await analysisOf(context, { kind: '4dvar', covariance, minimisation }, BACKGROUND);
    expect(report.minimisation?.converged).toBe(true);
    expect(state).toBeClose(analysed.state, { absolute: isExact ? 1e-9 : 2e-3 });
    expect(state).not.toBeClose(background[0].state, { absolute: 0.1 });
    transform.dispose();
    context.dispose();
  });

  it('is the same to the bit with checkpoints of the trajectory', async () => {
    const context = await observedRing(backend, OBSERVED, 1);
    // The state before each of four steps, and two of work, are more.
    const window = { ...context.window, mostBytes: 5 * N * backend.elementBytes };
    const settings = { kind: '4dvar', covariance, minimisation: { ...minimisation, outerLoops: 2 } } as const;
    const expected = await analysisOf(context, settings, BACKGROUND);
    expect(await analysisOf({ ...context, window }, settings, BACKGROUND)).toEqual(expected);
    context.dispose();
  });

  it('has the covariance between any two times of the window, by dense algebra', async () => {
    const context = await observedRing(backend, OBSERVED, 1);
    const settings = method({ kind: '4dvar', covariance, minimisation });
    if (settings.kind !== '4dvar') throw new Error(`found ${settings.kind}`);
    const transform = await createControlTransform(backend, context.model, settings.covariance, context);
    const root = await matrixOf(backend, transform, N);
    const held = await createMethod(settings, context);
    const forecast = backend.allocate('forecast', 'real', N);
    for (const state of [held.state, forecast]) backend.write(state, BACKGROUND);
    if (held.beginning) backend.copy(held.state, held.beginning);
    held.departures.compute(held.state);
    await executeAnalysis(backend, held, 0);
    const { tangent: half } = await windowAbout(context.model, BACKGROUND, STEPS / 2);
    const { tangent: whole } = await windowAbout(context.model, BACKGROUND, STEPS);
    const identity = Array.from({ length: N }, (_, i) => Float64Array.from({ length: N }, (__, j) => Number(i === j)));
    const tangents = new Map([
      [0, identity],
      [0.5, half],
      [1, whole],
    ]);
    const errors = new Map([...tangents].map(([share, tangent]) => [share, times(tangent, root)]));
    for (const [field, cell] of [
      [0.5, 0],
      [0, 1],
      [1, 1],
    ] as const) {
      const question = {
        kind: 'covariance-column',
        variable: 'x',
        cell: { x: 3, y: 0 },
        times: { field, cell },
      } as const;
      const column = await held.explain(question, forecast);
      const row = errors.get(cell)?.[3] ?? new Float64Array(0);
      expect(column?.values).toBeClose(apply(errors.get(field) ?? [], row), { absolute: isExact ? 1e-12 : 3e-6 });
      // Estimated from 128 samples: within five standard errors.
      expect(Math.abs((column?.deviation ?? NaN) / Math.hypot(...row) - 1)).toBeLessThan(0.3);
    }
    for (const owned of [held, forecast, transform, context]) owned.dispose();
  });

  it('comes closer to the observations with every outer loop', async () => {
    const context = await observedRing(backend, OBSERVED, 1);
    const loops = { ...minimisation, outerLoops: 8 };
    const { report } = await analysisOf(context, { kind: '4dvar', covariance, minimisation: loops }, BACKGROUND);
    const costs = report.minimisation?.outerLoops?.map(({ cost }) => cost) ?? [];
    expect(costs).toHaveLength(8);
    // Gauss–Newton converges.
    expect(costs[7]).toBeLessThan(costs[0]);
    expect(Math.abs(costs[7] - costs[6])).toBeLessThan(0.01 * Math.abs(costs[1] - costs[0]));
    context.dispose();
  });

  it.each([
    ['with balance, to the bit', { balance: 'geostrophic' }, 0],
    ['without, to rounding', { balance: 'none' }, 1e-6],
  ] as const)('is 3D-Var in a window without length: %s', async (_name, own, bound) => {
    const model = basin({ nx: 9, ny: 8 });
    const background = normals(3 * 72, 'four-d.water').map((value) => 0.05 * value);
    const shared: CovarianceInput = { kind: 'recursive-filter', length: 4, standardDeviation: { h: 0.05 }, ...own };
    const observed: Observed = spread;
    const context = await contextOf(backend, model, observed, 2);
    const still = { ...context, window: { ...context.window, seconds: 0 } };
    const stopping = { tolerance: 1e-5, maxIterations: 40 };
    const expected = await analysisOf(
      context,
      { kind: '3dvar', covariance: shared, minimisation: stopping },
      background,
    );
    const found = await analysisOf(still, { kind: '4dvar', covariance: shared, minimisation: stopping }, background);
    expect(found.state).toBeClose(expected.state, { absolute: bound });
    expect(expected.state).not.toBeClose(background, { absolute: 1e-3 });
    context.dispose();
  });

  it('explains an increment by what each observation has contributed to it', async () => {
    const context = await contextOf(backend, basin({ nx: 9, ny: 8 }), spread, 2);
    const waters = { kind: 'recursive-filter', length: 4, standardDeviation: { h: 0.05 } } as const;
    const held = await createMethod(method({ kind: '4dvar', covariance: waters, minimisation }), context);
    const forecast = backend.allocate('forecast', 'real', held.state.length);
    backend.write(
      held.state,
      normals(3 * 72, 'four-d.water').map((value) => 0.05 * value),
    );
    backend.copy(held.state, forecast);
    if (held.beginning) backend.copy(held.state, held.beginning);
    held.departures.compute(held.state);
    await executeAnalysis(backend, held, 0);
    const answer = await held.explain({ kind: 'influence', variable: 'h', cell: { x: 3, y: 3 } }, forecast);
    const sum = answer?.contributions.reduce((total, value) => total + value, 0) ?? NaN;
    expect(sum).toBeCloseTo(answer?.increment ?? NaN, isExact ? 10 : 5);
    expect(Math.abs(sum)).toBeGreaterThan(1e-3);
    for (const owned of [held, forecast, context]) owned.dispose();
  });
});
