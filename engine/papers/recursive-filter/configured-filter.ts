/**
 * Algorithm 2 of [rf-gpu] as its Table 2 has it: a signal of N points cut into t = blocks × threads parts, each extended by m points
 * on both sides, which one thread sweeps from end to end, all K iterations; the threads of a block belong together.
 *
 * On a GPU a block is a workgroup and a thread an invocation; on a processor a block is a task, and its threads are swept side by
 * side in SIMD. It is here for the comparison alone: `operators/recursive-filter` shares a part among the lanes of a workgroup,
 * and gives the same numbers to rounding.
 *
 * Cost: reads and writes the signal once; 6 K (N + 2 m t) operations.
 */
import { aboveZero, count, defineOperator, integerFrom } from '../../compute/define-operator.ts';
import { uniformBlock } from '../../compute/parameter-block.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import { LimitError } from '../../errors.ts';
import {
  blockRange,
  filterCoefficients,
  recursiveFilter,
  recursiveFilterFields,
  simdGroups,
  type RecursiveFilterParameters,
} from '../../operators/recursive-filter/index.ts';
import source from './threads.wgsl?raw';

/** What a configuration is prepared with. */
export interface FilterConfiguration {
  /** N */
  readonly length: number;
  /** Grid points, above 0. */
  readonly sigma: number;
  /** K */
  readonly iterations: number;
  /** Blocks of threads, and threads of a block: at most N in all. */
  readonly blocks: number;
  readonly threads: number;
  /** m, points by which the part of a thread is extended on both sides. */
  readonly overlap: number;
}

type Sweeps = Pick<FilterConfiguration, 'length' | 'sigma' | 'iterations'>;

/** @returns the literal sweeps of one signal, undivided */
export function sweepsOfSignal({ length, sigma, iterations }: Sweeps): RecursiveFilterParameters {
  return {
    nx: length,
    ny: 1,
    batch: 1,
    sigmaX: sigma,
    sigmaY: 0,
    iterations,
    form: 'sweeps',
    transpose: false,
    boundaryX: 'free',
    boundaryY: 'free',
  };
}

/** @returns the filter of as many blocks as a configuration has threads in all */
function filterParameters(configuration: FilterConfiguration): RecursiveFilterParameters {
  const { blocks, threads, overlap } = configuration;
  return { ...sweepsOfSignal(configuration), decomposition: { blocks: blocks * threads, overlap } };
}

export const configuredFilter = defineOperator<FilterConfiguration, typeof recursiveFilterFields>({
  name: 'configured-filter',
  fields: recursiveFilterFields,
  parameters: {
    length: count,
    sigma: aboveZero,
    blocks: count,
    threads: count,
    iterations: count,
    overlap: integerFrom(0),
  },
  cost: (parameters, elementBytes) => recursiveFilter.cost(filterParameters(parameters), elementBytes),
  reference: (parameters) => recursiveFilter.implementations.reference(filterParameters(parameters)),
  wasm: async () => onProcessor(await simdGroups()),
  webgpu: async () => onGpu,
});

/** In SIMD: a task for each block of threads. */
function onProcessor(
  prepareGroups: Awaited<ReturnType<typeof simdGroups>>,
): WasmOperator<FilterConfiguration, typeof recursiveFilterFields> {
  return (builder, configuration) => {
    const pass = prepareGroups(builder, filterParameters(configuration), configuration.threads);
    return ({ input, output }) => pass(input.byteOffset, output.byteOffset);
  };
}

const PARAMETERS = uniformBlock('Parameters', {
  length: 'u32',
  /** t, points of the shorter parts, and how many have a point more. */
  parts: 'u32',
  size: 'u32',
  longer: 'u32',
  overlap: 'u32',
  iterations: 'u32',
  alpha: 'f32',
  M: 'f32',
});

/** On the GPU: a workgroup for each block of threads, an invocation for each thread, one dispatch. */
const onGpu: WebGpuOperator<FilterConfiguration, typeof recursiveFilterFields> = async (builder, configuration) => {
  const { length, sigma, iterations, blocks, threads, overlap } = configuration;
  const most = builder.limits.maxComputeInvocationsPerWorkgroup;
  if (threads > most) {
    throw new LimitError(
      `configured-filter: threads is ${threads}, more than the ${most} invocations of a workgroup on this GPU`,
    );
  }
  const parts = blocks * threads;
  const { alpha, M } = filterCoefficients(sigma, iterations);
  const program = await builder.program({
    label: 'configured-filter',
    code: [PARAMETERS.wgsl, source],
    constants: { THREADS: threads },
    bindings: ['uniform', 'read', 'write', 'write'],
  });
  const size = Math.floor(length / parts);
  const longer = length % parts;
  const values = { length, parts, size, longer, overlap, iterations, alpha, M };
  const parameters = builder.uniform('configured-filter.parameters', PARAMETERS, values);
  const longest = blockRange(length, parts, 0).size + 2 * overlap;
  const swept = builder.scratch('configured-filter.swept', 'real', parts * longest);
  return (recorder, { input, output }) => recorder.dispatch(program, [parameters, input, output, swept], [blocks]);
};
