/** The projection in SIMD. */
import { parameterBlock } from '../../compute/parameter-block.ts';
import { onFields, partsFor } from '../../compute/wasm/program.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';
import type { WetProjectionFields, WetProjectionParameters } from './parameters.ts';

const WET_PROJECTION = parameterBlock('WetProjection', {
  variables: 'i32',
  cells: 'i32',
  segment: 'i32',
  dryDepth: 'f32',
  thinDepth: 'f32',
  background: 'pointer',
  bed: 'pointer',
  increment: 'pointer',
});

/** Cells of a part. */
const SEGMENT = 16_384;

const prepare: WasmOperator<WetProjectionParameters, WetProjectionFields> = (builder, parameters) => {
  const constants = { ...parameters, segment: SEGMENT };
  return onFields(builder.program('wetProjection', WET_PROJECTION, constants), partsFor(parameters.cells, SEGMENT));
};

export default prepare;
