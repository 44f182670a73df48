/** The operators of this room in SIMD: a part is a row of the matrix. */
import { parameterBlock } from '../../compute/parameter-block.ts';
import { onFields } from '../../compute/wasm/program.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';
import type { TaperGeometry } from '../localisation/index.ts';
import type {
  ObservedEnsembleCovarianceFields,
  ObservedEnsembleCovarianceParameters,
  ObservedEnsembleGainFields,
  ObservedEnsembleGainParameters,
} from './reference.ts';

const OBSERVED_ENSEMBLE = parameterBlock('ObservedEnsemble', {
  nx: 'i32',
  ny: 'i32',
  periodicX: 'i32',
  periodicY: 'i32',
  aspect: 'f32',
  perHalfWidth: 'f32',
  members: 'i32',
  observations: 'i32',
  inflation: 'f32',
  variables: 'i32',
  firstObservation: 'i32',
  keepsOthers: 'i32',
  observedAnomalies: 'pointer',
  inverseErrorStd: 'pointer',
  positionX: 'pointer',
  positionY: 'pointer',
  /** [variables][ny][nx] a member. */
  anomalies: 'pointer',
  /** S, or P Sᵀ. */
  matrix: 'pointer',
  output: 'pointer',
});

function geometryOf({ nx, ny, periodicX, periodicY, aspect, halfWidthCells }: TaperGeometry) {
  return {
    nx,
    ny,
    periodicX: Number(periodicX),
    periodicY: Number(periodicY),
    aspect,
    perHalfWidth: 1 / halfWidthCells,
  };
}

export const observedEnsembleCovariance: WasmOperator<
  ObservedEnsembleCovarianceParameters,
  ObservedEnsembleCovarianceFields
> = (builder, parameters) => {
  const { members, observations, inflation, keepsOthers = false } = parameters;
  const constants = {
    ...geometryOf(parameters),
    members,
    observations,
    inflation,
    keepsOthers: Number(keepsOthers),
  };
  return onFields(builder.program('observedEnsembleCovariance', OBSERVED_ENSEMBLE, constants), observations);
};

export const observedEnsembleGain: WasmOperator<ObservedEnsembleGainParameters, ObservedEnsembleGainFields> = (
  builder,
  parameters,
) => {
  const { variables, members, observations, firstObservation, blockObservations, keepsOthers = false } = parameters;
  const constants = {
    ...geometryOf(parameters),
    variables,
    members,
    observations,
    firstObservation,
    keepsOthers: Number(keepsOthers),
  };
  return onFields(builder.program('observedEnsembleGain', OBSERVED_ENSEMBLE, constants), blockObservations);
};
