/** B = V Vᵀ of 3D-Var: V's adjoint is its adjoint, and its variances are those that the scenario states. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  adjointBound,
  LEAST_ADJOINT_SIZE,
  testAdjoint,
  dot,
  matrixOf,
} from '../../../engine/check/assimilation/dense.ts';
import { createControlTransform } from '../../../engine/methods/covariances/index.ts';
import { createReferenceBackend } from '../../../engine/index.ts';
import type { Backend, Covariance } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';

import { basin, lengthOf, PHYSICS, variational } from '../../../engine/check/assimilation/set-up.ts';
import type { Basin, CovarianceInput } from '../../../engine/check/assimilation/set-up.ts';

/** Not square, no multiple of a workgroup, and with cells that are not square either. */
const SIZE = { nx: 9, ny: 7 };

const DEVIATIONS = { h: 0.1, hu: 0, hv: 0.3 };

function covariance(settings: CovarianceInput): Covariance {
  return variational({ length: 4, standardDeviation: DEVIATIONS, ...settings }).covariance;
}

const boundaries: readonly { readonly walls: string; readonly shape: Basin }[] = [
  { walls: 'walls', shape: SIZE },
  { walls: 'both axes periodic', shape: { ...SIZE, periodicX: true, periodicY: true } },
  { walls: 'x periodic, walls along y', shape: { ...SIZE, periodicX: true } },
];

/** Blocks of a point or several, with overlaps within a neighbour and beyond, and one block between zeros. */
const decomposed = [
  { shape: SIZE, blocks: [3, 2], overlap: 2 },
  { shape: SIZE, blocks: [9, 1], overlap: 4 },
  { shape: SIZE, blocks: [4, 7], overlap: 0 },
  { shape: SIZE, blocks: [1, 1], overlap: 3 },
  { shape: { ...SIZE, periodicX: true }, blocks: [1, 3], overlap: 1 },
].flatMap(({ shape, blocks: [alongX, alongY], overlap }) =>
  ([true, false] as const).map((normalised) => {
    const decomposition = { blocks: [alongX, alongY] as [number, number], overlap };
    const settings = { kind: 'recursive-filter', normalised, balance: 'none', decomposition } as const;
    const name = `${alongX} × ${alongY} blocks, overlap ${overlap}, ${normalised ? '' : 'not '}normalised`;
    return { shape, settings, name };
  }),
);

const whole = boundaries.flatMap((boundary) =>
  (['recursive-filter', 'gaussian'] as const).flatMap((kind) =>
    [true, false].flatMap((normalised) =>
      (['none', 'geostrophic'] as const).map((balance) => ({
        ...boundary,
        settings: { kind, normalised, balance },
        name: `${kind}, ${boundary.walls}, ${normalised ? '' : 'not '}normalised, balance ${balance}`,
      })),
    ),
  ),
);
const cases = [...whole, ...decomposed];
const named = (some: typeof cases) => some.map((one) => [one.name, one] as const);

describe.each(backends)('background-error covariance B = V Vᵀ on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it.each(named(cases))('⟨Vx, y⟩ = ⟨x, Vᵀy⟩: %s', async (_, { shape, settings }) => {
    const model = basin(shape);
    const transform = await createControlTransform(backend, model, covariance(settings), PHYSICS);
    const found = await testAdjoint(backend, { ...transform, columns: transform.length, rows: lengthOf(model) });
    expect(found.difference).toBeLessThan(adjointBound(precision));
    expect(found.size).toBeGreaterThan(LEAST_ADJOINT_SIZE);
    transform.dispose();
  });

  // The diagonal of V Vᵀ is Σ over the control of V's squared row. Float32: each weight carries its taps' roundings, of
  // relative size 2⁻²⁴ · 50, and a square has it twice.
  const relative = precision === 'float64' ? 1e-12 : 6e-6;

  it.each(named(cases.filter(({ settings }) => settings.balance === 'none')))(
    'diag(V Vᵀ) is what variance() says: %s',
    async (_, { shape, settings }) => {
      const model = basin(shape);
      const cells = shape.nx * shape.ny;
      const transform = await createControlTransform(backend, model, covariance(settings), PHYSICS);
      const diagonal = (await matrixOf(backend, transform, lengthOf(model))).map((row) => dot(row, row));
      [DEVIATIONS.h, DEVIATIONS.hu, DEVIATIONS.hv].forEach((deviation, variable) => {
        const found = diagonal.slice(variable * cells, (variable + 1) * cells);
        const stated = transform.variance(variable);
        const unit = deviation > 0 ? deviation ** 2 : 1;
        const share = (values: ArrayLike<number>) => Array.from(values, (value) => value / unit);
        expect(share(found)).toBeClose(share(stated), { absolute: relative });
        // Normalised it is what was asked for in every cell; otherwise the filter has taken most of it away.
        const [least, most] = settings.normalised ? [1 - relative, 1 + relative] : [0.001, 0.5];
        expect(Math.min(...share(found))).toBeGreaterThanOrEqual(deviation > 0 ? least : 0);
        expect(Math.max(...share(found))).toBeLessThanOrEqual(deviation > 0 ? most : 0);
      });
      transform.dispose();
    },
  );
});

describe('background-error covariance B = V Vᵀ, element by element', () => {
  it.each(named(cases))('covariance() is that of V Vᵀ: %s', async (_, { shape, settings }) => {
    const backend = createReferenceBackend();
    const model = basin(shape);
    const cells = shape.nx * shape.ny;
    const transform = await createControlTransform(backend, model, covariance(settings), PHYSICS);
    const root = await matrixOf(backend, transform, lengthOf(model));
    // The elements that are known from the filter's band, at lags that are kept and beyond, and of other components.
    for (let e = 0; e < root.length; e += 5) {
      const others = [e, e + 1, e + shape.nx, e + shape.nx + 2, e + cells, e + 2 * cells - 3, e + 31];
      const found = others.map((index) => {
        const other = index % root.length;
        return transform.covariance(Math.floor(e / cells), e % cells, Math.floor(other / cells), other % cells);
      });
      const expected = others.map((index) => dot(root[e], root[index % root.length]));
      const scale = Math.max(...expected.map(Math.abs), 0.01);
      expect(found).toBeClose(expected, { absolute: 1e-12 * scale });
    }
    transform.dispose();
    backend.dispose();
  });
});

describe('background-error covariance B = V Vᵀ, what it means', () => {
  let backend: Backend;
  beforeAll(() => {
    backend = createReferenceBackend();
  });
  afterAll(() => backend.dispose());

  it.each(['recursive-filter', 'gaussian'] as const)(
    'geostrophic balance leaves the variance of the surface alone and gives momenta their own: %s',
    async (kind) => {
      const model = basin(SIZE);
      const cells = SIZE.nx * SIZE.ny;
      const settings = { kind, balance: 'geostrophic', standardDeviation: { h: 0.1 } } as const;
      const transform = await createControlTransform(backend, model, covariance(settings), PHYSICS);
      const diagonal = (await matrixOf(backend, transform, lengthOf(model))).map((row) => dot(row, row));
      expect(transform.length).toBe(cells);
      expect(diagonal.slice(0, cells)).toBeClose(Array(cells).fill(0.01), { absolute: 1e-14 });
      // Of a correlation exp(−r²/2L²) the gradient has the variance σ²/L²: hu has (gH/f)² times it, with 0.8 < H < 1.2,
      // where the differences of a grid of 2 m see two thirds of it and more. Loose, to catch a wrong unit.
      const momentum = (PHYSICS.gravity / PHYSICS.coriolis.f) ** 2 * (0.01 / 4 ** 2);
      const middle = diagonal[cells + 3 * SIZE.nx + 4];
      expect(middle / momentum).toBeGreaterThan(0.4);
      expect(middle / momentum).toBeLessThan(1.5);
      transform.dispose();
    },
  );

  it('a control vector without any standard deviation is refused', async () => {
    const settings = covariance({ kind: 'gaussian', standardDeviation: { h: 0 } });
    await expect(createControlTransform(backend, basin(SIZE), settings, PHYSICS)).rejects.toThrow(
      'no variable has a background standard deviation',
    );
  });
});
