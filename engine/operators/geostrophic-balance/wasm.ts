/** Geostrophic balance in SIMD: a part is a row of cells. */
import { parameterBlock } from '../../compute/parameter-block.ts';
import { onFields } from '../../compute/wasm/program.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';
import type { geostrophicBalanceFields, GeostrophicBalanceParameters } from './parameters.ts';

const GEOSTROPHIC_BALANCE = parameterBlock('GeostrophicBalance', {
  nx: 'i32',
  ny: 'i32',
  periodicX: 'i32',
  periodicY: 'i32',
  perDx: 'f32',
  perDy: 'f32',
  transpose: 'i32',
  coefficient: 'pointer',
  input: 'pointer',
  output: 'pointer',
});

const prepare: WasmOperator<GeostrophicBalanceParameters, typeof geostrophicBalanceFields> = (
  builder,
  { nx, ny, dx, dy, periodicX, periodicY, transpose },
) => {
  const constants = {
    nx,
    ny,
    periodicX: Number(periodicX),
    periodicY: Number(periodicY),
    perDx: 1 / dx,
    perDy: 1 / dy,
    transpose: Number(transpose),
  };
  return onFields(builder.program('geostrophicBalance', GEOSTROPHIC_BALANCE, constants), ny);
};

export default prepare;
