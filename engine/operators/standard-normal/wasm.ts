/** Standard normal numbers on all threads. */
import { parameterBlock } from '../../compute/parameter-block.ts';
import { onFields, partsFor } from '../../compute/wasm/program.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';
import type { standardNormalFields, StandardNormalParameters } from './parameters.ts';

const STANDARD_NORMAL = parameterBlock('StandardNormal', {
  length: 'i32',
  segments: 'i32',
  /** Positions of a part. */
  segment: 'i32',
  streams: 'pointer',
  output: 'pointer',
});

/** Numbers of a part. */
const SEGMENT = 1024;

const prepare: WasmOperator<StandardNormalParameters, typeof standardNormalFields> = (builder, parameters) => {
  const program = builder.program('standardNormal', STANDARD_NORMAL, { ...parameters, segment: SEGMENT });
  return onFields(program, partsFor(parameters.length, SEGMENT));
};

export default prepare;
