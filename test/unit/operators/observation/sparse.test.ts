import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../../engine/index.ts';
import {
  columnScaling,
  interpolation,
  sparseAdjoint,
  sparseProduct,
  transposeStructure,
} from '../../../../engine/operators/observation/index.ts';
import { applyOperator, allBackends } from '../../../setup/backends.ts';
import { noise } from '../../../../engine/check/measures.ts';
import { dot } from '../signals.ts';
import { bounded, flow, norm } from './flow.ts';

describe('transpose structure', () => {
  it('walks the same entries by column, with empty rows, empty columns and repeated entries', () => {
    const indptr = Uint32Array.from([0, 2, 2, 5, 6]);
    const indices = Uint32Array.from([3, 1, 1, 3, 3, 0]);
    const { columnStart, entryRow, entryPosition } = transposeStructure({ indptr, indices }, 6);
    expect([...columnStart]).toEqual([0, 1, 3, 3, 6, 6, 6]);
    expect([...entryPosition]).toEqual([5, 1, 2, 0, 3, 4]);
    expect([...entryRow]).toEqual([3, 0, 2, 0, 2, 2]);
  });

  it('begins a column without entries where the one before it ends, however many there are', () => {
    const columns = 5000;
    const indptr = Uint32Array.from([0, 1, 4]);
    const indices = Uint32Array.from([4999, 1023, 1024, 3]);
    const { columnStart, entryRow, entryPosition } = transposeStructure({ indptr, indices }, columns);
    const startOf = (column: number): number => indices.filter((each) => each < column).length;
    expect([...columnStart]).toEqual(Array.from({ length: columns + 1 }, (_, column) => startOf(column)));
    expect([...entryPosition]).toEqual([3, 1, 2, 0]);
    expect([...entryRow]).toEqual([1, 1, 1, 0]);
  });
});

describe.each(allBackends)('sparse product on $name', ({ open, precision }) => {
  const single = precision === 'float32';
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  // Rows of 0, 1, 2, … 4 entries, more rows than a workgroup, and columns that no row touches.
  const rows = 131;
  const columns = 77;
  const batch = 3;
  const indptr = new Uint32Array(rows + 1);
  for (let row = 0; row < rows; row++) indptr[row + 1] = indptr[row] + (row % 5);
  const nonzeros = indptr[rows];
  const indices = Uint32Array.from({ length: nonzeros }, (_, entry) => (entry * entry + 3) % (columns - 2));
  const data = noise(nonzeros);
  const parameters = { rows, columns, nonzeros, batch };
  const structure = transposeStructure({ indptr, indices }, columns);

  it('is Hx for every vector of the batch', async () => {
    const input = noise(batch * columns, 500);
    const { output } = await applyOperator(backend, sparseProduct, parameters, {
      indptr,
      indices,
      data,
      input,
      output: batch * rows,
    });
    const dense = new Float64Array(rows * columns);
    for (let row = 0; row < rows; row++) {
      for (let e = indptr[row]; e < indptr[row + 1]; e++) dense[row * columns + indices[e]] += data[e];
    }
    const expected = Float64Array.from({ length: batch * rows }, (_, k) => {
      const row = k % rows;
      const member = Math.floor(k / rows);
      return dot(
        dense.subarray(row * columns, (row + 1) * columns),
        input.subarray(member * columns, (member + 1) * columns),
      );
    });
    // Four products of size below 1: 8 roundings of 6e-8 or 1.1e-16.
    expect(output).toBeClose(expected, { absolute: single ? 5e-7 : 1e-15 });
  });

  it('has its adjoint: ⟨Hx, y⟩ = ⟨x, Hᵀy⟩', async () => {
    const x = noise(batch * columns, 41);
    const y = noise(batch * rows, 87);
    const forward = await applyOperator(backend, sparseProduct, parameters, {
      indptr,
      indices,
      data,
      input: x,
      output: batch * rows,
    });
    const adjoint = await applyOperator(backend, sparseAdjoint, parameters, {
      ...structure,
      data,
      input: y,
      output: batch * columns,
    });
    const difference = Math.abs(dot(forward.output, y) - dot(x, adjoint.output));
    expect(difference).toBeLessThanOrEqual((single ? 1e-5 : 1e-12) * norm(forward.output) * norm(y));
    expect(norm(adjoint.output)).toBeGreaterThan(1);
  });

  it('has its columns scaled in place: (H diag s) x = H (s ∘ x)', async () => {
    const scale = noise(columns, 311);
    // Room for more entries than there are: what is behind the last stays.
    const room = nonzeros + 70;
    const spare = Float64Array.from({ length: room }, (_, entry) => (entry < nonzeros ? data[entry] : 0.5));
    const scaled = await applyOperator(
      backend,
      columnScaling,
      { ...parameters, nonzeros: room },
      { indptr, indices, data: spare, scale },
    );
    const expected = spare.map((value, entry) => (entry < nonzeros ? value * scale[indices[entry]] : value));
    // The factors are exact: one rounding of the product.
    expect(scaled.data).toBeClose(expected, { relative: single ? 2 ** -24 : 0 });
  });

  it('multiplies a matrix that interpolates', async () => {
    const points = { x: [1.5, 6, 0.25], y: [2.5, 4, 0], component: [0, 2, 1] };
    const h = interpolation(bounded, points);
    const state = flow(35);
    const { output } = await applyOperator(
      backend,
      sparseProduct,
      { rows: 3, columns: 105, nonzeros: 12, batch: 1 },
      { ...h, input: state, output: 3 },
    );
    const expected = [
      (state[15] + state[16] + state[22] + state[23]) / 4,
      state[70 + 34],
      0.75 * state[35] + 0.25 * state[36],
    ];
    expect(output).toBeClose(expected, { relative: single ? 5e-7 : 1e-15 });
  });
});
