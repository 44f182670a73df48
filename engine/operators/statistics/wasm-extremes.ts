/** Extremes in SIMD: a part is a variable. */
import { parameterBlock } from '../../compute/wasm/parameter-block.ts';
import { onFields } from '../../compute/wasm/program.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';
import type { EnsembleShape, ExtremesFields } from './parameters.ts';

const EXTREMES = parameterBlock('Extremes', {
  members: 'i32',
  cells: 'i32',
  state: 'i32',
  ensemble: 'pointer',
  minimum: 'pointer',
  maximum: 'pointer',
});

const prepare: WasmOperator<EnsembleShape, ExtremesFields> = (builder, { members, variables, cells }) =>
  onFields(builder.program('extremes', EXTREMES, { members, cells, state: variables * cells }), variables);

export default prepare;
