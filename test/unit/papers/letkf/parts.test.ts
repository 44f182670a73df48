/** The parts of the LETKF for the comparison with [letkf-gpu]: each form on each backend, against dense algebra in float64. */
import { describe, expect, it } from 'vitest';
import {
  analysisCovariance,
  localInverseR,
  observationWeights,
  weightedProduct,
  type LetkfPartsParameters,
} from '../../../../engine/papers/letkf/parts/index.ts';
import { someNumbers } from '../../../../engine/benchmarks/benchmark.ts';
import { applyOperator, backends } from '../../../setup/backends.ts';

const NEIGHBOURS = 9;
/** Odd sizes, so that no tile, vector or workgroup is full; and members that are no multiple of four. */
const shape: LetkfPartsParameters = { nx: 19, ny: 18, members: 7, inflation: 1.1, form: 'naive' };
const k = shape.members;
const cells = shape.nx * shape.ny;
const anomalies = someNumbers(cells * k, 1, 3);
/** Not symmetric, so that rows and columns cannot be mixed up. */
const inverseR = someNumbers(NEIGHBOURS ** 2, 1, 8);

/** a b, with a [rows][inner] and b [inner][columns] */
function product(a: ArrayLike<number>, b: ArrayLike<number>, inner: number): Float64Array {
  const columns = b.length / inner;
  return Float64Array.from({ length: (a.length / inner) * columns }, (_, at) => {
    let sum = 0;
    for (let m = 0; m < inner; m++) {
      sum += a[Math.floor(at / columns) * inner + m] * b[m * columns + (at % columns)];
    }
    return sum;
  });
}

/** Yᵀ of a cell, 0 beyond the edge. [k][9] */
function observed(cell: number): Float64Array {
  return Float64Array.from({ length: k * NEIGHBOURS }, (_, at) => {
    const o = at % NEIGHBOURS;
    const x = (cell % shape.nx) + (o % 3) - 1;
    const y = Math.floor(cell / shape.nx) + Math.floor(o / 3) - 1;
    const outside = x < 0 || x >= shape.nx || y < 0 || y >= shape.ny;
    return outside ? 0 : anomalies[(Math.floor(at / NEIGHBOURS) * shape.ny + y) * shape.nx + x];
  });
}

function transposed(matrix: Float64Array, columns: number): Float64Array {
  const rows = matrix.length / columns;
  return matrix.map((_, at) => matrix[(at % rows) * columns + Math.floor(at / rows)]);
}

/** One matrix a cell, one after another. */
function ofAllCells(matrix: (cell: number) => Float64Array): Float64Array {
  return Float64Array.from(Array.from({ length: cells }, (_, cell) => [...matrix(cell)]).flat());
}

const expectedC = ofAllCells((cell) => product(observed(cell), inverseR, NEIGHBOURS));

describe.each(backends)('the parts of the LETKF on $name', ({ open, precision }) => {
  const eps = precision === 'float64' ? 1.2e-16 : 6e-8;
  // Nine products of numbers below 1, each of them and each sum rounded: sums below 9.
  const ofNine = 2 * NEIGHBOURS * NEIGHBOURS * eps;

  it.each(['naive', 'workgroup', 'members'] as const)('have C with R whole in the form %s', async (form) => {
    const backend = await open();
    const fields = { anomalies, inverseR, c: expectedC.length };
    const { c } = await applyOperator(backend, observationWeights, { ...shape, form }, fields);
    expect(c).toBeClose(expectedC, { absolute: ofNine });
    backend.dispose();
  });

  it('have C of one row, one column and one cell', async () => {
    const backend = await open();
    for (const [nx, ny] of [
      [5, 1],
      [1, 4],
      [1, 1],
    ]) {
      for (const form of ['naive', 'workgroup', 'members'] as const) {
        const few = anomalies.subarray(0, nx * ny * k);
        const fields = { anomalies: few, inverseR, c: NEIGHBOURS * few.length };
        const { c } = await applyOperator(backend, observationWeights, { ...shape, nx, ny, form }, fields);
        const expected = Float64Array.from({ length: NEIGHBOURS * few.length }, (_, at) => {
          const [cell, member] = [Math.floor(at / NEIGHBOURS / k), Math.floor(at / NEIGHBOURS) % k];
          let sum = 0;
          // Every pair of cells no further than one from each other.
          for (let other = 0; other < nx * ny; other++) {
            const [dx, dy] = [(other % nx) - (cell % nx), Math.floor(other / nx) - Math.floor(cell / nx)];
            if (Math.max(Math.abs(dx), Math.abs(dy)) > 1) continue;
            sum += few[member * nx * ny + other] * inverseR[(3 * (dy + 1) + dx + 1) * NEIGHBOURS + (at % NEIGHBOURS)];
          }
          return sum;
        });
        expect(c).toBeClose(expected, { absolute: ofNine });
      }
    }
    backend.dispose();
  });

  it('have P = C Y', async () => {
    const backend = await open();
    const fields = { anomalies, c: expectedC, product: cells * k * k };
    const { product: found } = await applyOperator(backend, weightedProduct, shape, fields);
    const expected = ofAllCells((cell) =>
      product(
        expectedC.subarray(cell * k * NEIGHBOURS, (cell + 1) * k * NEIGHBOURS),
        transposed(observed(cell), NEIGHBOURS),
        NEIGHBOURS,
      ),
    );
    // Elements of C are below 9.
    expect(found).toBeClose(expected, { absolute: NEIGHBOURS * ofNine });
    backend.dispose();
  });

  it.each([k, 32])('have P̃ᵃ of %i members, which times its inverse is I', async (members) => {
    const parameters = { ...shape, nx: 3, ny: 5, members };
    const backend = await open();
    const factors = someNumbers(15 * members * NEIGHBOURS, 1, 4);
    const matrices = Array.from({ length: 15 }, (_, cell) => {
      const root = factors.subarray(cell * members * NEIGHBOURS, (cell + 1) * members * NEIGHBOURS);
      return product(root, transposed(root, NEIGHBOURS), NEIGHBOURS);
    });
    const { covariance } = await applyOperator(backend, analysisCovariance, parameters, {
      product: Float64Array.from(matrices.flatMap((matrix) => [...matrix])),
      covariance: 15 * members ** 2,
    });
    for (const [cell, matrix] of matrices.entries()) {
      const onDiagonal = matrix.map((_, at) => Number(at % (members + 1) === 0));
      const inverse = matrix.map((value, at) => value + (onDiagonal[at] * (members - 1)) / parameters.inflation);
      const of = covariance.subarray(cell * members ** 2, (cell + 1) * members ** 2);
      // k steps of elimination and a product of k more, entries below 9 + (k − 1)/ρ: each adds a rounding of that size, divided
      // by the least eigenvalue (k − 1)/ρ.
      const absolute = 2 * members * (NEIGHBOURS + members) * (1 + NEIGHBOURS / (members - 1)) * eps;
      expect(product(inverse, of, members)).toBeClose(onDiagonal, { absolute });
    }
    backend.dispose();
  });

  it('refuse one member', async () => {
    const backend = await open();
    await expect(backend.prepare(observationWeights, { ...shape, members: 1 })).rejects.toThrow(
      'observation-weights: members is 1',
    );
    backend.dispose();
  });
});

describe('R⁻¹ of the neighbours', () => {
  it('is w/σₒ² on the diagonal where errors are independent', () => {
    const found = localInverseR({ standardDeviation: 0.5, correlationLength: 0, halfWidth: 1 });
    // Gaspari–Cohn at 1 is 5/24.
    expect(found[4 * (NEIGHBOURS + 1)]).toBeCloseTo(4, 12);
    for (const beside of [1, 3, 5, 7]) expect(found[beside * (NEIGHBOURS + 1)]).toBeCloseTo((4 * 5) / 24, 12);
    const offDiagonal = found.filter((_, at) => at % (NEIGHBOURS + 1) !== 0);
    expect(offDiagonal).toBeClose(new Float64Array(offDiagonal.length), { absolute: 0 });
  });

  it('is the inverse of correlated errors, and symmetric', () => {
    const [standardDeviation, correlationLength] = [0.3, 1.5];
    const found = localInverseR({ standardDeviation, correlationLength, halfWidth: Infinity });
    const r = found.map((_, at) => {
      const [a, b] = [Math.floor(at / NEIGHBOURS), at % NEIGHBOURS];
      const distance = Math.hypot((a % 3) - (b % 3), Math.floor(a / 3) - Math.floor(b / 3));
      return standardDeviation ** 2 * Math.exp(-distance / correlationLength);
    });
    const identity = found.map((_, at) => Number(at % (NEIGHBOURS + 1) === 0));
    expect(product(r, found, NEIGHBOURS)).toBeClose(identity, { absolute: 1e-13 });
    const tapered = localInverseR({ standardDeviation, correlationLength, halfWidth: 1.5 });
    expect(tapered).toBeClose(transposed(tapered, NEIGHBOURS), { absolute: 1e-13 });
    expect(tapered[0]).toBeLessThan(found[0]);
  });
});
