/** Means over blocks of cells, of numbers in memory: what the GPU makes of the planes that it holds. */
import { blockCount, type PlaneBlocks } from '../../../engine/index.ts';

/** Adds `block` numbers from `next` on to each of the sums from `first` up to `end`. */
function addRow(sums: Float64Array, first: number, end: number, block: number, from: ArrayLike<number>, next: number) {
  let cell = next;
  for (let at = first; at < end; at++) {
    let sum = sums[at];
    for (let k = 0; k < block; k++) sum += from[cell++];
    sums[at] = sum;
  }
}

/**
 * @param values [y][x]
 * @param minus is subtracted first, in single precision
 * @returns a mean for each block, [row][column]
 */
export function blockMeans(values: ArrayLike<number>, blocks: PlaneBlocks, minus?: ArrayLike<number>): Float64Array {
  const { nx, x, y } = blocks;
  const columns = Math.floor(nx / x);
  const means = new Float64Array(blockCount(blocks));
  const differences = new Float32Array(minus ? columns * x : 0);
  const rows = (means.length / columns) * y;
  for (let j = 0; j < rows; j++) {
    const first = Math.floor(j / y) * columns;
    const cell = j * nx;
    if (minus) for (let i = 0; i < differences.length; i++) differences[i] = values[cell + i] - minus[cell + i];
    if (minus) addRow(means, first, first + columns, x, differences, 0);
    else addRow(means, first, first + columns, x, values, cell);
  }
  if (x * y > 1) {
    const share = 1 / (x * y);
    for (let at = 0; at < means.length; at++) means[at] *= share;
  }
  return means;
}
