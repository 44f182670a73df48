/** Algorithm 2 in SIMD: a task for each block of threads. */
import type { WasmOperator } from '../../../compute/wasm/program.ts';
import type { recursiveFilterFields } from '../../../operators/recursive-filter/index.ts';
import { prepareGroups } from '../../../operators/recursive-filter/wasm.ts';
import { filterParameters, type FilterConfiguration } from './parameters.ts';

const prepare: WasmOperator<FilterConfiguration, typeof recursiveFilterFields> = (builder, configuration) => {
  const pass = prepareGroups(builder, filterParameters(configuration), configuration.threads);
  return ({ input, output }) => pass(input.byteOffset, output.byteOffset);
};

export default prepare;
