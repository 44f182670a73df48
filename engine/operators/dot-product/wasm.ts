/** The dot product in SIMD: runs of elements, summed in float64 in their order. */
import { parameterBlock } from '../../compute/parameter-block.ts';
import { addressesOf, partsFor } from '../../compute/wasm/program.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';
import type { DotProductFields, DotProductParameters } from './reference.ts';

const DOT_PRODUCT = parameterBlock('DotProduct', {
  length: 'i32',
  segment: 'i32',
  x: 'pointer',
  y: 'pointer',
  /** A float64 a part. */
  sums: 'pointer',
});

/** Elements of a part. */
const SEGMENT = 32_768;

export const dotProduct: WasmOperator<DotProductParameters, DotProductFields> = (builder, { length, factor }) => {
  const parts = partsFor(length, SEGMENT);
  const sums = builder.doubles('dot-product.sums', parts);
  const program = builder.program('dotProduct', DOT_PRODUCT, { length, segment: SEGMENT, sums: sums.address });
  return ({ x, y, result }) => {
    program.set(addressesOf({ x, y }));
    program.run(parts);
    result[0] = factor * sums.view().reduce((sum, value) => sum + value, 0);
  };
};
