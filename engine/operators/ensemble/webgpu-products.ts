/** The operators that are products of matrices: two tiled in workgroup memory, one with a sparse factor. */
import indexLibrary from '../../compute/webgpu/library/index.wgsl?raw';
import tileProduct from '../../compute/webgpu/library/tile-product.wgsl?raw';
import { workgroupsFor } from '../../compute/webgpu/program.ts';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import ensembleTransformKernel from './ensemble-transform.wgsl?raw';
import gainIncrementKernel from './gain-increment.wgsl?raw';
import type { GainBlock, GainIncrementFields, ObservedCovarianceFields } from './gain.ts';
import type { EnsembleSize } from './moments.ts';
import observedCovarianceKernel from './observed-covariance.wgsl?raw';

/** Members and elements of a tile. */
const TILE = 64;

/** Workgroups for all tiles of an ensemble. */
function tilesOf({ members, length }: EnsembleSize): readonly [number, number, number] {
  const [x, y] = workgroupsFor(length, TILE);
  return [x, y, Math.ceil(members / TILE)];
}

export const ensembleTransform: WebGpuOperator<
  EnsembleSize,
  { ensemble: 'real'; transform: 'real'; transformed: 'real' }
> = async (workshop, { members, length }) => {
  const program = await workshop.program({
    label: 'ensemble.transform',
    code: [tileProduct, ensembleTransformKernel],
    bindings: ['uniform', 'read', 'read', 'write'],
  });
  const uniform = workshop.uniform('parameters', [{ u32: members }, { u32: length }]);
  const workgroups = tilesOf({ members, length });
  return (recorder, { ensemble, transform, transformed }) =>
    recorder.dispatch(program, [uniform, ensemble, transform, transformed], workgroups);
};

export const gainIncrement: WebGpuOperator<GainBlock & { readonly members: number }, GainIncrementFields> = async (
  workshop,
  { members, length, observations, firstObservation, blockObservations },
) => {
  const program = await workshop.program({
    label: 'ensemble.gain-increment',
    code: [tileProduct, gainIncrementKernel],
    bindings: ['uniform', 'read', 'read', 'read', 'write'],
  });
  const uniform = workshop.uniform('parameters', [
    { u32: members },
    { u32: length },
    { u32: observations },
    { u32: firstObservation },
    { u32: blockObservations },
  ]);
  const workgroups = tilesOf({ members, length });
  return (recorder, { covariance, inverseDeviation, weights, ensemble }) =>
    recorder.dispatch(program, [uniform, covariance, inverseDeviation, weights, ensemble], workgroups);
};

export const observedCovariance: WebGpuOperator<GainBlock, ObservedCovarianceFields> = async (
  workshop,
  { length, observations, firstObservation, blockObservations },
) => {
  const program = await workshop.program({
    label: 'ensemble.observed-covariance',
    code: [indexLibrary, observedCovarianceKernel],
    bindings: ['uniform', 'read', 'read', 'read', 'read', 'read', 'write'],
  });
  const uniform = workshop.uniform('parameters', [{ u32: length }, { u32: observations }, { u32: firstObservation }]);
  const [x, y] = workgroupsFor(observations, 256);
  return (recorder, { covariance, indptr, indices, data, inverseDeviation, matrix }) =>
    recorder.dispatch(
      program,
      [uniform, covariance, indptr, indices, data, inverseDeviation, matrix],
      [x, y, blockObservations],
    );
};
