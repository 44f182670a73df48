/** The diagonal matrix in SIMD. */
import { parameterBlock } from '../../compute/parameter-block.ts';
import { partsFor } from '../../compute/wasm/program.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';
import type { DiagonalFields, DiagonalParameters } from './parameters.ts';

const DIAGONAL = parameterBlock('Diagonal', {
  length: 'i32',
  segment: 'i32',
  segments: 'i32',
  scale: 'pointer',
  input: 'pointer',
  output: 'pointer',
});

/** Elements of a part. */
const SEGMENT = 65_536;

const prepare: WasmOperator<DiagonalParameters, DiagonalFields> = (builder, { length, batch }) => {
  const segments = partsFor(length, SEGMENT);
  const program = builder.program('diagonal', DIAGONAL, { length, segment: SEGMENT, segments });
  return ({ scale, input, output }) => {
    program.set({ scale: scale.byteOffset, input: input.byteOffset, output: output.byteOffset });
    program.run(segments * batch);
  };
};

export default prepare;
