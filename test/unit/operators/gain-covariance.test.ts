import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { gainCovariance } from '../../../engine/operators/gain-covariance/index.ts';
import type { GainCovarianceParameters } from '../../../engine/operators/gain-covariance/index.ts';
import { taperRow } from '../../../engine/operators/localisation/index.ts';

import { applyOperator, allBackends } from '../../setup/backends.ts';
import { oracleCases } from '../../setup/oracle.ts';
import { stream as testStream } from '../../../engine/check/measures.ts';

/** [rows][columns] → [columns][rows]. */
function transposed(values: ArrayLike<number>, rows: number, columns: number): Float64Array {
  return Float64Array.from({ length: rows * columns }, (_, i) => values[(i % rows) * columns + Math.floor(i / rows)]);
}

interface Arrays {
  readonly anomalies: Float64Array;
  readonly taperRow: Float64Array;
  readonly indptr: Uint32Array;
  readonly indices: Uint32Array;
  readonly data: Float64Array;
}

/** ((C ∘ (e eᵀ)) Hᵀ)ᵀ / (L − 1) by whole matrices, and the same with absolute values: the scale of its rounding. */
function byMatrices(
  { nx, ny, variables, members, firstObservation, observations }: GainCovarianceParameters,
  { anomalies, taperRow, indptr, indices, data }: Arrays,
) {
  const cells = nx * ny;
  const n = variables * cells;
  const values = new Float64Array(observations * n);
  let scale = 0;
  for (let j = 0; j < observations; j++) {
    for (let i = 0; i < n; i++) {
      let magnitude = 0;
      for (let k = indptr[firstObservation + j]; k < indptr[firstObservation + j + 1]; k++) {
        const [a, b] = [i % cells, indices[k] % cells];
        const lagY = Math.abs(Math.floor(a / nx) - Math.floor(b / nx));
        const c = taperRow[lagY * nx + Math.abs((a % nx) - (b % nx))];
        for (let l = 0; l < members; l++) {
          const term = (c * data[k] * anomalies[l * n + i] * anomalies[l * n + indices[k]]) / (members - 1);
          values[j * n + i] += term;
          magnitude += Math.abs(term);
        }
      }
      scale = Math.max(scale, magnitude);
    }
  }
  return { values, scale };
}

interface Layout {
  readonly nx: number;
  readonly ny: number;
  readonly periodicX: boolean;
  readonly periodicY: boolean;
  readonly variables: number;
  readonly members: number;
  readonly halfWidthCells: number;
  /** Entries of each row of H. */
  readonly entries: readonly number[];
  readonly firstObservation?: number;
  readonly observations?: number;
}

function makeCase(layout: Layout): { readonly parameters: GainCovarianceParameters; readonly arrays: Arrays } {
  const { nx, ny, variables, members, entries, firstObservation = 0, observations = entries.length } = layout;
  const stream = testStream('gain', nx * 1000 + ny * 10 + members);
  const random = (): number => stream.between(-1, 1);
  const n = variables * nx * ny;
  const indptr = new Uint32Array(entries.length + 1);
  entries.forEach((count, row) => {
    indptr[row + 1] = indptr[row] + count;
  });
  const stored = indptr[entries.length];
  const { row, reachX, reachY } = taperRow(layout);
  return {
    parameters: {
      ...layout,
      firstObservation,
      observations,
      nonzeros: indptr[firstObservation + observations] - indptr[firstObservation],
      reachX,
      reachY,
    },
    arrays: {
      anomalies: Float64Array.from({ length: members * n }, random),
      taperRow: row,
      indptr,
      indices: Uint32Array.from({ length: Math.max(1, stored) }, () => stream.integer(n)),
      data: Float64Array.from({ length: Math.max(1, stored) }, random),
    },
  };
}

const grid = { periodicX: false, periodicY: false, variables: 1, members: 8, halfWidthCells: 3 };
const layouts: readonly (readonly [string, Layout])[] = [
  ['one cell', { ...grid, nx: 1, ny: 1, entries: [1, 2] }],
  ['a row of cells, periodic', { ...grid, nx: 40, ny: 1, periodicX: true, halfWidthCells: 4, entries: [1, 4, 2] }],
  ['a column of cells', { ...grid, nx: 1, ny: 35, entries: [3, 1] }],
  ['three variables', { ...grid, nx: 17, ny: 9, variables: 3, entries: [4, 4, 4, 0, 4] }],
  ['periodic both ways', { ...grid, nx: 37, ny: 21, periodicX: true, periodicY: true, entries: [4, 9, 4, 30] }],
  ['two members', { ...grid, nx: 12, ny: 20, members: 2, entries: [5, 1] }],
  ['members that are not a multiple of 16', { ...grid, nx: 12, ny: 20, members: 37, entries: [5, 1, 7] }],
  ['dense rows, beyond one list', { ...grid, nx: 18, ny: 16, halfWidthCells: 40, entries: [300, 129, 0, 65] }],
  ['long rows, mostly out of reach', { ...grid, nx: 64, ny: 48, halfWidthCells: 1, variables: 2, entries: [500, 700] }],
  [
    'a block of observations',
    { ...grid, nx: 20, ny: 13, entries: [3, 8, 5, 9, 2], firstObservation: 2, observations: 2 },
  ],
  ['no taper at all beyond the cell', { ...grid, nx: 20, ny: 33, halfWidthCells: 0.5, entries: [70, 4] }],
];

describe.each(allBackends)('gainCovariance on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());
  const epsilon = precision === 'float64' ? 2 ** -53 : 2 ** -24;

  it.each(oracleCases('gain-covariance').map((oracle) => [oracle.name, oracle] as const))(
    'gives the oracle case %s',
    async (_, { parameters, inputs, outputs, tolerance }) => {
      const [ny, nx] = parameters['shape'] as readonly [number, number];
      const [n, members] = inputs['anomalies'].shape;
      const taper = inputs['taperRow'].data;
      const lags = Array.from(taper, (value, lag) => (value === 0 ? -1 : lag));
      const observations = inputs['hIndptr'].data.length - 1;
      const { output } = await applyOperator(
        backend,
        gainCovariance,
        {
          nx,
          ny,
          periodicX: false,
          periodicY: false,
          variables: n / (nx * ny),
          members,
          firstObservation: 0,
          observations,
          nonzeros: inputs['hData'].data.length,
          reachX: Math.max(...lags.map((lag) => (lag < 0 ? 0 : lag % nx))),
          reachY: Math.max(...lags.map((lag) => (lag < 0 ? 0 : Math.floor(lag / nx)))),
        },
        {
          anomalies: transposed(inputs['anomalies'].data, n, members),
          taperRow: taper,
          indptr: inputs['hIndptr'].data,
          indices: inputs['hIndices'].data,
          data: inputs['hData'].data,
          output: observations * n,
        },
      );
      expect(transposed(output, observations, n)).toBeClose(outputs['pht'].data, { relative: tolerance[precision] });
    },
  );

  it.each(layouts)('agrees with the product of whole matrices: %s', async (_, layout) => {
    const { parameters, arrays } = makeCase(layout);
    const expected = byMatrices(parameters, arrays);
    const { output } = await applyOperator(backend, gainCovariance, parameters, {
      ...arrays,
      output: expected.values.length,
    });
    // Inputs are rounded (e twice, h, C, 1/(L − 1)) and products are added in runs of at most 64 terms: some 24 roundings
    // that may all point one way, of the sum of the magnitudes.
    expect(output).toBeClose(expected.values, { absolute: 24 * epsilon * expected.scale });
    const outOfReach = output.filter((_, i) => expected.values[i] === 0);
    expect(outOfReach).toEqual(new Float64Array(outOfReach.length));
  });

  it('gives the same bits each time', async () => {
    const { parameters, arrays } = makeCase({ ...grid, nx: 30, ny: 20, entries: [90, 4, 200] });
    const run = () => applyOperator(backend, gainCovariance, parameters, { ...arrays, output: 3 * 600 });
    const first = await run();
    expect((await run()).output).toEqual(first.output);
  });

  it('refuses a single member', async () => {
    const { parameters } = makeCase({ ...grid, nx: 2, ny: 2, entries: [1] });
    const prepare = async () => backend.prepare(gainCovariance, { ...parameters, members: 1 });
    await expect(prepare()).rejects.toThrow('gain-covariance: members is 1, it must be an integer of at least 2');
  });
});

describe('taperRow', () => {
  it('is 1 at lag 0, falls to 0 at twice the half-width, and reports its reach', () => {
    const { row, reachX, reachY } = taperRow({ nx: 20, ny: 3, periodicX: false, periodicY: false, halfWidthCells: 4 });
    expect(row[0]).toBe(1);
    expect(row[4]).toBeClose(5 / 24, { absolute: 1e-15 });
    expect(row[7]).toBeGreaterThan(0);
    expect(row.subarray(8, 20)).toEqual(new Float64Array(12));
    expect(row[20 + 4]).toBeLessThan(row[4]);
    expect([reachX, reachY]).toEqual([7, 2]);
  });

  it('goes the shorter way round on periodic axes', () => {
    const { row, reachX, reachY } = taperRow({ nx: 10, ny: 9, periodicX: true, periodicY: false, halfWidthCells: 1.5 });
    expect(row[9]).toBe(row[1]);
    expect(row[8]).toBe(row[2]);
    expect(row[8 * 10]).toBe(0);
    expect([reachX, reachY]).toEqual([2, 2]);
  });
});
