/** The Lorenz-96 model on a GPU: all steps of a run in one kernel, a member a workgroup. */
import { uniformBlock, parameterBlock } from '../../compute/parameter-block.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';
import { workgroupsFor, partsOf } from '../../compute/webgpu/program.ts';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import { LimitError } from '../../errors.ts';
import {
  STEPPING_BINDINGS,
  steppingBuffers,
  steppingSource,
  createReports,
  reportWords,
  takeTogether,
  wasmSteps,
} from '../stepping-devices.ts';
import type { StepFields } from '../stepping.ts';
import lorenz96Source from './lorenz-96.wgsl?raw';
import type { Lorenz96Parameters } from './reference.ts';

const part = partsOf(lorenz96Source);

const LORENZ_96 = parameterBlock('Lorenz96', {
  n: 'i32',
  steps: 'i32',
  forcing: 'f32',
  seconds: 'f32',
  state: 'pointer',
  /** Report of each part: step, cell, kind, variable, value; step −1 if nothing went wrong. */
  reports: 'pointer',
});

/** Arrays of the circle that a kernel keeps, and reals of one, as in lorenz-96.as.ts. */
const CIRCLE_ARRAYS = 4;
const realsOfCircle = (n: number): number => 4 * Math.ceil(n / 4) + 12;

/** The Lorenz-96 model in SIMD: a part of a task is a member with all steps of a run. */
export const lorenz96Wasm: WasmOperator<Lorenz96Parameters, StepFields> = (builder, parameters) => {
  const { n, members, forcing, steps } = parameters;
  const eachMember = { bands: 1, rowsPerBand: 1, parts: members };
  const before = members > 1 && steps > 1 ? builder.reals('lorenz-96.before', n * members) : undefined;
  const reportMemory = builder.words('lorenz-96.reports', reportWords(eachMember));
  const reports = createReports(reportMemory.view, eachMember, n);
  const program = builder.program(
    'lorenz96',
    LORENZ_96,
    { n, forcing, reports: reportMemory.address },
    4 * CIRCLE_ARRAYS * realsOfCircle(n),
  );
  return wasmSteps(parameters, {
    waveRate: () => 0,
    advance(state, count, seconds) {
      program.set({ state: state.byteOffset, seconds });
      return takeTogether(state, count, before?.view(), reports, (taken) => {
        program.set({ steps: taken });
        program.run(members);
      });
    },
  });
};

const PARAMETERS = uniformBlock('Parameters', {
  members: 'u32',
  steps: 'u32',
  forcing: 'f32',
});

/** Reals of workgroup memory a variable, and bytes besides. */
const REALS_PER_VARIABLE = 4;
const OTHER_BYTES = 64;

export const lorenz96WebGpu: WebGpuOperator<Lorenz96Parameters, StepFields> = async (builder, parameters) => {
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
    builder.program({
      label: 'lorenz-96.steps',
      code: [steppingSource, PARAMETERS.wgsl, part('lorenz-96')],
      ...common,
    }),
    builder.program({
      label: 'lorenz-96.conclude',
      code: [steppingSource, PARAMETERS.wgsl, part('conclude')],
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
