/** The parts of the stochastic EnKF on the GPU, a kernel and a dispatch each. */
import indexLibrary from '../../compute/webgpu/library/index.wgsl?raw';
import tileProduct from '../../compute/webgpu/library/tile-product.wgsl?raw';
import { workgroupsFor } from '../../compute/webgpu/program.ts';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import { uniformBlock } from '../../compute/parameter-block.ts';
import gainIncrementKernel from './gain-increment.wgsl?raw';
import observedCovarianceKernel from './observed-covariance.wgsl?raw';
import type {
  GainBlock,
  GainIncrementFields,
  ObservedCovarianceFields,
  PerturbedInnovationFields,
  PerturbedInnovationParameters,
} from './parameters.ts';
import perturbedInnovationKernel from './perturbed-innovation.wgsl?raw';

const WORKGROUP = 256;
/** Members and elements of a tile of the increment. */
const TILE = 64;

const INNOVATION_PARAMETERS = uniformBlock('Parameters', {
  observations: 'u32',
});

const COVARIANCE_PARAMETERS = uniformBlock('Parameters', {
  length: 'u32',
  observations: 'u32',
  firstObservation: 'u32',
});

const INCREMENT_PARAMETERS = uniformBlock('Parameters', {
  members: 'u32',
  length: 'u32',
  observations: 'u32',
  firstObservation: 'u32',
  blockObservations: 'u32',
});

export const perturbedInnovation: WebGpuOperator<PerturbedInnovationParameters, PerturbedInnovationFields> = async (
  builder,
  { members, observations },
) => {
  const program = await builder.program({
    label: 'stochastic-enkf.perturbed-innovation',
    code: [indexLibrary, INNOVATION_PARAMETERS.wgsl, perturbedInnovationKernel],
    bindings: ['uniform', 'read', 'read', 'read', 'read', 'write'],
  });
  const uniform = builder.uniform('parameters', INNOVATION_PARAMETERS, { observations });
  const [x, y] = workgroupsFor(observations, WORKGROUP);
  return (recorder, { values, observed, inverseErrorStd, perturbations, scaled }) =>
    recorder.dispatch(program, [uniform, values, observed, inverseErrorStd, perturbations, scaled], [x, y, members]);
};

export const observedCovariance: WebGpuOperator<GainBlock, ObservedCovarianceFields> = async (
  builder,
  { length, observations, firstObservation, blockObservations },
) => {
  const program = await builder.program({
    label: 'stochastic-enkf.observed-covariance',
    code: [indexLibrary, COVARIANCE_PARAMETERS.wgsl, observedCovarianceKernel],
    bindings: ['uniform', 'read', 'read', 'read', 'read', 'read', 'write'],
  });
  const uniform = builder.uniform('parameters', COVARIANCE_PARAMETERS, { length, observations, firstObservation });
  const [x, y] = workgroupsFor(observations, WORKGROUP);
  return (recorder, { covariance, indptr, indices, data, inverseErrorStd, matrix }) =>
    recorder.dispatch(
      program,
      [uniform, covariance, indptr, indices, data, inverseErrorStd, matrix],
      [x, y, blockObservations],
    );
};

export const gainIncrement: WebGpuOperator<GainBlock & { readonly members: number }, GainIncrementFields> = async (
  builder,
  { members, length, observations, firstObservation, blockObservations },
) => {
  const program = await builder.program({
    label: 'stochastic-enkf.gain-increment',
    code: [tileProduct, INCREMENT_PARAMETERS.wgsl, gainIncrementKernel],
    bindings: ['uniform', 'read', 'read', 'read', 'write'],
  });
  const uniform = builder.uniform('parameters', INCREMENT_PARAMETERS, {
    members,
    length,
    observations,
    firstObservation,
    blockObservations,
  });
  const [x, y] = workgroupsFor(length, TILE);
  const workgroups = [x, y, Math.ceil(members / TILE)] as const;
  return (recorder, { covariance, inverseErrorStd, weights, ensemble }) =>
    recorder.dispatch(program, [uniform, covariance, inverseErrorStd, weights, ensemble], workgroups);
};
