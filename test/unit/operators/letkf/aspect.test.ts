import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../../engine/index.ts';
import { allBackends } from '../../../setup/backends.ts';
import { analyse, randomProblem } from './set-up.ts';
import type { Problem } from './set-up.ts';

const ASPECT = 2;

/** The same water on square cells: every row of cells twice as high becomes two, of which the second holds anything. */
function onSquareCells(problem: Problem): Problem {
  const { nx, ny, variables, members, ensemble, positionY } = problem;
  const rows = ASPECT * ny;
  const square = new Float64Array(members * variables * rows * nx).fill(1);
  for (let plane = 0; plane < members * variables; plane++) {
    for (let j = 0; j < ny; j++) {
      const row = ensemble.subarray((plane * ny + j) * nx, (plane * ny + j + 1) * nx);
      square.set(row, (plane * rows + ASPECT * j) * nx);
    }
  }
  return { ...problem, ny: rows, ensemble: square, positionY: positionY.map((y) => ASPECT * y) };
}

describe.each(allBackends)('LETKF on cells that are not square, on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it.each([
    { form: 'dual', periodicY: false, members: 12 },
    { form: 'primal', periodicY: true, members: 6 },
  ] as const)('measures distances in lengths, not in cells ($form, periodic: $periodicY)', async (settings) => {
    const { form, ...shape } = settings;
    const problem = randomProblem({ ...shape, ny: 9, halfWidthCells: 2, observations: 10, seed: 5 });
    const stretched = await analyse(backend, { ...problem, aspect: ASPECT }, { form });
    const square = await analyse(backend, onSquareCells(problem), { form });
    const { nx, ny, variables, members } = problem;
    const expected = new Float64Array(stretched.length);
    for (let plane = 0; plane < members * variables; plane++) {
      for (let j = 0; j < ny; j++) {
        const start = (plane * ASPECT * ny + ASPECT * j) * nx;
        expected.set(square.subarray(start, start + nx), (plane * ny + j) * nx);
      }
    }
    // The same sums in another order of bins.
    expect(stretched).toBeClose(expected, { relative: precision === 'float64' ? 1e-12 : 1e-5 });
  });
});
