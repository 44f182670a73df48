import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { noise } from '../../../engine/check/measures.ts';
import { regionScores, type RegionScoresParameters } from '../../../engine/operators/region-scores/index.ts';
import { allBackends, applyOperator } from '../../setup/backends.ts';

const shapes = [
  { members: 5, variables: 2, nx: 13, ny: 9, columns: 2, rows: 4 },
  { members: 1, variables: 3, nx: 6, ny: 5, columns: 2, rows: 2 },
  { members: 3, variables: 1, nx: 42, ny: 1, columns: 4, rows: 1 },
  { members: 2, variables: 1, nx: 300, ny: 70, columns: 2, rows: 2 },
  // Some parts have no cell.
  { members: 2, variables: 1, nx: 3, ny: 1, columns: 4, rows: 2 },
] as const;

/** Which part of an axis a cell is in, by shares of its length. */
function partOf(cell: number, cells: number, parts: number): number {
  return Math.floor((parts * cell) / cells);
}

/** The sums of a region and variable, each cell asked where it is. */
function sumsOf(
  { members, variables, nx, ny, columns, rows }: RegionScoresParameters,
  { ensemble, truth, weight }: Readonly<Record<'ensemble' | 'truth' | 'weight', Float64Array>>,
  region: number,
  variable: number,
): readonly number[] {
  const cells = nx * ny;
  const sums = [0, 0, 0];
  for (let cell = 0; cell < cells; cell++) {
    const [x, y] = [cell % nx, Math.floor(cell / nx)];
    if (partOf(y, ny, rows) * columns + partOf(x, nx, columns) !== region) continue;
    const i = variable * cells + cell;
    const errors = Array.from({ length: members }, (_, l) => ensemble[l * variables * cells + i] - truth[i]);
    const mean = errors.reduce((a, b) => a + b, 0) / members;
    const squares = errors.reduce((sum, error) => sum + (error - mean) ** 2, 0);
    sums[0] += weight[cell];
    sums[1] += weight[cell] * mean ** 2;
    sums[2] += (weight[cell] * squares) / Math.max(1, members - 1);
  }
  return sums;
}

describe.each(allBackends)('scores by region on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());
  const epsilon = precision === 'float64' ? 2 ** -53 : 2 ** -24;

  it.each(shapes)('$members members, $nx × $ny cells in $columns × $rows parts', async (shape) => {
    const { members, variables, nx, ny, columns, rows } = shape;
    const state = variables * nx * ny;
    // A truth near 4096 and differences below 1/16, exact in float32.
    const truth = noise(state, 1).map((x) => 4096 + Math.round(x * 1000) / 8);
    const ensemble = noise(members * state, 2).map((x, at) => truth[at % state] + Math.round(x * 128) / 2048);
    const weight = Float64Array.from({ length: nx * ny }, (_, cell) => ((cell * 7) % 4) / 2);
    const { sums } = await applyOperator(backend, regionScores, shape, {
      ensemble,
      truth,
      weight,
      sums: 3 * variables * columns * rows,
    });
    for (let region = 0; region < columns * rows; region++) {
      for (let variable = 0; variable < variables; variable++) {
        const expected = sumsOf(shape, { ensemble, truth, weight }, region, variable);
        const found = sums.subarray(3 * (region * variables + variable), 3 * (region * variables + variable + 1));
        // Terms are not negative: roundings of a term, of a lane over its cells, and of a tree of 8 levels.
        const roundings = 2 * members + 16 + (precision === 'float64' ? nx * ny : (nx * ny) / 256);
        const ratios = expected.map((sum, quantity) => (sum === 0 ? 1 + found[quantity] : found[quantity] / sum));
        expect(ratios).toBeClose([1, 1, 1], { absolute: roundings * epsilon });
      }
    }
  });
});
