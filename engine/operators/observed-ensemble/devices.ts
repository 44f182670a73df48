/** One dispatch each: an invocation a pair of observations, or a cell and an observation. */
import { uniformBlock, parameterBlock } from '../../compute/parameter-block.ts';
import type { ScalarsOf } from '../../compute/parameter-block.ts';
import { onFields } from '../../compute/wasm/program.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';
import indexLibrary from '../../compute/webgpu/library/index.wgsl?raw';
import { workgroupsFor, partsOf } from '../../compute/webgpu/program.ts';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import type { TaperGeometry } from '../localisation/index.ts';
import { taperCode } from '../localisation/webgpu.ts';
import source from './observed-ensemble.wgsl?raw';
import type {
  ObservedEnsembleCovarianceFields,
  ObservedEnsembleCovarianceParameters,
  ObservedEnsembleGainFields,
  ObservedEnsembleGainParameters,
} from './reference.ts';

const part = partsOf(source);

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

function placesOf({ nx, ny, periodicX, periodicY, aspect, halfWidthCells }: TaperGeometry) {
  return {
    nx,
    ny,
    periodicX: Number(periodicX),
    periodicY: Number(periodicY),
    aspect,
    perHalfWidth: 1 / halfWidthCells,
  };
}

/** The operators of this room in SIMD: a part is a row of the matrix. */
export const observedEnsembleCovarianceWasm: WasmOperator<
  ObservedEnsembleCovarianceParameters,
  ObservedEnsembleCovarianceFields
> = (builder, parameters) => {
  const { members, observations, inflation, keepsOthers = false } = parameters;
  const constants = {
    ...placesOf(parameters),
    members,
    observations,
    inflation,
    keepsOthers: Number(keepsOthers),
  };
  return onFields(builder.program('observedEnsembleCovariance', OBSERVED_ENSEMBLE, constants), observations);
};

export const observedEnsembleGainWasm: WasmOperator<ObservedEnsembleGainParameters, ObservedEnsembleGainFields> = (
  builder,
  parameters,
) => {
  const { variables, members, observations, firstObservation, blockObservations, keepsOthers = false } = parameters;
  const constants = {
    ...placesOf(parameters),
    variables,
    members,
    observations,
    firstObservation,
    keepsOthers: Number(keepsOthers),
  };
  return onFields(builder.program('observedEnsembleGain', OBSERVED_ENSEMBLE, constants), blockObservations);
};

/** What both uniform blocks begin with: `taperOf` of localisation.wgsl reads it. */
const GEOMETRY = {
  nx: 'u32',
  ny: 'u32',
  periodicX: 'u32',
  periodicY: 'u32',
  /** dy/dx: what a cell along y counts. */
  aspect: 'f32',
  halfWidthCells: 'f32',
} as const;

const COVARIANCE_PARAMETERS = uniformBlock('Parameters', {
  ...GEOMETRY,
  members: 'u32',
  observations: 'u32',
  inflation: 'f32',
  keepsOthers: 'u32',
});

const GAIN_PARAMETERS = uniformBlock('Parameters', {
  ...GEOMETRY,
  members: 'u32',
  observations: 'u32',
  variables: 'u32',
  firstObservation: 'u32',
  keepsOthers: 'u32',
});

function geometryOf({
  nx,
  ny,
  periodicX,
  periodicY,
  aspect,
  halfWidthCells,
}: TaperGeometry): ScalarsOf<typeof GEOMETRY> {
  return { nx, ny, periodicX: Number(periodicX), periodicY: Number(periodicY), aspect, halfWidthCells };
}

export const observedEnsembleCovarianceWebGpu: WebGpuOperator<
  ObservedEnsembleCovarianceParameters,
  ObservedEnsembleCovarianceFields
> = async (builder, parameters) => {
  const { members, observations, inflation, keepsOthers = false } = parameters;
  const program = await builder.program({
    label: 'observed-ensemble.covariance',
    code: [indexLibrary, COVARIANCE_PARAMETERS.wgsl, ...taperCode, part('covariance')],
    bindings: ['uniform', 'read', 'read', 'read', 'read', 'write'],
  });
  const uniform = builder.uniform('covariance-parameters', COVARIANCE_PARAMETERS, {
    ...geometryOf(parameters),
    members,
    observations,
    inflation,
    keepsOthers: Number(keepsOthers),
  });
  const [x, y] = workgroupsFor(observations, 64);
  return (recorder, { observedAnomalies, inverseErrorStd, positionX, positionY, matrix }) =>
    recorder.dispatch(
      program,
      [uniform, observedAnomalies, inverseErrorStd, positionX, positionY, matrix],
      [x, y, observations],
    );
};

export const observedEnsembleGainWebGpu: WebGpuOperator<
  ObservedEnsembleGainParameters,
  ObservedEnsembleGainFields
> = async (builder, parameters) => {
  const { nx, ny, variables, members, observations, firstObservation, blockObservations } = parameters;
  const { keepsOthers = false } = parameters;
  const program = await builder.program({
    label: 'observed-ensemble.gain',
    code: [indexLibrary, GAIN_PARAMETERS.wgsl, ...taperCode, part('gain')],
    bindings: ['uniform', 'read', 'read', 'read', 'read', 'read', 'write'],
  });
  const uniform = builder.uniform('gain-parameters', GAIN_PARAMETERS, {
    ...geometryOf(parameters),
    members,
    observations,
    variables,
    firstObservation,
    keepsOthers: Number(keepsOthers),
  });
  const [x, y] = workgroupsFor(nx * ny, 256);
  return (recorder, { anomalies, observedAnomalies, inverseErrorStd, positionX, positionY, output }) =>
    recorder.dispatch(
      program,
      [uniform, anomalies, observedAnomalies, inverseErrorStd, positionX, positionY, output],
      [x, y, blockObservations],
    );
};
