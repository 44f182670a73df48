import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { anomalies } from '../../../engine/operators/ensemble/index.ts';
import { gainCovariance } from '../../../engine/operators/gain-covariance/index.ts';
import { choleskySolution } from '../../../engine/operators/cholesky-solution/index.ts';
import { taperRow } from '../../../engine/operators/localisation/index.ts';
import {
  gainIncrement,
  observedCovariance,
  perturbedInnovation,
} from '../../../engine/operators/stochastic-enkf/index.ts';
import { applyOperator, allBackends } from '../../setup/backends.ts';
import { noise } from '../../../engine/check/measures.ts';
import { product, transpose } from './matrices.ts';

describe.each(allBackends)('the parts of the stochastic EnKF on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());
  const epsilon = precision === 'float64' ? 2 ** -53 : 2 ** -24;

  it('scales and perturbs innovations, and silences absent observations', async () => {
    const { scaled } = await applyOperator(
      backend,
      perturbedInnovation,
      { members: 2, observations: 3 },
      {
        values: [1, NaN, 3],
        observed: [0.5, 1, 2, 1.5, NaN, 4],
        inverseErrorStd: [2, 0, 4],
        perturbations: [0.25, 9, -1, -0.25, 9, 1],
        scaled: 6,
      },
    );
    expect(scaled).toEqual(Float64Array.of(1.25, 0, 3, -1.25, 0, -3));
  });

  describe('around the solve', () => {
    const [n, p, members] = [150, 37, 5];
    const indptr = Uint32Array.from({ length: p + 1 }, (_, j) => 3 * j);
    const indices = Uint32Array.from({ length: 3 * p }, (_, k) => (k * 41) % n);
    const data = noise(3 * p, 11);
    const covariance = noise(p * n, 12);
    const inverseErrorStd = noise(p, 13).map((x, j) => (j % 7 === 3 ? 0 : 1.5 + x));
    const blocks = [
      [0, 16],
      [16, 17],
      [33, 4],
    ] as const;
    const h = new Float64Array(p * n);
    for (let k = 0; k < data.length; k++) h[Math.floor(k / 3) * n + indices[k]] += data[k];

    it('makes I + R^−½ H P_HT R^−½ block by block', async () => {
      const matrix = backend.allocate('matrix', 'real', p * p);
      backend.write(matrix, new Float64Array(p * p).fill(NaN));
      const shared = {
        indptr: backend.allocate('indptr', 'index', p + 1),
        indices: backend.allocate('indices', 'index', 3 * p),
        data: backend.allocate('data', 'real', 3 * p),
        inverseErrorStd: backend.allocate('inverseErrorStd', 'real', p),
      };
      backend.write(shared.indptr, indptr);
      backend.write(shared.indices, indices);
      backend.write(shared.data, data);
      backend.write(shared.inverseErrorStd, inverseErrorStd);
      for (const [firstObservation, blockObservations] of blocks) {
        const block = backend.allocate('block', 'real', blockObservations * n);
        backend.write(block, covariance.subarray(firstObservation * n, (firstObservation + blockObservations) * n));
        const prepared = await backend.prepare(observedCovariance, {
          length: n,
          observations: p,
          firstObservation,
          blockObservations,
          nonzeros: 3 * p,
        });
        prepared.run({ ...shared, covariance: block, matrix });
        await backend.settle();
        prepared.dispose();
        block.dispose();
      }
      const r = inverseErrorStd;
      const seen = product(covariance, transpose(h, p), p, n);
      const expected = seen.map((value, at) => {
        const [b, a] = [Math.floor(at / p), at % p];
        return (a === b ? 1 : 0) + r[a] * r[b] * value;
      });
      const found = await backend.read(matrix);
      // Three products of numbers below 1, scaled by at most 2.5² and added to 1.
      expect(found).toBeClose(expected, { absolute: 8 * epsilon * 20 });
      for (let a = 0; a < p; a++) {
        expect(found[3 * p + a]).toBe(a === 3 ? 1 : 0);
        expect(found[a * p + 3]).toBe(a === 3 ? 1 : 0);
      }
      for (const field of [matrix, ...Object.values(shared)]) field.dispose();
    });

    it.each([1, 5, 70])('adds the increments of all blocks to each of %i members', async (members) => {
      const weights = noise(members * p, 14).map((x, at) => (inverseErrorStd[at % p] === 0 ? NaN : x));
      const before = noise(members * n, 15);
      let ensemble: ArrayLike<number> = before;
      for (const [firstObservation, blockObservations] of blocks) {
        const result = await applyOperator(
          backend,
          gainIncrement,
          { members, length: n, observations: p, firstObservation, blockObservations },
          {
            covariance: covariance.subarray(firstObservation * n, (firstObservation + blockObservations) * n),
            inverseErrorStd,
            weights,
            ensemble,
          },
        );
        ({ ensemble } = result);
      }
      const scaled = weights.map((z, at) => (inverseErrorStd[at % p] === 0 ? 0 : inverseErrorStd[at % p] * z));
      const increment = product(scaled, covariance, members, p);
      // Sums of 37 products below 2.5.
      expect(ensemble).toBeClose(
        before.map((x, at) => x + increment[at]),
        { absolute: 40 * epsilon * 20 },
      );
    });

    it('gives the Kalman gain when put together', async () => {
      // With a taper that reaches everything, z = A⁻¹ b and x += P Hᵀ R^−½ z, against whole float64 matrices.
      const [nx, ny] = [n / 10, 10];
      const shape = { nx, ny, periodicX: false, periodicY: false };
      const { row, reachX, reachY } = taperRow({ ...shape, halfWidthCells: 6 });
      const e = await applyOperator(
        backend,
        anomalies,
        { members, length: n },
        { ensemble: noise(members * n, 16), mean: n, anomalies: members * n },
      );
      const csr = { indptr, indices, data };
      const all = { length: n, observations: p, firstObservation: 0, blockObservations: p };
      const columns = await applyOperator(
        backend,
        gainCovariance,
        { ...shape, variables: 1, members, firstObservation: 0, observations: p, nonzeros: 3 * p, reachX, reachY },
        { anomalies: e.anomalies, taperRow: row, ...csr, output: p * n },
      );
      const a = await applyOperator(
        backend,
        observedCovariance,
        { ...all, nonzeros: 3 * p },
        { covariance: columns.output, ...csr, inverseErrorStd, matrix: p * p },
      );
      const b = noise(members * p, 17).map((x, at) => (inverseErrorStd[at % p] === 0 ? 0 : x));
      const z = await applyOperator(
        backend,
        choleskySolution,
        { size: p, rightHandSides: members },
        { matrix: a.matrix, solution: b, status: 1 },
      );
      const x = await applyOperator(
        backend,
        gainIncrement,
        { ...all, members },
        { covariance: columns.output, inverseErrorStd, weights: z.solution, ensemble: new Float64Array(members * n) },
      );
      // R^½ H x = (A − I) z = b − z for the present observations.
      const seen = product(x.ensemble, transpose(h, p), members, n);
      const scaled = seen.map((value, at) => inverseErrorStd[at % p] * value);
      expect(z.status[0]).toBe(0);
      // Condition number of A below 300: some hundred roundings of it.
      expect(scaled).toBeClose(
        b.map((value, at) => value - z.solution[at]),
        { absolute: 300 * 16 * epsilon },
      );
      expect(z.solution.filter((_, at) => inverseErrorStd[at % p] === 0).every((value) => value === 0)).toBe(true);
    });
  });
});
