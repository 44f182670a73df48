/**
 * A sparse matrix H in compressed rows: y = Hx and x = Hᵀy for a batch of vectors. The adjoint walks columns through a
 * structure made once on the host, which points into the one `data` array: data that change on the device are shared, each
 * result has one owner, and nothing is added atomically.
 */
import type { Operator } from '../../compute/backend.ts';
import { columnScalingFields, sparseAdjointFields, sparseProductFields } from './parameters.ts';
import type { SparseParameters, SparseRows, TransposedStructure } from './parameters.ts';
import * as reference from './reference.ts';

/**
 * y = Hx: `input` is `[batch][columns]`, `output` is `[batch][rows]`.
 * Cost: a vector reads nonzeros values of x and the matrix, and writes y: 2·nonzeros flops.
 */
export const sparseProduct: Operator<SparseParameters, typeof sparseProductFields> = {
  name: 'sparse-product',
  fields: sparseProductFields,
  cost: ({ rows, nonzeros, batch }, elementBytes) => ({
    bytes: batch * (nonzeros * (4 + 2 * elementBytes) + rows * (4 + elementBytes)),
    flops: 2 * nonzeros * batch,
  }),
  implementations: {
    reference: reference.sparseProduct,
    wasm: async () => (await import('./wasm.ts')).sparseProduct,
    webgpu: async () => (await import('./webgpu.ts')).sparseProduct,
  },
};

/**
 * x = Hᵀy: `input` is `[batch][rows]`, `output` is `[batch][columns]`, written whole.
 * Cost: as `sparseProduct`, with two indices an entry.
 */
export const sparseAdjoint: Operator<SparseParameters, typeof sparseAdjointFields> = {
  name: 'sparse-adjoint',
  fields: sparseAdjointFields,
  cost: ({ columns, nonzeros, batch }, elementBytes) => ({
    bytes: batch * (nonzeros * (8 + 2 * elementBytes) + columns * (4 + elementBytes)),
    flops: 2 * nonzeros * batch,
  }),
  implementations: {
    reference: reference.sparseAdjoint,
    wasm: async () => (await import('./wasm.ts')).sparseAdjoint,
    webgpu: async () => (await import('./webgpu.ts')).sparseAdjoint,
  },
};

/**
 * H ← H diag(`scale`), in place: `scale` is `[columns]`, and only `data` is written.
 * Cost: an entry reads its column, its value and the scale, and writes its value; 1 flop.
 */
export const columnScaling: Operator<SparseParameters, typeof columnScalingFields> = {
  name: 'column-scaling',
  fields: columnScalingFields,
  cost: ({ nonzeros }, elementBytes) => ({ bytes: nonzeros * (4 + 3 * elementBytes), flops: nonzeros }),
  implementations: {
    reference: reference.columnScaling,
    wasm: async () => (await import('./wasm.ts')).columnScaling,
    webgpu: async () => (await import('./webgpu.ts')).columnScaling,
  },
};

/** The entries by column, within a column in the order of rows: a counting sort. */
export function transposeStructure({ indptr, indices }: SparseRows, columns: number): TransposedStructure {
  const rows = indptr.length - 1;
  const entries = indptr[rows];
  const columnStart = new Uint32Array(columns + 1);
  for (let entry = 0; entry < entries; entry++) columnStart[indices[entry] + 1] += 1;
  for (let column = 0; column < columns; column++) columnStart[column + 1] += columnStart[column];
  const next = columnStart.slice();
  const entryRow = new Uint32Array(entries);
  const entryPosition = new Uint32Array(entries);
  for (let row = 0; row < rows; row++) {
    for (let entry = indptr[row]; entry < indptr[row + 1]; entry++) {
      const place = next[indices[entry]]++;
      entryRow[place] = row;
      entryPosition[place] = entry;
    }
  }
  return { columnStart, entryRow, entryPosition };
}
