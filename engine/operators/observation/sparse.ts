/**
 * A sparse matrix H in compressed rows: y = Hx and x = Hᵀy for a batch of vectors. The adjoint walks columns through a
 * structure made once on the host, which points into the one `data` array: data that change on the device are shared, each
 * result has one owner, and nothing is added atomically.
 */
import { inRuns, inRunsOfLayers, kernelOperator } from '../../compute/define-operator.ts';
import { parameterBlock } from '../../compute/parameter-block.ts';

/** Rows of a part; columns or entries of a part, many of which are next to no work. */
const ROWS = 1024;
const ENTRIES = 16_384;

export interface SparseParameters {
  readonly rows: number;
  readonly columns: number;
  /** Entries of the matrix at most: enters the cost alone, but for `columnScaling`. */
  readonly nonzeros: number;
  /** Vectors that are multiplied at once. */
  readonly batch: number;
}

/** Where the entries are: those of row j are `indptr[j]` … `indptr[j + 1]`. Rows may be empty, columns may repeat. */
export interface SparseRows {
  /** `[rows + 1]`. */
  readonly indptr: Uint32Array;
  /** Column of each entry. */
  readonly indices: Uint32Array;
}

/** The same entries by column: those of column i are `columnStart[i]` … `columnStart[i + 1]`. */
export interface TransposedStructure {
  /** `[columns + 1]`. */
  readonly columnStart: Uint32Array;
  /** Row of each entry. */
  readonly entryRow: Uint32Array;
  /** Where it is in `data`. */
  readonly entryPosition: Uint32Array;
}

/**
 * y = Hx: `input` is `[batch][columns]`, `output` is `[batch][rows]`.
 * Cost: a vector reads nonzeros values of x and the matrix, and writes y: 2·nonzeros flops.
 */
export const sparseProduct = kernelOperator({
  name: 'sparse-product',
  block: parameterBlock('SparseProduct', {
    rows: 'count',
    columns: 'count',
    batch: 'count',
    /** Rows of a part, and parts of a vector. */
    segment: 'part',
    segments: 'part',
    indptr: 'read index',
    indices: 'read index',
    data: 'read real',
    input: 'read real',
    output: 'write real',
  }),
  cost: ({ rows, nonzeros, batch }: SparseParameters, elementBytes) => ({
    bytes: batch * (nonzeros * (4 + 2 * elementBytes) + rows * (4 + elementBytes)),
    flops: 2 * nonzeros * batch,
  }),
  reference:
    ({ rows, columns, batch }) =>
    ({ indptr, indices, data, input, output }) => {
      for (let member = 0; member < batch; member++) {
        for (let row = 0; row < rows; row++) {
          let sum = 0;
          for (let entry = indptr[row]; entry < indptr[row + 1]; entry++) {
            sum += data[entry] * input[member * columns + indices[entry]];
          }
          output[member * rows + row] = sum;
        }
      }
    },
  wasm: ({ rows, batch }) => ({ kernel: 'multiplySparse', ...inRunsOfLayers(rows, batch, ROWS) }),
  webgpu: {
    code: () => [import('./sparse.wgsl?raw')],
    parts: ['sparse-product'],
    items: ({ rows }) => rows,
    layers: ({ batch }) => batch,
  },
});

/**
 * x = Hᵀy: `input` is `[batch][rows]`, `output` is `[batch][columns]`, written whole.
 * Cost: as `sparseProduct`, with two indices an entry.
 */
export const sparseAdjoint = kernelOperator({
  name: 'sparse-adjoint',
  block: parameterBlock('SparseAdjoint', {
    rows: 'count',
    columns: 'count',
    batch: 'count',
    /** Columns of a part, and parts of a vector. */
    segment: 'part',
    segments: 'part',
    columnStart: 'read index',
    entryRow: 'read index',
    entryPosition: 'read index',
    data: 'read real',
    input: 'read real',
    output: 'write real',
  }),
  cost: ({ columns, nonzeros, batch }: SparseParameters, elementBytes) => ({
    bytes: batch * (nonzeros * (8 + 2 * elementBytes) + columns * (4 + elementBytes)),
    flops: 2 * nonzeros * batch,
  }),
  reference:
    ({ rows, columns, batch }) =>
    ({ columnStart, entryRow, entryPosition, data, input, output }) => {
      for (let member = 0; member < batch; member++) {
        for (let column = 0; column < columns; column++) {
          let sum = 0;
          for (let entry = columnStart[column]; entry < columnStart[column + 1]; entry++) {
            sum += data[entryPosition[entry]] * input[member * rows + entryRow[entry]];
          }
          output[member * columns + column] = sum;
        }
      }
    },
  wasm: ({ columns, batch }) => ({ kernel: 'multiplySparseAdjoint', ...inRunsOfLayers(columns, batch, ENTRIES) }),
  webgpu: {
    code: () => [import('./sparse.wgsl?raw')],
    parts: ['sparse-adjoint'],
    items: ({ columns }) => columns,
    layers: ({ batch }) => batch,
  },
});

/**
 * H ← H diag(`scale`), in place: `scale` is `[columns]`, and only `data` is written.
 * Cost: an entry reads its column, its value and the scale, and writes its value; 1 flop.
 */
export const columnScaling = kernelOperator({
  name: 'column-scaling',
  block: parameterBlock('ColumnScaling', {
    rows: 'count',
    /** Entries of a part. */
    segment: 'part',
    indptr: 'read index',
    indices: 'read index',
    data: 'write real',
    scale: 'read real',
  }),
  cost: ({ nonzeros }: SparseParameters, elementBytes) => ({
    bytes: nonzeros * (4 + 3 * elementBytes),
    flops: nonzeros,
  }),
  reference:
    ({ rows }) =>
    ({ indptr, indices, data, scale }) => {
      for (let entry = 0; entry < indptr[rows]; entry++) data[entry] *= scale[indices[entry]];
    },
  wasm: ({ nonzeros }) => ({ kernel: 'scaleColumns', ...inRuns(nonzeros, ENTRIES) }),
  webgpu: { code: () => [import('./sparse.wgsl?raw')], parts: ['column-scaling'], items: ({ nonzeros }) => nonzeros },
});

/** Columns of a block: those blocks that have no entries are passed over as a whole. */
const BLOCK = 1024;

/** The entries by column, within a column in the order of rows: a counting sort. Most columns of a large state have none. */
export function transposeStructure({ indptr, indices }: SparseRows, columns: number): TransposedStructure {
  const rows = indptr.length - 1;
  const entries = indptr[rows];
  const columnStart = new Uint32Array(columns + 1);
  const inBlock = new Uint32Array(Math.ceil(columns / BLOCK));
  for (let entry = 0; entry < entries; entry++) {
    columnStart[indices[entry]] += 1;
    inBlock[Math.floor(indices[entry] / BLOCK)] += 1;
  }
  let before = 0;
  for (let block = 0; block < inBlock.length; block++) {
    const end = Math.min(columns, (block + 1) * BLOCK);
    if (inBlock[block] === 0) {
      columnStart.fill(before, block * BLOCK, end);
      continue;
    }
    for (let column = block * BLOCK; column < end; column++) {
      const here = columnStart[column];
      columnStart[column] = before;
      before += here;
    }
  }
  const entryRow = new Uint32Array(entries);
  const entryPosition = new Uint32Array(entries);
  for (let row = 0; row < rows; row++) {
    for (let entry = indptr[row]; entry < indptr[row + 1]; entry++) {
      const place = columnStart[indices[entry]]++;
      entryRow[place] = row;
      entryPosition[place] = entry;
    }
  }
  // By now each is where its column ends, and the next begins.
  columnStart.copyWithin(1, 0, columns);
  columnStart[0] = 0;
  return { columnStart, entryRow, entryPosition };
}
