/** Cases of P Hᵀ with a tapered sample covariance. Arrays have the state first: anomalies [n][L], pht [n][m]. */
import { z } from 'zod';
import { CaseError } from '../errors.ts';
import { gainCovariance } from '../operators/gain-covariance/index.ts';
import { assertAxes, assertShape, compressedRows } from './case-arrays.ts';
import { caseOperator } from './case-operator.ts';
import { gridShape } from './parameters.ts';
import { runOperator } from './run-operator.ts';
import { transpose } from './transpose.ts';

/** The largest lag along x and y at which a taper [ny][nx] is not 0. */
function reachOf(taper: Float64Array, nx: number): { readonly reachX: number; readonly reachY: number } {
  let reachX = 0;
  let reachY = 0;
  taper.forEach((value, index) => {
    if (value === 0) return;
    reachX = Math.max(reachX, index % nx);
    reachY = Math.max(reachY, Math.floor(index / nx));
  });
  return { reachX, reachY };
}

export const gainCovarianceCase = caseOperator({
  name: 'gain-covariance',
  parameters: z.strictObject({ shape: gridShape }),
  inputs: ['anomalies', 'taperRow', 'hData', 'hIndices', 'hIndptr'],
  outputs: ['pht'],
  async run(backend, { shape: [ny, nx] }, inputs) {
    const { anomalies, taperRow } = inputs;
    const cells = ny * nx;
    assertAxes(anomalies, [2], 'anomalies [state, members]');
    const [state, members] = anomalies.shape;
    if (state % cells !== 0) {
      throw new CaseError(`${anomalies.file}: found ${state} rows, allowed: a multiple of ${ny} × ${nx} cells`);
    }
    if (members < 2) throw new CaseError(`${anomalies.file}: found one member, a sample covariance needs at least 2`);
    assertShape(taperRow, [cells], 'the first row of the taper, one number a cell');
    const { indptr, indices, data } = compressedRows(inputs, state);
    const observations = indptr.length - 1;
    const { output } = await runOperator(
      backend,
      gainCovariance,
      {
        nx,
        ny,
        periodicX: false,
        periodicY: false,
        variables: state / cells,
        members,
        firstObservation: 0,
        observations,
        nonzeros: Math.max(1, data.length),
        ...reachOf(taperRow.data, nx),
      },
      {
        anomalies: transpose(anomalies.data, state, members),
        taperRow: taperRow.data,
        indptr,
        indices,
        data,
        output: observations * state,
      },
    );
    return { pht: { shape: [state, observations], data: transpose(output, observations, state) } };
  },
});
