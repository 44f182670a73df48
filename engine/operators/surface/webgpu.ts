/** η = h + B and σ = √variance on the GPU: one dispatch each. */
import indexLibrary from '../../compute/webgpu/library/index.wgsl?raw';
import { workgroupsFor } from '../../compute/webgpu/program.ts';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import { uniformBlock } from '../../compute/parameter-block.ts';
import type {
  StandardDeviationFields,
  StandardDeviationParameters,
  SurfaceElevationFields,
  SurfaceElevationParameters,
} from './parameters.ts';
import deviationKernel from './standard-deviation.wgsl?raw';
import elevationKernel from './surface-elevation.wgsl?raw';

const DEVIATION_PARAMETERS = uniformBlock('Parameters', {
  length: 'u32',
});

const ELEVATION_PARAMETERS = uniformBlock('Parameters', {
  cells: 'u32',
  elements: 'u32',
});

const WORKGROUP = 256;

export const surfaceElevation: WebGpuOperator<SurfaceElevationParameters, SurfaceElevationFields> = async (
  builder,
  { cells, variables },
) => {
  const program = await builder.program({
    label: 'surface-elevation.main',
    code: [indexLibrary, ELEVATION_PARAMETERS.wgsl, elevationKernel],
    bindings: ['uniform', 'read', 'read', 'write'],
  });
  const elements = cells * variables;
  const parameters = builder.uniform('surface-elevation.parameters', ELEVATION_PARAMETERS, { cells, elements });
  const workgroups = workgroupsFor(elements, WORKGROUP);
  return (recorder, { state, bed, planes }) => recorder.dispatch(program, [parameters, state, bed, planes], workgroups);
};

export const standardDeviation: WebGpuOperator<StandardDeviationParameters, StandardDeviationFields> = async (
  builder,
  { length },
) => {
  const program = await builder.program({
    label: 'standard-deviation.main',
    code: [indexLibrary, DEVIATION_PARAMETERS.wgsl, deviationKernel],
    bindings: ['uniform', 'read', 'write'],
  });
  const parameters = builder.uniform('standard-deviation.parameters', DEVIATION_PARAMETERS, { length });
  const workgroups = workgroupsFor(length, WORKGROUP);
  return (recorder, { variance, deviation }) =>
    recorder.dispatch(program, [parameters, variance, deviation], workgroups);
};
