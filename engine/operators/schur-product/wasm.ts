/** The Schur products in SIMD. */
import { parameterBlock } from '../../compute/parameter-block.ts';
import { onFields, partsFor } from '../../compute/wasm/program.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';
import type { schurProductFields, SchurProductParameters } from './parameters.ts';
import { sumsOf } from './sums.ts';

const SCHUR_PRODUCT = parameterBlock('SchurProduct', {
  cells: 'i32',
  /** Products in a sum. */
  terms: 'i32',
  /** Planes between the anomalies of one sum and of the next, and between the terms of one. */
  anomalyPlane: 'i32',
  anomalyTerm: 'i32',
  /** Cells of a part, and parts of a plane. */
  segment: 'i32',
  segments: 'i32',
  anomalies: 'pointer',
  input: 'pointer',
  output: 'pointer',
});

/** Products of a part, about. */
const PART_PRODUCTS = 65_536;

const prepare: WasmOperator<SchurProductParameters, typeof schurProductFields> = (builder, parameters) => {
  const { cells } = parameters;
  const { planes, ...sums } = sumsOf(parameters);
  const segment = 4 * Math.max(1, Math.ceil(PART_PRODUCTS / sums.terms / 4));
  const segments = partsFor(cells, segment);
  return onFields(
    builder.program('schurProduct', SCHUR_PRODUCT, { cells, ...sums, segment, segments }),
    planes * segments,
  );
};

export default prepare;
