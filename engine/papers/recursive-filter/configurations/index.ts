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
import { aboveZero, count, defineOperator, integerFrom } from '../../../compute/define-operator.ts';
import { recursiveFilter, recursiveFilterFields } from '../../../operators/recursive-filter/index.ts';
import { filterParameters, type FilterConfiguration } from './parameters.ts';

export type { FilterConfiguration } from './parameters.ts';

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
  wasm: async () => (await import('./wasm.ts')).default,
  webgpu: async () => (await import('./webgpu.ts')).default,
});
