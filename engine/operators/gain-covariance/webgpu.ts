/** Two dispatches: the sampled columns, then all tiles of all observations. */
import indexLibrary from '../../compute/webgpu/library/index.wgsl?raw';
import { workgroupsFor } from '../../compute/webgpu/program.ts';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import gainCovariance from './gain-covariance.wgsl?raw';
import type { GainCovarianceFields, GainCovarianceParameters } from './parameters.ts';
import observedColumns from './observed-columns.wgsl?raw';

/** Cells along each side of a workgroup's tile. */
const TILE = 16;
/** Members that are staged at once. */
const STAGED_MEMBERS = 16;

const webGpuGainCovariance: WebGpuOperator<GainCovarianceParameters, GainCovarianceFields> = async (
  workshop,
  { nx, ny, periodicX, periodicY, variables, members, firstObservation, observations, nonzeros, reachX, reachY },
) => {
  const [columnsProgram, productProgram] = await Promise.all([
    workshop.program({
      label: 'gain-covariance.observed-columns',
      code: [indexLibrary, observedColumns],
      bindings: ['uniform', 'read', 'read', 'read', 'read', 'write'],
    }),
    workshop.program({
      label: 'gain-covariance.product',
      code: [gainCovariance],
      bindings: ['uniform', 'read', 'read', 'read', 'read', 'read', 'write'],
    }),
  ]);
  const state = variables * ny * nx;
  const stride = Math.ceil(members / STAGED_MEMBERS) * STAGED_MEMBERS;
  const columns = workshop.scratch('columns', 'real', Math.max(1, nonzeros) * stride);
  const columnsUniform = workshop.uniform('columns-parameters', [
    { u32: state },
    { u32: members },
    { u32: stride },
    { u32: firstObservation },
    { u32: observations },
    { u32: nonzeros },
  ]);
  const productUniform = workshop.uniform('product-parameters', [
    { u32: nx },
    { u32: ny },
    { u32: variables },
    { u32: members },
    { u32: stride },
    { u32: firstObservation },
    { u32: reachX },
    { u32: reachY },
    { u32: Number(periodicX) },
    { u32: Number(periodicY) },
  ]);
  const gather = workgroupsFor(Math.max(1, nonzeros) * stride, 256);
  const tiles = [Math.ceil(nx / TILE), Math.ceil(ny / TILE) * variables, observations] as const;
  return (recorder, { anomalies, taperRow, indptr, indices, data, output }) => {
    recorder.dispatch(columnsProgram, [columnsUniform, anomalies, indptr, indices, data, columns], gather);
    recorder.dispatch(productProgram, [productUniform, anomalies, taperRow, indptr, indices, columns, output], tiles);
  };
};

export default webGpuGainCovariance;
