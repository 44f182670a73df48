/** The speed limit in WebAssembly, a run of rows a part. */
import { parameterBlock } from '../../../compute/parameter-block.ts';
import { onFields, partsFor } from '../../../compute/wasm/program.ts';
import type { WasmOperator } from '../../../compute/wasm/program.ts';
import type { SpeedLimitFields, SpeedLimitParameters } from './parameters.ts';

const SPEED_LIMIT = parameterBlock('SpeedLimit', {
  nx: 'i32',
  ny: 'i32',
  /** Rows of a part, and parts of a member. */
  rows: 'i32',
  segments: 'i32',
  periodicX: 'i32',
  periodicY: 'i32',
  gravity: 'f32',
  dryDepth: 'f32',
  /** [y][x] */
  bed: 'pointer',
  forecast: 'pointer',
  state: 'pointer',
});

/** Cells of a part, about. */
const SEGMENT = 16_384;

const prepare: WasmOperator<SpeedLimitParameters, SpeedLimitFields> = (
  builder,
  { members, nx, ny, periodicX, periodicY, gravity, dryDepth, bed },
) => {
  const rows = Math.max(1, Math.floor(SEGMENT / nx));
  const segments = partsFor(ny, rows);
  const constants = {
    nx,
    ny,
    rows,
    segments,
    periodicX: Number(periodicX),
    periodicY: Number(periodicY),
    gravity,
    dryDepth,
    bed: builder.realTable('shallow-water-speed-limit.bed', bed),
  };
  return onFields(builder.program('speedLimit', SPEED_LIMIT, constants), segments * members);
};

export default prepare;
