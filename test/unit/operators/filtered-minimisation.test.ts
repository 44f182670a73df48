import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { PROGRESS, STATUS } from '../../../engine/operators/conjugate-gradient/index.ts';
import { bandOfTaps, bandProduct, transposeBand } from '../../../engine/operators/convolution/index.ts';
import { filteredMinimisation, isShort } from '../../../engine/operators/filtered-minimisation/index.ts';
import { transposeStructure } from '../../../engine/operators/observation/index.ts';
import { filterBands } from '../../../engine/operators/recursive-filter/index.ts';
import { randomStream } from '../../../engine/random/stream.ts';
import { applyOperator, allBackends } from '../../setup/backends.ts';

const NX = 13;
const NY = 9;
const ROWS = 40;
/** Entries of a row of G. */
const ENTRIES = 4;
const TOLERANCE = 1e-4;

function normals(length: number, name: string): Float64Array {
  const stream = randomStream(1, name);
  return Float64Array.from({ length }, () => stream.normal());
}

function bandsOf(boundary: 'free' | 'periodic') {
  const ends = { boundaryX: boundary, boundaryY: boundary } as const;
  return filterBands({ nx: NX, ny: NY, batch: 1, sigmaX: 1.5, sigmaY: 0.8, iterations: 4, ...ends });
}

/** A kernel wider than the axes, with an offset, which turns round them. */
function wideBands() {
  const x = bandOfTaps(NX, { taps: normals(2 * NX + 3, 'taps'), lower: NX + 4 }, true);
  const y = bandOfTaps(NY, { taps: [0.25, 0.5, 0.25], lower: 1 }, true);
  return { x, y, adjointX: transposeBand(x), adjointY: transposeBand(y) };
}

/** G with columns beyond v's planes. */
function sparse(planes: number) {
  const columns = (planes + 1) * NX * NY;
  const stream = randomStream(2, 'columns');
  const indptr = Uint32Array.from({ length: ROWS + 1 }, (_, row) => ENTRIES * row);
  const indices = Uint32Array.from({ length: ENTRIES * ROWS }, () => stream.integer(columns));
  return { columns, indptr, indices, data: normals(ENTRIES * ROWS, 'entries') };
}

/** A v with A = I + Fᵀ Gᵀ G F, written out. */
function hessian(planes: number, bands: ReturnType<typeof bandsOf>, v: Float64Array): Float64Array {
  const { columns, indptr, indices, data } = sparse(planes);
  const filter = (
    input: Float64Array,
    first: 'x' | 'y',
    of: { x: typeof bands.x; y: typeof bands.x },
  ): Float64Array => {
    const passes = first === 'x' ? (['x', 'y'] as const) : (['y', 'x'] as const);
    return passes.reduce((values, axis) => {
      const [length, stride] = axis === 'x' ? [NX, 1] : [NY, NX];
      const result = values.slice();
      for (let start = 0; start < values.length; start++) {
        if (Math.floor(start / stride) % length !== 0) continue;
        const line = Float64Array.from({ length }, (_, i) => values[start + i * stride]);
        const filtered = new Float64Array(length);
        bandProduct(of[axis], 1)(line, filtered);
        filtered.forEach((value, i) => (result[start + i * stride] = value));
      }
      return result;
    }, input);
  };
  const state = new Float64Array(columns);
  state.set(filter(v, 'x', bands));
  const back = new Float64Array(columns);
  for (let row = 0; row < ROWS; row++) {
    let seen = 0;
    for (let e = indptr[row]; e < indptr[row + 1]; e++) seen += data[e] * state[indices[e]];
    for (let e = indptr[row]; e < indptr[row + 1]; e++) back[indices[e]] += data[e] * seen;
  }
  const adjoint = filter(back.slice(0, v.length), 'y', { x: bands.adjointX, y: bands.adjointY });
  return v.map((value, i) => value + adjoint[i]);
}

function length(values: Float64Array): number {
  return Math.hypot(...values);
}

describe.each(allBackends)('a whole minimisation on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  async function minimise(
    planes: number,
    bands: ReturnType<typeof bandsOf>,
    rightHandSide: Float64Array,
    maxIterations = 100,
  ) {
    const { columns, indptr, indices, data } = sparse(planes);
    const { history, progress, solution } = await applyOperator(
      backend,
      filteredMinimisation,
      {
        nx: NX,
        ny: NY,
        planes,
        rows: ROWS,
        columns,
        nonzeros: data.length,
        bands,
        shift: 1,
        tolerance: TOLERANCE,
        maxIterations,
      },
      {
        indptr,
        indices,
        data,
        ...transposeStructure({ indptr, indices }, columns),
        rightHandSide,
        solution: rightHandSide.length,
        history: 4 * (maxIterations + 1),
        progress: PROGRESS.length,
      },
    );
    return { history, solution, completed: progress[PROGRESS.completed], status: progress[PROGRESS.status] };
  }

  it.each([
    ['free ends', 1, bandsOf('free')],
    ['periodic axes and two planes', 2, bandsOf('periodic')],
    ['a kernel that is wider than its axis', 1, wideBands()],
  ] as const)('solves A v = b, with %s', async (_what, planes, bands) => {
    const b = normals(planes * NX * NY, 'right-hand side');
    const { solution, status, completed, history } = await minimise(planes, bands, b);
    expect(status).toBe(STATUS.converged);
    expect(completed).toBeGreaterThan(5);
    const residual = hessian(planes, bands, solution).map((value, i) => b[i] - value);
    // What conjugate gradients take for the residual drifts from it by roundings: a few of the largest product.
    const drift = precision === 'float32' ? 64 * 2 ** -24 * length(hessian(planes, bands, solution)) : 0;
    expect(length(residual)).toBeLessThanOrEqual(TOLERANCE * length(b) * 1.001 + drift);
    expect(Math.sqrt(history[4 * completed + 2])).toBeLessThanOrEqual(TOLERANCE * length(b) * 1.001);
    // ½ vᵀv of the last iterate.
    const halfNorm = 0.5 * length(solution) ** 2;
    expect(history[4 * completed + 3]).toBeClose(halfNorm, { relative: precision === 'float32' ? 1e-5 : 1e-12 });
  });

  it('stops at the iterations that are allowed', async () => {
    const b = normals(NX * NY, 'right-hand side');
    const { status, completed, solution } = await minimise(1, bandsOf('free'), b, 3);
    expect([status, completed]).toEqual([STATUS.running, 3]);
    expect(length(solution)).toBeGreaterThan(0);
  });

  it('has nothing to do for b = 0', async () => {
    const { status, completed, solution } = await minimise(1, bandsOf('free'), new Float64Array(NX * NY));
    expect([status, completed, length(solution)]).toEqual([STATUS.converged, 0, 0]);
  });
});

describe('what is done at once', () => {
  const small = { nx: 64, ny: 64, planes: 1, maxIterations: 60 };

  it.each([
    [small, true],
    [{ ...small, planes: 2 }, false],
    [{ ...small, maxIterations: 257 }, false],
  ])('is decided by length and iterations: %o', (size, expected) => {
    expect(isShort(size)).toBe(expected);
  });
});
