/** What methods answer when they are asked why: a column of 3D-Var's B against the dense matrix, and nothing from the others. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { METHODS } from '../../../engine/index.ts';
import type { Backend } from '../../../engine/index.ts';
import { createControlTransform } from '../../../engine/methods/covariances/index.ts';
import { createMethod } from '../../../engine/methods/index.ts';
import type { Method } from '../../../engine/methods/index.ts';
import { createShallowWater } from '../../../engine/models/index.ts';
import { allBackends } from '../../setup/backends.ts';
import { dot, matrixOf } from '../../../engine/check/assimilation/dense.ts';
import { basin, contextOf, lengthOf, method, PHYSICS, variational } from '../../../engine/check/assimilation/set-up.ts';
import type { CovarianceInput, Observed } from '../../../engine/check/assimilation/set-up.ts';

const [NX, NY] = [7, 5];
const CELLS = NX * NY;
const MODEL = basin({ nx: NX, ny: NY });

const COVARIANCE: CovarianceInput = {
  kind: 'gaussian',
  length: 4,
  standardDeviation: { h: 0.1, hv: 0.3 },
  balance: 'geostrophic',
};

const OBSERVED: Observed = {
  x: Float64Array.of(2, 5),
  y: Float64Array.of(1, 3),
  variable: ['h', 'hv'],
  values: Float64Array.of(1, 0),
  inverseErrorStd: Float64Array.of(10, 10),
};

describe.each(allBackends)('why an analysis is what it is, on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  async function withMethod<Result>(
    settings: Parameters<typeof createMethod>[0],
    model: typeof MODEL,
    use: (made: Method) => Promise<Result>,
  ): Promise<Result> {
    const context = await contextOf(backend, model, OBSERVED, 3);
    const made = await createMethod(settings, context);
    try {
      return await use(made);
    } finally {
      made.dispose();
      context.dispose();
    }
  }

  it.each([
    ['h', 3, 2],
    ['hu', 0, 0],
    ['hv', NX - 1, NY - 1],
  ] as const)(
    '3D-Var: the column of B at %s in the cell (%i, %i) is that of the dense matrix',
    async (variable, x, y) => {
      const settings = variational(COVARIANCE);
      const transform = await createControlTransform(backend, MODEL, settings.covariance, PHYSICS);
      const root = await matrixOf(backend, transform, lengthOf(MODEL));
      transform.dispose();
      const element = ['h', 'hu', 'hv'].indexOf(variable) * CELLS + y * NX + x;
      const expected = root.map((row) => dot(row, root[element]));
      const answer = await withMethod(settings, MODEL, (made) =>
        made.explain({ kind: 'covariance-column', variable, cell: { x, y } }, made.state),
      );
      const scale = Math.max(...expected.map(Math.abs));
      expect(scale).toBeGreaterThan(0);
      // Each element is a sum over the control vector of products of V's, whose filters have tens of taps.
      expect(answer?.values).toBeClose(expected, { absolute: (precision === 'float64' ? 1e-13 : 1e-5) * scale });
    },
  );

  it('3D-Var reports the variables with the units of their covariance', async () => {
    const answer = await withMethod(variational(COVARIANCE), MODEL, (made) =>
      made.explain({ kind: 'covariance-column', variable: 'h', cell: { x: 0, y: 0 } }, made.state),
    );
    expect(answer?.variables).toEqual([
      { name: 'h', unit: 'm·m' },
      { name: 'hu', unit: 'm²/s·m' },
      { name: 'hv', unit: 'm²/s·m' },
    ]);
  });

  it('3D-Var has no covariance with dry land, nor from it', async () => {
    // The right half is land, a metre above the water at rest.
    const bed = Float64Array.from({ length: CELLS }, (_, cell) => (cell % NX > 3 ? 1 : -1));
    const grid = { nx: NX, ny: NY, dx: 2, dy: 2, periodicX: false, periodicY: false };
    const description = { scheme: 'central-upwind', grid, gravity: 9.81, timeStep: 'auto', bed } as const;
    const model = createShallowWater(description);
    const settings = variational({ kind: 'gaussian', length: 4, standardDeviation: { h: 0.1 } });
    const depths = Float64Array.from({ length: 3 * CELLS }, (_, i) => (i < CELLS && i % NX <= 3 ? 1 : 0));
    const [fromWater, fromLand] = await withMethod(settings, model, async (made) => {
      backend.write(made.state, model.toState(depths));
      const column = async (x: number) =>
        made.explain({ kind: 'covariance-column', variable: 'h', cell: { x, y: 2 } }, made.state);
      return [await column(3), await column(4)];
    });
    const surface = Array.from(fromWater?.values.slice(0, CELLS) ?? []);
    expect(surface.every((value, cell) => (cell % NX > 3 ? value === 0 : value > 0))).toBe(true);
    expect(fromLand?.values.every((value) => value === 0)).toBe(true);
  });

  it.each([
    ['a variable', { variable: 'u', cell: { x: 0, y: 0 } }, 'found the variable u, the state has h, hu, hv'],
    ['a cell', { variable: 'h', cell: { x: NX, y: 0 } }, `found the cell (${NX}, 0), the grid has ${NX} × ${NY}`],
  ])('3D-Var refuses %s that there is not', async (_, where, message) => {
    await withMethod(variational(COVARIANCE), MODEL, async (made) => {
      await expect(made.explain({ kind: 'covariance-column', ...where }, made.state)).rejects.toThrow(message);
    });
  });

  it.each(
    METHODS.filter(({ trustsSpread }) => !trustsSpread)
      .map(({ kind }) => kind)
      .filter((kind) => kind !== '3dvar' && kind !== '4dvar'),
  )('%s states no covariance of its background', async (kind) => {
    const answer = await withMethod(method({ kind }), MODEL, (made) =>
      made.explain({ kind: 'covariance-column', variable: 'h', cell: { x: 0, y: 0 } }, made.state),
    );
    expect(answer).toBeUndefined();
  });

  it.each(METHODS.map(({ kind, carries }) => [kind, carries] as const))(
    '%s begins with the ensemble as it was drawn, or its mean where it carries a %s',
    async (kind, carries) => {
      const length = lengthOf(MODEL);
      const drawn = Float64Array.from(
        { length: 3 * length },
        (_, i) => Math.floor(i / length) * 3 + ((i % length) % 8),
      );
      const ensemble = backend.allocate('drawn', 'real', drawn.length);
      backend.write(ensemble, drawn);
      const state = await withMethod(method({ kind }), MODEL, (made) => {
        made.initialise(ensemble);
        return backend.read(made.state);
      });
      // Members are 0, 3 and 6 above the first: their mean is whole in any precision.
      expect(state).toEqual(carries === 'ensemble' ? drawn : drawn.slice(length, 2 * length));
      expect(await backend.read(ensemble)).toEqual(drawn);
      ensemble.dispose();
    },
  );
});
