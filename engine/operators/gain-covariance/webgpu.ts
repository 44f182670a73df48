/** Three dispatches: zeros, the sampled columns, and the tiles that are in reach of an observation. */
import indexLibrary from '../../compute/webgpu/library/index.wgsl?raw';
import { workgroupsFor } from '../../compute/webgpu/program.ts';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import { uniformBlock } from '../../compute/parameter-block.ts';
import gainCovariance from './gain-covariance.wgsl?raw';
import type { GainCovarianceFields, GainCovarianceParameters } from './reference.ts';
import observedColumns from './observed-columns.wgsl?raw';
import zeros from './zeros.wgsl?raw';

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

const ZEROS_PARAMETERS = uniformBlock('Parameters', { length: 'u32' });
/** Elements that a workgroup makes 0. */
const ZEROS_ELEMENTS = 4096;

/** Cells along each side of a workgroup's tile. */
const TILE = 16;
/** So many are enough for the largest device; if there are more tiles, a workgroup takes several. */
const ENOUGH_WORKGROUPS = 4096;
/** Quads of cells in a tile. */
const QUADS = 64;
/** Members that an invocation has of its cells, and invocations at most for the same cells. */
const GROUP_MEMBERS = 16;
const MOST_GROUPS = 4;

const webGpuGainCovariance: WebGpuOperator<GainCovarianceParameters, GainCovarianceFields> = async (
  builder,
  { nx, ny, periodicX, periodicY, variables, members, firstObservation, observations, nonzeros, reachX, reachY },
) => {
  const stride = Math.ceil(members / GROUP_MEMBERS) * GROUP_MEMBERS;
  const groups = Math.min(MOST_GROUPS, stride / GROUP_MEMBERS);
  const [zerosProgram, columnsProgram, productProgram] = await Promise.all([
    builder.program({
      label: 'gain-covariance.zeros',
      code: [ZEROS_PARAMETERS.wgsl, zeros],
      bindings: ['uniform', 'write'],
    }),
    builder.program({
      label: 'gain-covariance.observed-columns',
      code: [indexLibrary, COLUMNS_PARAMETERS.wgsl, observedColumns],
      bindings: ['uniform', 'read', 'read', 'read', 'read', 'write'],
    }),
    builder.program({
      label: 'gain-covariance.product',
      code: [PRODUCT_PARAMETERS.wgsl, gainCovariance],
      constants: { GROUPS: groups, LANES: QUADS * groups },
      bindings: ['uniform', 'read', 'read', 'read', 'read', 'read', 'write'],
    }),
  ]);
  const state = variables * ny * nx;
  const columns = builder.scratch('columns', 'real', Math.max(1, nonzeros) * stride);
  const length = observations * state;
  const zerosUniform = builder.uniform('zeros-parameters', ZEROS_PARAMETERS, { length });
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
  const tiles = Math.ceil(nx / TILE) * Math.ceil(ny / TILE);
  const shares = Math.min(tiles, Math.ceil(ENOUGH_WORKGROUPS / (variables * observations)));
  const workgroups = [shares, variables, observations] as const;
  return (recorder, { anomalies, taperRow, indptr, indices, data, output }) => {
    recorder.dispatch(zerosProgram, [zerosUniform, output], workgroupsFor(length, ZEROS_ELEMENTS));
    recorder.dispatch(columnsProgram, [columnsUniform, anomalies, indptr, indices, data, columns], gather);
    recorder.dispatch(
      productProgram,
      [productUniform, anomalies, taperRow, indptr, indices, columns, output],
      workgroups,
    );
  };
};

export default webGpuGainCovariance;
