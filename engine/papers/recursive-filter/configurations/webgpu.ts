/** Algorithm 2 on the GPU: a workgroup for each block of threads, an invocation for each thread, one dispatch. */
import { LimitError } from '../../../errors.ts';
import { uniformBlock } from '../../../compute/parameter-block.ts';
import type { WebGpuOperator } from '../../../compute/webgpu/program.ts';
import { blockRange, filterCoefficients } from '../../../operators/recursive-filter/index.ts';
import type { recursiveFilterFields } from '../../../operators/recursive-filter/index.ts';
import type { FilterConfiguration } from './parameters.ts';
import source from './threads.wgsl?raw';

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

const prepare: WebGpuOperator<FilterConfiguration, typeof recursiveFilterFields> = async (builder, configuration) => {
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

export default prepare;
