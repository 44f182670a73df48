/** The steps of P_HT on each backend, against the operator of P_HT. */
import { describe, expect, it } from 'vitest';
import { someNumbers } from '../../../../engine/benchmarks/benchmark.ts';
import { gainCovariance } from '../../../../engine/operators/gain-covariance/index.ts';
import { taperRow } from '../../../../engine/operators/localisation/index.ts';
import { GAIN_STEPS, gainSteps } from '../../../../engine/papers/gain-covariance/steps/index.ts';
import { createReferenceBackend } from '../../../../engine/index.ts';
import { applyOperator, backends } from '../../../setup/backends.ts';

/** Odd sizes, so that no vector or workgroup is full; and members that are no multiple of four. */
const [nx, ny, members, observations] = [9, 7, 6, 5];
const n = nx * ny;
const taper = taperRow({ nx, ny, periodicX: false, periodicY: false, halfWidthCells: 2 });
const anomalies = someNumbers(n * members, 1, 3);
const h = {
  indptr: Uint32Array.of(0, 2, 2, 5, 6, 9),
  indices: Uint32Array.of(0, 62, 3, 30, 31, 11, 5, 17, 44),
  data: someNumbers(9, 1, 4),
};
const size = { nx, ny, members, observations, nonzeros: 9 };

async function expectedPht(): Promise<Float64Array> {
  const byMember = anomalies.map((_, at) => anomalies[(at % n) * members + Math.floor(at / n)]);
  const { output } = await applyOperator(
    createReferenceBackend(),
    gainCovariance,
    { ...size, variables: 1, periodicX: false, periodicY: false, firstObservation: 0, ...taper },
    { anomalies: byMember, taperRow: taper.row, ...h, output: n * observations },
  );
  return Float64Array.from(output);
}

describe.each(backends)('P_HT in steps on $name', ({ open, precision }) => {
  // Sums of 6 products below 1 over 5, and of 3 of those.
  const absolute = precision === 'float64' ? 1e-14 : 2e-6;

  it.each(GAIN_STEPS)('%s', async (step) => {
    const inputs = { anomalies, taperRow: taper.row, ...h, output: n * observations };
    const { output } = await applyOperator(await open(), gainSteps, { ...size, step }, inputs);
    expect(output).toBeClose(await expectedPht(), { absolute });
  });
});
