/** Two dispatches: the sampled columns, then all tiles of all observations. */
import indexLibrary from '../../compute/webgpu/library/index.wgsl?raw';
import { workgroupsFor } from '../../compute/webgpu/program.ts';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import { uniformBlock } from '../../compute/webgpu/uniform-block.ts';
import gainCovariance from './gain-covariance.wgsl?raw';
import type { GainCovarianceFields, GainCovarianceParameters } from './parameters.ts';
import observedColumns from './observed-columns.wgsl?raw';

const PRODUCT_PARAMETERS = uniformBlock('Parameters', {
  nx: 'u32',
  ny: 'u32',
  variables: 'u32',
  members: 'u32',
  /** Members filled up to a multiple of 16. */
  stride: 'u32',
  firstObservation: 'u32',
  reachX: 'u32',
  reachY: 'u32',
  /** 1 where periodic. */
  periodicX: 'u32',
  periodicY: 'u32',
});

const COLUMNS_PARAMETERS = uniformBlock('Parameters', {
  state: 'u32',
  members: 'u32',
  /** Members filled up to a multiple of 16. */
  stride: 'u32',
  firstObservation: 'u32',
  observations: 'u32',
  nonzeros: 'u32',
});

/** Cells along each side of a workgroup's tile. */
const TILE = 16;
/** Members that an invocation has of its cells, and invocations at most for the same cells. */
const GROUP_MEMBERS = 16;
const MOST_GROUPS = 4;

const webGpuGainCovariance: WebGpuOperator<GainCovarianceParameters, GainCovarianceFields> = async (
  builder,
  { nx, ny, periodicX, periodicY, variables, members, firstObservation, observations, nonzeros, reachX, reachY },
) => {
  const stride = Math.ceil(members / GROUP_MEMBERS) * GROUP_MEMBERS;
  const [columnsProgram, productProgram] = await Promise.all([
    builder.program({
      label: 'gain-covariance.observed-columns',
      code: [indexLibrary, COLUMNS_PARAMETERS.wgsl, observedColumns],
      bindings: ['uniform', 'read', 'read', 'read', 'read', 'write'],
    }),
    builder.program({
      label: 'gain-covariance.product',
      code: [PRODUCT_PARAMETERS.wgsl, gainCovariance],
      constants: { GROUPS: Math.min(MOST_GROUPS, stride / GROUP_MEMBERS) },
      bindings: ['uniform', 'read', 'read', 'read', 'read', 'read', 'write'],
    }),
  ]);
  const state = variables * ny * nx;
  const columns = builder.scratch('columns', 'real', Math.max(1, nonzeros) * stride);
  const columnsUniform = builder.uniform('columns-parameters', COLUMNS_PARAMETERS, {
    state,
    members,
    stride,
    firstObservation,
    observations,
    nonzeros,
  });
  const productUniform = builder.uniform('product-parameters', PRODUCT_PARAMETERS, {
    nx,
    ny,
    variables,
    members,
    stride,
    firstObservation,
    reachX,
    reachY,
    periodicX: Number(periodicX),
    periodicY: Number(periodicY),
  });
  const gather = workgroupsFor(Math.max(1, nonzeros) * stride, 256);
  const tiles = [Math.ceil(nx / TILE), Math.ceil(ny / TILE) * variables, observations] as const;
  return (recorder, { anomalies, taperRow, indptr, indices, data, output }) => {
    recorder.dispatch(columnsProgram, [columnsUniform, anomalies, indptr, indices, data, columns], gather);
    recorder.dispatch(productProgram, [productUniform, anomalies, taperRow, indptr, indices, columns, output], tiles);
  };
};

export default webGpuGainCovariance;
