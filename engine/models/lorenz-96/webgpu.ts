/** The Lorenz-96 model on a GPU: all steps of a run in one kernel, a member a workgroup. */
import { workgroupsFor } from '../../compute/webgpu/program.ts';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import { uniformBlock } from '../../compute/parameter-block.ts';
import { LimitError } from '../../errors.ts';
import { STEPPING_BINDINGS, steppingBuffers, steppingSource } from '../stepping-webgpu.ts';
import type { StepFields } from '../stepping.ts';
import concludeSource from './conclude.wgsl?raw';
import type { Lorenz96Parameters } from './parameters.ts';
import source from './lorenz-96.wgsl?raw';

const PARAMETERS = uniformBlock('Parameters', {
  members: 'u32',
  steps: 'u32',
  forcing: 'f32',
});

/** Reals of workgroup memory a variable, and bytes besides. */
const REALS_PER_VARIABLE = 4;
const OTHER_BYTES = 64;

const prepareLorenz96: WebGpuOperator<Lorenz96Parameters, StepFields> = async (builder, parameters) => {
  const { n, members, steps, forcing } = parameters;
  const memory = builder.limits.maxComputeWorkgroupStorageSize;
  const largest = Math.floor((memory - OTHER_BYTES) / (REALS_PER_VARIABLE * Float32Array.BYTES_PER_ELEMENT));
  if (n > largest) {
    throw new LimitError(
      `Lorenz-96 with ${n} variables: at most ${largest} fit into the ${memory} bytes of this GPU's workgroup memory; use fewer, or the reference backend`,
    );
  }
  const common = {
    constants: { N: n },
    bindings: [...STEPPING_BINDINGS, 'uniform', 'write', 'write'] as const,
  };
  const [run, conclude] = await Promise.all([
    builder.program({ label: 'lorenz-96.steps', code: [steppingSource, PARAMETERS.wgsl, source], ...common }),
    builder.program({
      label: 'lorenz-96.conclude',
      code: [steppingSource, PARAMETERS.wgsl, concludeSource],
      ...common,
    }),
  ]);
  const uniform = builder.uniform('parameters', PARAMETERS, { members, steps, forcing });
  const faults = builder.scratch('faults', 'index', members);
  const stepping = steppingBuffers(builder, parameters);
  const workgroups = workgroupsFor(members, 1);
  return (recorder, buffers) => {
    const bound = [...stepping(0, buffers), uniform, buffers.state, faults];
    recorder.dispatch(run, bound, workgroups);
    recorder.dispatch(conclude, bound, [1]);
  };
};

export default prepareLorenz96;
