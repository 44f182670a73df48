/** C in the three forms of [letkf-gpu], and P̃ᵃ, on the GPU: a dispatch each. */
import indexLibrary from '../../../compute/webgpu/library/index.wgsl?raw';
import { workgroupsFor, type KernelBuilder, type WebGpuOperator } from '../../../compute/webgpu/program.ts';
import { uniformBlock } from '../../../compute/parameter-block.ts';
import membersKernel from './c-members.wgsl?raw';
import naiveKernel from './c-naive.wgsl?raw';
import workgroupKernel from './c-workgroup.wgsl?raw';
import covarianceKernel from './covariance.wgsl?raw';
import neighbours from './neighbours.wgsl?raw';
import type {
  AnalysisCovarianceFields,
  LetkfPartsFields,
  LetkfPartsParameters,
  ObservationWeightsFields,
  ObservationWeightsForm,
} from './parameters.ts';

const PARAMETERS = uniformBlock('Parameters', { nx: 'u32', ny: 'u32', members: 'u32', diagonal: 'f32' });

/** Cells a side of a tile of c-workgroup.wgsl. */
const SIDE = 16;
const WORKGROUP = 64;

interface Kernel {
  readonly code: string;
  readonly workgroups: (parameters: LetkfPartsParameters) => readonly [number, number];
}

const KERNELS: Readonly<Record<ObservationWeightsForm, Kernel>> = {
  naive: { code: naiveKernel, workgroups: ({ nx, ny }) => workgroupsFor(nx * ny, WORKGROUP) },
  workgroup: {
    code: workgroupKernel,
    workgroups: ({ nx, ny }) => [Math.ceil(nx / SIDE), Math.ceil(ny / SIDE)],
  },
  members: { code: membersKernel, workgroups: ({ nx, ny, members }) => workgroupsFor(nx * ny * members, WORKGROUP) },
};

function uniformOf(builder: KernelBuilder, { nx, ny, members, inflation }: LetkfPartsParameters): GPUBuffer {
  return builder.uniform('letkf-parts.parameters', PARAMETERS, {
    nx,
    ny,
    members,
    diagonal: (members - 1) / inflation,
  });
}

export const prepareObservationWeights: WebGpuOperator<LetkfPartsParameters, ObservationWeightsFields> = async (
  builder,
  parameters,
) => {
  const { code, workgroups } = KERNELS[parameters.form];
  const program = await builder.program({
    label: `letkf-parts.c-${parameters.form}`,
    code: [indexLibrary, PARAMETERS.wgsl, neighbours, code],
    bindings: ['uniform', 'read', 'read', 'write'],
  });
  const uniform = uniformOf(builder, parameters);
  return (recorder, { anomalies, weights, c }) =>
    recorder.dispatch(program, [uniform, anomalies, weights, c], workgroups(parameters));
};

export const prepareAnalysisCovariance: WebGpuOperator<LetkfPartsParameters, AnalysisCovarianceFields> = async (
  builder,
  parameters,
) => {
  const program = await builder.program({
    label: 'letkf-parts.covariance',
    code: [PARAMETERS.wgsl, neighbours, covarianceKernel],
    constants: { order: parameters.members },
    bindings: ['uniform', 'read', 'read', 'write'],
  });
  const uniform = uniformOf(builder, parameters);
  const workgroups = workgroupsFor(parameters.nx * parameters.ny, 1);
  return (recorder, { anomalies, c, covariance }) =>
    recorder.dispatch(program, [uniform, anomalies, c, covariance], workgroups);
};

export const prepareLetkfParts: WebGpuOperator<LetkfPartsParameters, LetkfPartsFields> = async (
  builder,
  parameters,
) => {
  const [weigh, invert] = await Promise.all([
    prepareObservationWeights(builder, parameters),
    prepareAnalysisCovariance(builder, parameters),
  ]);
  return (recorder, buffers) => {
    weigh(recorder, buffers);
    invert(recorder, buffers);
  };
};
