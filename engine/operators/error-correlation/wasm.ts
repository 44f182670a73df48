/** The sum in WebAssembly, a row a part. */
import { parameterBlock } from '../../compute/parameter-block.ts';
import { onFields } from '../../compute/wasm/program.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';
import type { errorCorrelationFields, ErrorCorrelationParameters } from './parameters.ts';

const ERROR_CORRELATION = parameterBlock('ErrorCorrelation', {
  observations: 'i32',
  indptr: 'pointer',
  indices: 'pointer',
  correlation: 'pointer',
  inverseErrorStd: 'pointer',
  matrix: 'pointer',
});

const prepare: WasmOperator<ErrorCorrelationParameters, typeof errorCorrelationFields> = (builder, { observations }) =>
  onFields(builder.program('errorCorrelation', ERROR_CORRELATION, { observations }), observations);

export default prepare;
