/** The tapered covariances of what members observe, against the formulas written out. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { gaspariCohn } from '../../../engine/operators/localisation/index.ts';
import { observedEnsembleCovariance, observedEnsembleGain } from '../../../engine/operators/observed-ensemble/index.ts';
import { applyOperator, allBackends } from '../../setup/backends.ts';
import { between, noise } from '../../../engine/check/measures.ts';

/** Positions on a raster of a quarter of a cell, which float32 holds. */
function positions(length: number, size: number, streamName: string): Float64Array {
  return between(length, 0, size - 1, streamName).map((value) => Math.round(4 * value) / 4);
}

const grids = [
  { nx: 9, ny: 7, periodicX: false, periodicY: false, aspect: 1, halfWidthCells: 2.5 },
  { nx: 16, ny: 18, periodicX: true, periodicY: true, aspect: 0.75, halfWidthCells: 3 },
  { nx: 12, ny: 5, periodicX: true, periodicY: false, aspect: 1.5, halfWidthCells: 1e9 },
] as const;
type Grid = (typeof grids)[number];

function shortest(difference: number, size: number, periodic: boolean): number {
  const inside = Math.abs(difference) % size;
  return periodic ? Math.min(inside, size - inside) : Math.abs(difference);
}

function taper({ nx, ny, periodicX, periodicY, aspect, halfWidthCells }: Grid, dx: number, dy: number): number {
  const distance = Math.hypot(shortest(dx, nx, periodicX), aspect * shortest(dy, ny, periodicY));
  return gaspariCohn(distance / halfWidthCells);
}

describe.each(allBackends)('what members observe on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  // Sums over k members of products below 1, times weights below 3: k + 8 roundings and those of the taper, a dozen.
  const bound = (members: number): number => 3 * (members + 20) * (precision === 'float64' ? 2 ** -53 : 2 ** -24);

  it.each(grids)('the covariance S is I + ρ R^−½ (C ∘ Y′Y′ᵀ/(k − 1)) R^−½: %o', async (grid) => {
    const [members, p, inflation] = [6, 70, 1.25];
    const observedAnomalies = noise(members * p, 1);
    const inverseErrorStd = noise(p, 2).map((value, j) => (j % 9 === 4 ? 0 : 1 + value / 2));
    const [x, y] = [positions(p, grid.nx, 'x'), positions(p, grid.ny, 'y')];
    const { matrix } = await applyOperator(
      backend,
      observedEnsembleCovariance,
      { ...grid, members, observations: p, inflation },
      { observedAnomalies, inverseErrorStd, positionX: x, positionY: y, matrix: p * p },
    );
    for (let a = 0; a < p; a++) {
      const row = Float64Array.from({ length: a + 1 }, (_, b) => {
        let product = 0;
        for (let l = 0; l < members; l++) product += observedAnomalies[l * p + a] * observedAnomalies[l * p + b];
        const scale = (inflation * inverseErrorStd[a] * inverseErrorStd[b]) / (members - 1);
        return (a === b ? 1 : 0) + scale * taper(grid, x[a] - x[b], y[a] - y[b]) * product;
      });
      expect(matrix.subarray(a * p, a * p + a + 1)).toBeClose(row, { absolute: bound(members) });
    }
  });

  it.each(grids)('the gain P Sᵀ is (C ∘ X′Y′ᵀ/(k − 1)) R^−½, of a block of observations: %o', async (grid) => {
    const [members, variables, p] = [5, 2, 11];
    const block = { firstObservation: 3, blockObservations: 6 };
    const cells = grid.nx * grid.ny;
    const anomalies = noise(members * variables * cells, 3);
    const observedAnomalies = noise(members * p, 1);
    const inverseErrorStd = noise(p, 2).map((value, j) => (j === 5 ? 0 : 1 + value / 2));
    const [x, y] = [positions(p, grid.nx, 'x'), positions(p, grid.ny, 'y')];
    const { output } = await applyOperator(
      backend,
      observedEnsembleGain,
      { ...grid, variables, members, observations: p, ...block },
      {
        anomalies,
        observedAnomalies,
        inverseErrorStd,
        positionX: x,
        positionY: y,
        output: block.blockObservations * variables * cells,
      },
    );
    const expected = Float64Array.from({ length: output.length }, (_, at) => {
      const j = block.firstObservation + Math.floor(at / (variables * cells));
      const i = at % (variables * cells);
      const cell = i % cells;
      let product = 0;
      for (let l = 0; l < members; l++) product += anomalies[l * variables * cells + i] * observedAnomalies[l * p + j];
      const c = taper(grid, (cell % grid.nx) - x[j], Math.floor(cell / grid.nx) - y[j]);
      return (c * inverseErrorStd[j] * product) / (members - 1);
    });
    expect(expected.some((value) => Math.abs(value) > 0.1)).toBe(true);
    expect(output).toBeClose(expected, { absolute: bound(members) });
  });

  it('both keep what is already known of other observations', async () => {
    const [grid, members, variables, p] = [grids[0], 4, 1, 13];
    const cells = grid.nx * grid.ny;
    // Of each pair, in both orders, all kinds are there.
    const isOther = Array.from({ length: p }, (_, j) => j % 3 !== 1);
    const inverseErrorStd = noise(p, 2).map((value, j) => (isOther[j] ? 0 : 1 + value / 2));
    const observedAnomalies = noise(members * p, 1);
    const [positionX, positionY] = [positions(p, grid.nx, 'x'), positions(p, grid.ny, 'y')];
    const fields = { observedAnomalies, inverseErrorStd, positionX, positionY };
    const shape = { ...grid, members, observations: p };
    const made = async (keepsOthers: boolean, before: { matrix: Float64Array; output: Float64Array }) => {
      const covariance = { ...shape, inflation: 1, keepsOthers };
      const block = { ...shape, variables, firstObservation: 0, blockObservations: p, keepsOthers };
      const { matrix } = await applyOperator(backend, observedEnsembleCovariance, covariance, {
        ...fields,
        matrix: before.matrix,
      });
      const anomalies = noise(members * cells, 3);
      const { output } = await applyOperator(backend, observedEnsembleGain, block, {
        ...fields,
        anomalies,
        output: before.output,
      });
      return { matrix, output };
    };
    const known = { matrix: Float64Array.from(noise(p * p, 5)), output: Float64Array.from(noise(p * cells, 6)) };
    const alone = await made(false, known);
    const beside = await made(true, known);
    const rounded = { matrix: Float64Array.from(known.matrix), output: Float64Array.from(known.output) };
    if (precision === 'float32') for (const values of Object.values(rounded)) values.set(Float32Array.from(values));
    for (let a = 0; a < p; a++) {
      const columns = isOther[a] ? rounded.output : alone.output;
      const ofOne = [a * cells, (a + 1) * cells] as const;
      expect(beside.output.subarray(...ofOne)).toEqual(columns.subarray(...ofOne));
      for (let b = 0; b <= a; b++) {
        const [own, whole, mirrored] = [alone.matrix[a * p + b], rounded.matrix[a * p + b], rounded.matrix[b * p + a]];
        const ofKept = isOther[b] ? whole : mirrored;
        const expected = isOther[a] ? ofKept : isOther[b] ? whole : own;
        expect(beside.matrix[a * p + b]).toBe(expected);
      }
    }
  });

  it('one member has no covariance', () => {
    expect(() =>
      observedEnsembleGain.implementations.reference({
        ...grids[0],
        variables: 1,
        members: 1,
        observations: 1,
        firstObservation: 0,
        blockObservations: 1,
      }),
    ).toThrow('members is 1, it must be an integer of at least 2; a single member has no sample covariance');
  });
});
