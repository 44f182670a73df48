import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import code from './geostrophic-balance.wgsl?raw';
import type { geostrophicBalanceFields, GeostrophicBalanceParameters } from './parameters.ts';

const TILE = 16;

const prepare: WebGpuOperator<GeostrophicBalanceParameters, typeof geostrophicBalanceFields> = async (
  workshop,
  { nx, ny, dx, dy, periodicX, periodicY, transpose },
) => {
  const program = await workshop.program({
    label: 'geostrophic-balance.main',
    code: [code],
    bindings: ['uniform', 'read', 'read', 'write'],
  });
  const parameters = workshop.uniform('parameters', [
    { i32: nx },
    { i32: ny },
    { f32: 1 / dx },
    { f32: 1 / dy },
    { u32: Number(periodicX) },
    { u32: Number(periodicY) },
    { u32: Number(transpose) },
  ]);
  return (recorder, { coefficient, input, output }) =>
    recorder.dispatch(program, [parameters, coefficient, input, output], [Math.ceil(nx / TILE), Math.ceil(ny / TILE)]);
};

export default prepare;
