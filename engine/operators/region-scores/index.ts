/**
 * Scores of an ensemble against the truth by region: with e = x̄ − t and the weight w of each cell, Σ w, Σ w e² and
 * Σ w Σ_l (x_l − x̄)²/(k − 1) over the cells of each region, by variable; 0 of the last for a single member. Regions are `columns` ×
 * `rows` parts of the grid of about one size, row by row.
 *
 * Differences from the truth come first, so that float32 keeps the digits of small errors. Sums are float64 in `reference` and `wasm`.
 */
import { kernelOperator } from '../../compute/define-operator.ts';
import { parameterBlock, type ScalarsOf } from '../../compute/parameter-block.ts';

const block = parameterBlock('RegionScores', {
  members: 'count',
  variables: 'count',
  nx: 'count',
  ny: 'count',
  /** Regions along each axis. */
  columns: 'count',
  rows: 'count',
  /** [members][variables][ny][nx] */
  ensemble: 'read real',
  /** [variables][ny][nx] */
  truth: 'read real',
  /** [ny][nx] */
  weight: 'read real',
  /** [rows][columns][variables][3], the sums in the order above. */
  sums: 'write real',
});

export type RegionScoresParameters = ScalarsOf<typeof block.members>;

/** Sums of a region and variable. */
export const REGION_SUMS = 3;

/** @returns the first cell of an axis in each part, and the number of cells as the last one */
function boundsAlong(cells: number, parts: number): readonly number[] {
  return Array.from({ length: parts + 1 }, (_, part) => Math.ceil((part * cells) / parts));
}

/** Cost: ensemble, truth and weights once; four operations a member, and eight more a cell. */
export const regionScores = kernelOperator({
  name: 'region-scores',
  block,
  cost: ({ members, variables, nx, ny }, elementBytes) => ({
    bytes: ((members + 1) * variables + 1) * nx * ny * elementBytes,
    flops: (4 * members + 8) * variables * nx * ny,
  }),
  reference: ({ members, variables, nx, ny, columns, rows }) => {
    const [xs, ys] = [boundsAlong(nx, columns), boundsAlong(ny, rows)];
    const state = variables * nx * ny;
    return ({ ensemble, truth, weight, sums }) => {
      for (let region = 0; region < columns * rows; region++) {
        const [column, row] = [region % columns, Math.floor(region / columns)];
        for (let v = 0; v < variables; v++) {
          let [weights, squares, variances] = [0, 0, 0];
          for (let y = ys[row]; y < ys[row + 1]; y++) {
            for (let x = xs[column]; x < xs[column + 1]; x++) {
              const cell = y * nx + x;
              const i = v * nx * ny + cell;
              let error = 0;
              for (let l = 0; l < members; l++) error += (ensemble[l * state + i] - truth[i]) / members;
              let variance = 0;
              for (let l = 0; l < members; l++) variance += (ensemble[l * state + i] - truth[i] - error) ** 2;
              weights += weight[cell];
              squares += weight[cell] * error ** 2;
              variances += (weight[cell] * variance) / Math.max(1, members - 1);
            }
          }
          sums.set([weights, squares, variances], REGION_SUMS * (region * variables + v));
        }
      }
    };
  },
  // A part is a variable of a region.
  wasm: ({ variables, columns, rows }) => ({ kernel: 'regionScores', parts: variables * columns * rows }),
  webgpu: {
    code: () => [import('../../compute/webgpu/library/vector-reduction.wgsl?raw'), import('./region-scores.wgsl?raw')],
    items: () => 1,
    layers: ({ variables, columns, rows }) => variables * columns * rows,
  },
});
