/** The repair in SIMD. */
import { parameterBlock } from '../../../compute/parameter-block.ts';
import { onFields, partsFor } from '../../../compute/wasm/program.ts';
import type { WasmOperator } from '../../../compute/wasm/program.ts';
import type { RepairParameters } from './parameters.ts';

const REPAIR = parameterBlock('Repair', {
  cells: 'i32',
  /** Cells of a part, and parts of a member. */
  segment: 'i32',
  segments: 'i32',
  floor: 'f32',
  dryDepth: 'f32',
  /** [y][x], or 0 where component 0 is the depth. */
  bed: 'pointer',
  state: 'pointer',
});

/** Cells of a part. */
const SEGMENT = 16_384;

const prepare: WasmOperator<RepairParameters, { state: 'real' }> = (
  builder,
  { members, cells, floor, dryDepth, bed },
) => {
  const segments = partsFor(cells, SEGMENT);
  const ground = bed ? builder.realTable('shallow-water-repair.bed', bed) : 0;
  const constants = { cells, segment: SEGMENT, segments, floor, dryDepth, bed: ground };
  return onFields(builder.program('repair', REPAIR, constants), segments * members);
};

export default prepare;
