/** Cases of the LETKF: an ensemble [member][variable][y][x] and observations at points of it. */
import { z } from 'zod';
import { CaseError } from '../errors.ts';
import { letkf } from '../operators/letkf/index.ts';
import { localObservations } from '../operators/localisation/index.ts';
import { bilinearStencil, observation } from '../operators/observation/index.ts';
import {
  assertAxes,
  assertIndices,
  assertPositive,
  assertShape,
  periodicity,
  positive,
  transpose,
  gridShape,
  caseOperator,
  runOperator,
} from './case-operator.ts';
import type { CaseInputs } from './case-operator.ts';
import { compressedOutputs, H_INPUTS, sparseMatrix } from './sparse.ts';
import { gainCovariance } from '../operators/gain-covariance/index.ts';

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

/**
 * Cases of P Hᵀ with a tapered sample covariance. Arrays have the state first: anomalies [n][L], pht [n][m], which is given
 * whole or in compressed rows.
 */
export const gainCovarianceCase = caseOperator({
  name: 'gain-covariance',
  parameters: z.strictObject({
    shape: gridShape,
    observations: z.int().min(1).optional(),
    format: z.enum(['dense', 'csr']).default('dense'),
  }),
  inputs: ['anomalies', 'taperRow'],
  optionalInputs: H_INPUTS,
  outputs: ['pht', 'phtData', 'phtIndices', 'phtIndptr'],
  async run(backend, { shape: [ny, nx], observations: rows, format }, inputs) {
    const { anomalies, taperRow } = inputs;
    const cells = ny * nx;
    assertAxes(anomalies, [2], 'anomalies [state, members]');
    const [state, members] = anomalies.shape;
    if (state % cells !== 0) {
      throw new CaseError(`${anomalies.file}: found ${state} rows, allowed: a multiple of ${ny} × ${nx} cells`);
    }
    if (members < 2) throw new CaseError(`${anomalies.file}: found one member, a sample covariance needs at least 2`);
    if (taperRow.shape.length === 2) assertShape(taperRow, [ny, nx], 'the first row of the taper, one number a cell');
    else assertShape(taperRow, [cells], 'the first row of the taper, one number a cell');
    const { indptr, indices, data } = sparseMatrix(inputs, { columns: state, rows });
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
    const pht = { shape: [state, observations], data: transpose(output, observations, state) };
    return format === 'csr' ? compressedOutputs('pht', pht) : { pht };
  },
});

/** Only velocities look at it, and cases observe components of the state. */
const DRY_DEPTH = 1e-3;

const OF_OBSERVATIONS = ['observationX', 'observationY', 'observationVariable', 'observationErrorVariance'] as const;

function checkObservations(inputs: CaseInputs, variables: number): void {
  const { observations } = inputs;
  if (observations.shape.length !== 1) {
    throw new CaseError(
      `${observations.file}: found ${observations.shape.length} axes, allowed: one number an observation`,
    );
  }
  for (const name of OF_OBSERVATIONS) assertShape(inputs[name], observations.shape, 'one number an observation');
  assertIndices(inputs['observationVariable'], 0, variables);
  assertPositive(inputs['observationErrorVariance']);
}

export const letkfCase = caseOperator({
  name: 'letkf',
  parameters: z.strictObject({
    localizationHalfWidth: positive.optional(),
    inflation: positive.default(1),
    localization: z.enum(['gaspari-cohn', 'none']).default('gaspari-cohn'),
    periodicX: periodicity,
    periodicY: periodicity,
  }),
  inputs: ['ensemble', 'observations', ...OF_OBSERVATIONS],
  outputs: ['ensemble'],
  async run(backend, parameters, inputs) {
    const { ensemble, observations, observationX, observationY, observationVariable } = inputs;
    const { localization, localizationHalfWidth, inflation, periodicX, periodicY } = parameters;
    assertAxes(ensemble, [4], 'an ensemble [members, variables, ny, nx]');
    const [members, variables, ny, nx] = ensemble.shape;
    if (members < 2) throw new CaseError(`${ensemble.file}: found one member, an ensemble needs at least 2`);
    checkObservations(inputs, variables);
    if (localization === 'gaspari-cohn' && localizationHalfWidth === undefined) {
      throw new CaseError('parameters.localizationHalfWidth: missing, allowed: a number above 0, in cells');
    }
    const halfWidthCells = localization === 'none' ? Infinity : (localizationHalfWidth ?? Infinity);
    const grid = { nx, ny, periodicX, periodicY };
    const count = observations.data.length;
    // An operator has room for one observation at least; one that is absent has inverse deviation 0 and no effect.
    const capacity = Math.max(1, count);
    const padded = (values: ArrayLike<number>): Float64Array => {
      const all = new Float64Array(capacity);
      all.set(values);
      return all;
    };
    const [x, y] = [padded(observationX.data), padded(observationY.data)];
    const inverseErrorStd = padded(inputs['observationErrorVariance'].data.map((variance) => 1 / Math.sqrt(variance)));
    const { corners, weights } = bilinearStencil(grid, x, y);
    const observed = await runOperator(
      backend,
      observation,
      { observations: capacity, plane: nx * ny, variables, batch: members, dryDepth: DRY_DEPTH },
      {
        state: ensemble.data,
        corners,
        weights,
        kind: padded(observationVariable.data),
        offset: new Float64Array(capacity),
        output: members * capacity,
      },
    );
    const local = localObservations(grid, halfWidthCells, x, y, inverseErrorStd);
    const { analysis } = await runOperator(
      backend,
      letkf,
      {
        ...grid,
        variables,
        members,
        observations: capacity,
        halfWidthCells,
        inflation,
        localCapacity: local.largest,
        form: 'auto',
      },
      {
        ensemble: ensemble.data,
        analysis: ensemble.data.length,
        observedEnsemble: observed.output,
        values: padded(observations.data),
        inverseErrorStd,
        positionX: x,
        positionY: y,
        binStart: local.binStart,
        binObservations: local.binObservations,
      },
    );
    return { ensemble: { shape: ensemble.shape, data: analysis } };
  },
});
