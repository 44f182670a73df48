/** Where the truth ranks among the members: flat for a reliable ensemble. */
import type { ArraysOf } from '../../compute/backend.ts';
import { defineOperator } from '../../compute/define-operator.ts';
import type { RankHistogramParameters, RankHistogramFields } from './parameters.ts';

/**
 * Counts of the truth's rank, ties broken at random: a truth that equals n members has each of the n + 1 ranks with the same
 * probability. The draws are counted by cell and variable, and the same on every backend. Integers, so the order of counting
 * does not matter.
 */
export const rankHistogram = defineOperator<RankHistogramParameters, RankHistogramFields>({
  name: 'rank-histogram',
  fields: { ensemble: 'real', truth: 'real', weight: 'real', key: 'index', counts: 'index' },
  cost: ({ members, nx, ny, strideX, strideY, scored }, elementBytes) => {
    const cells = Math.ceil(nx / strideX) * Math.ceil(ny / strideY) * scored.length;
    return { bytes: elementBytes * (members + 2) * cells, flops: 2 * members * cells };
  },
  reference: rankHistogramReference,
  wasm: async () => (await import('./wasm.ts')).rankHistogram,
  webgpu: async () => (await import('./webgpu.ts')).rankHistogram,
});

/** A step of a linear congruential generator of 32 bits. */
function step(word: number): number {
  return (Math.imul(word, 1_664_525) + 1_013_904_223) >>> 0;
}

/** A number of 32 random bits for a counter and a key of two words: the first word of pcg3d [jarzynski2020]. */
export function counted(counter: number, key0: number, key1: number): number {
  let [x, y, z] = [step(counter), step(key0), step(key1)];
  x = (x + Math.imul(y, z)) >>> 0;
  y = (y + Math.imul(z, x)) >>> 0;
  z = (z + Math.imul(x, y)) >>> 0;
  [x, y, z] = [x, y, z].map((word) => (word ^ (word >>> 16)) >>> 0);
  return (x + Math.imul(y, z)) >>> 0;
}

function rankHistogramReference({ members, variables, nx, ny, strideX, strideY, scored }: RankHistogramParameters) {
  const cells = nx * ny;
  const state = variables * cells;
  return ({ ensemble, truth, weight, key, counts }: ArraysOf<RankHistogramFields>): void => {
    counts.fill(0);
    const countCell = (cell: number, row: number): void => {
      const i = scored[row] * cells + cell;
      let below = 0;
      let ties = 0;
      for (let l = 0; l < members; l++) {
        below += ensemble[l * state + i] < truth[i] ? 1 : 0;
        ties += ensemble[l * state + i] === truth[i] ? 1 : 0;
      }
      const share = ties > 0 ? counted(i, key[0], key[1]) % (ties + 1) : 0;
      counts[row * (members + 1) + below + share] += 1;
    };
    for (let y = 0; y < ny; y += strideY) {
      for (let x = 0; x < nx; x += strideX) {
        const cell = y * nx + x;
        if (weight[cell] === 0) continue;
        for (let row = 0; row < scored.length; row++) countCell(cell, row);
      }
    }
  };
}
