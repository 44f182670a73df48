/** C and P̃ᵃ of the comparison with [letkf-gpu]: each form on each backend, against their definitions. */
import { describe, expect, it } from 'vitest';
import { analysisCovariance, letkfParts, observationWeights } from '../../../../engine/papers/letkf/parts/index.ts';
import type { LetkfPartsParameters } from '../../../../engine/papers/letkf/parts/index.ts';
import { someNumbers } from '../../../../engine/benchmarks/operator-workload.ts';
import { applyOperator, backends } from '../../../setup/backends.ts';

const NEIGHBOURS = 9;
/** Odd sizes, so that no tile, vector or workgroup is full; and members that are no multiple of four. */
const shape: LetkfPartsParameters = { nx: 19, ny: 18, members: 7, inflation: 1.1, form: 'naive' };
const cells = shape.nx * shape.ny;
const anomalies = someNumbers(cells * shape.members, 1, 3);
const weights = Float64Array.from({ length: NEIGHBOURS }, (_, o) => 0.2 + 0.1 * o);

/** Observation o around a cell as member i has it. */
function observed(i: number, cell: number, o: number): number {
  const x = (cell % shape.nx) + (o % 3) - 1;
  const y = Math.floor(cell / shape.nx) + Math.floor(o / 3) - 1;
  const outside = x < 0 || x >= shape.nx || y < 0 || y >= shape.ny;
  return outside ? 0 : anomalies[(i * shape.ny + y) * shape.nx + x];
}

const expectedC = Float64Array.from({ length: cells * shape.members * NEIGHBOURS }, (_, at) => {
  const o = at % NEIGHBOURS;
  const i = Math.floor(at / NEIGHBOURS) % shape.members;
  return weights[o] * observed(i, Math.floor(at / (NEIGHBOURS * shape.members)), o);
});

describe.each(backends)('the parts of the LETKF on $name', ({ open, precision }) => {
  // A product of two numbers below 1, each rounded once.
  const rounding = precision === 'float64' ? 2e-16 : 2e-7;

  it.each(['naive', 'workgroup', 'members'] as const)('have C in the form %s', async (form) => {
    const backend = await open();
    const { c } = await applyOperator(
      backend,
      observationWeights,
      { ...shape, form },
      { anomalies, weights, c: expectedC.length },
    );
    expect(c).toBeClose(expectedC, { absolute: rounding });
    backend.dispose();
  });

  it('have P̃ᵃ, which times its inverse is I', async () => {
    const backend = await open();
    const k = shape.members;
    const { covariance } = await applyOperator(backend, analysisCovariance, shape, {
      anomalies,
      c: expectedC,
      covariance: cells * k * k,
    });
    const product = new Float64Array(covariance.length);
    const identity = new Float64Array(covariance.length);
    for (let cell = 0; cell < cells; cell++) {
      const start = cell * k * k;
      for (let i = 0; i < k; i++) {
        identity[start + i * k + i] = 1;
        for (let j = 0; j < k; j++) {
          // (k − 1) I/ρ + C Y, row i column j.
          let inverse = i === j ? (k - 1) / shape.inflation : 0;
          for (let o = 0; o < NEIGHBOURS; o++) {
            inverse += expectedC[(cell * k + i) * NEIGHBOURS + o] * observed(j, cell, o);
          }
          for (let m = 0; m < k; m++) product[start + i * k + m] += inverse * covariance[start + j * k + m];
        }
      }
    }
    // k steps of elimination with entries below 20, and a product of k more: some hundred roundings of numbers of that size.
    expect(product).toBeClose(identity, { absolute: 2 * k * k * 20 * (precision === 'float64' ? 1.1e-16 : 6e-8) });
    backend.dispose();
  });

  it('have both, one after the other', async () => {
    const backend = await open();
    const length = cells * shape.members ** 2;
    const fields = { anomalies, weights, c: expectedC.length, covariance: length };
    const both = await applyOperator(backend, letkfParts, shape, fields);
    const alone = await applyOperator(backend, analysisCovariance, shape, { anomalies, c: both.c, covariance: length });
    expect(both.covariance).toEqual(alone.covariance);
    backend.dispose();
  });
});
