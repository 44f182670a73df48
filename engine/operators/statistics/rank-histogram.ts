/** Where the truth ranks among the members: flat for a reliable ensemble. */
import type { ArraysOf, Operator } from '../../compute/backend.ts';

export interface RankHistogramParameters {
  readonly members: number;
  readonly variables: number;
  readonly nx: number;
  readonly ny: number;
  /** Thinning: cells 0, stride, 2·stride, … along each axis are counted, since neighbours tell the same. */
  readonly strideX: number;
  readonly strideY: number;
}

export type RankHistogramFields = {
  /** [members][variables][ny][nx] */
  readonly ensemble: 'real';
  /** [variables][ny][nx] */
  readonly truth: 'real';
  /** [members + 1], written: cells of the first variable where exactly that many members are strictly below the truth. */
  readonly counts: 'index';
};

/** Counts of the truth's rank; ties rank it lowest. Integers, so the order of counting does not matter. */
export const rankHistogram: Operator<RankHistogramParameters, RankHistogramFields> = {
  name: 'rank-histogram',
  fields: { ensemble: 'real', truth: 'real', counts: 'index' },
  cost: ({ members, nx, ny, strideX, strideY }, elementBytes) => {
    const cells = Math.ceil(nx / strideX) * Math.ceil(ny / strideY);
    return { bytes: elementBytes * (members + 1) * cells, flops: members * cells };
  },
  reference: rankHistogramReference,
  webgpu: () => import('./webgpu-rank-histogram.ts'),
};

function rankHistogramReference({ members, variables, nx, ny, strideX, strideY }: RankHistogramParameters) {
  const state = variables * nx * ny;
  return ({ ensemble, truth, counts }: ArraysOf<RankHistogramFields>): void => {
    counts.fill(0);
    for (let y = 0; y < ny; y += strideY) {
      for (let x = 0; x < nx; x += strideX) {
        const i = y * nx + x;
        let rank = 0;
        for (let l = 0; l < members; l++) rank += ensemble[l * state + i] < truth[i] ? 1 : 0;
        counts[rank] += 1;
      }
    }
  };
}
