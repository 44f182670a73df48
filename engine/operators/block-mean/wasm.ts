/** Means of blocks on threads. */
import { parameterBlock } from '../../compute/parameter-block.ts';
import { onFields, partsFor } from '../../compute/wasm/program.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';
import type { blockMeanFields, BlockMeanParameters } from './parameters.ts';

const BLOCK_MEAN = parameterBlock('BlockMean', {
  nx: 'i32',
  ny: 'i32',
  variables: 'i32',
  factor: 'i32',
  rows: 'i32',
  fine: 'pointer',
  offset: 'pointer',
  coarse: 'pointer',
});

/** Fine cells of a part. */
const SEGMENT = 16_384;

const prepare: WasmOperator<BlockMeanParameters, typeof blockMeanFields> = (builder, parameters) => {
  const { nx, ny, variables, factor } = parameters;
  const rows = Math.max(1, Math.floor(SEGMENT / (nx * factor ** 2)));
  const program = builder.program('blockMean', BLOCK_MEAN, { ...parameters, rows });
  return onFields(program, partsFor(variables * ny, rows));
};

export default prepare;
