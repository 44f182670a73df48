import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import { uniformBlock } from '../../compute/parameter-block.ts';
import code from './geostrophic-balance.wgsl?raw';
import type { geostrophicBalanceFields, GeostrophicBalanceParameters } from './parameters.ts';

const PARAMETERS = uniformBlock('Parameters', {
  nx: 'i32',
  ny: 'i32',
  perDx: 'f32',
  perDy: 'f32',
  periodicX: 'u32',
  periodicY: 'u32',
  adjoint: 'u32',
});

const TILE = 16;

const prepare: WebGpuOperator<GeostrophicBalanceParameters, typeof geostrophicBalanceFields> = async (
  builder,
  { nx, ny, dx, dy, periodicX, periodicY, transpose },
) => {
  const program = await builder.program({
    label: 'geostrophic-balance.main',
    code: [PARAMETERS.wgsl, code],
    bindings: ['uniform', 'read', 'read', 'write'],
  });
  const parameters = builder.uniform('parameters', PARAMETERS, {
    nx,
    ny,
    perDx: 1 / dx,
    perDy: 1 / dy,
    periodicX: Number(periodicX),
    periodicY: Number(periodicY),
    adjoint: Number(transpose),
  });
  return (recorder, { coefficient, input, output }) =>
    recorder.dispatch(program, [parameters, coefficient, input, output], [Math.ceil(nx / TILE), Math.ceil(ny / TILE)]);
};

export default prepare;
