import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { geostrophicBalance } from '../../../engine/operators/geostrophic-balance/index.ts';
import { applyOperator, allBackends } from '../../setup/backends.ts';
import { normals } from '../../../engine/check/measures.ts';

const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
};

const grids = [
  { nx: 17, ny: 5, periodicX: false, periodicY: true },
  { nx: 4, ny: 19, periodicX: true, periodicY: false },
  { nx: 1, ny: 3, periodicX: false, periodicY: false },
  { nx: 2, ny: 2, periodicX: true, periodicY: false },
  { nx: 1, ny: 2, periodicX: true, periodicY: true },
];

describe.each(allBackends)('geostrophic balance on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it.each(grids)('has an exact adjoint on $nx × $ny', async (grid) => {
    const n = grid.nx * grid.ny;
    const coefficient = normals(n, 'coefficient');
    const x = normals(3 * n, 'x');
    const y = normals(3 * n, 'y');
    const common = { ...grid, dx: 2, dy: 0.5 };
    const { output: kx } = await applyOperator(
      backend,
      geostrophicBalance,
      { ...common, transpose: false },
      { coefficient, input: x, output: 3 * n },
    );
    const { output: kty } = await applyOperator(
      backend,
      geostrophicBalance,
      { ...common, transpose: true },
      { coefficient, input: y, output: 3 * n },
    );
    // Each side is a sum of 3n products; relative to the sum of their sizes.
    const scale = Math.sqrt(dot(kx, kx) * dot(y, y));
    expect(Math.abs(dot(kx, y) - dot(x, kty)) / scale).toBeLessThan(precision === 'float64' ? 1e-12 : 1e-5);
  });

  it('gives the geostrophic flow of a plane and of a wave', async () => {
    const [nx, ny, dx, dy] = [32, 9, 3, 2];
    const n = nx * ny;
    const k = (2 * Math.PI) / (nx * dx);
    const surface = new Float64Array(3 * n);
    const expected = new Float64Array(3 * n);
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++) {
        const cell = j * nx + i;
        surface[cell] = expected[cell] = Math.sin(k * i * dx) + 0.1 * j * dy;
        expected[n + cell] = -5 * 0.1;
        // The centred difference of a sine is its derivative times sin(k dx) / (k dx).
        expected[2 * n + cell] = 5 * Math.cos(k * i * dx) * (Math.sin(k * dx) / dx);
      }
    }
    const { output } = await applyOperator(
      backend,
      geostrophicBalance,
      { nx, ny, dx, dy, periodicX: true, periodicY: false, transpose: false },
      { coefficient: new Float64Array(n).fill(5), input: surface, output: 3 * n },
    );
    // Differences of numbers near 1 over 2 dx, times 5: a few eps.
    expect(output).toBeClose(expected, { absolute: precision === 'float64' ? 1e-13 : 3e-6 });
  });
});
