/** The speed limit on a GPU: one invocation a cell. */
import indexSource from '../../../compute/webgpu/library/index.wgsl?raw';
import { workgroupsFor } from '../../../compute/webgpu/program.ts';
import type { WebGpuOperator } from '../../../compute/webgpu/program.ts';
import { uniformBlock } from '../../../compute/parameter-block.ts';
import type { SpeedLimitFields, SpeedLimitParameters } from './parameters.ts';
import source from './speed-limit.wgsl?raw';

const PARAMETERS = uniformBlock('Parameters', {
  members: 'u32',
  nx: 'u32',
  ny: 'u32',
  gravity: 'f32',
  dryDepth: 'f32',
});

const WORKGROUP = 256;

const prepare: WebGpuOperator<SpeedLimitParameters, SpeedLimitFields> = async (
  builder,
  { members, nx, ny, periodicX, periodicY, gravity, dryDepth, bed },
) => {
  const program = await builder.program({
    label: 'shallow-water-speed-limit.main',
    code: [indexSource, PARAMETERS.wgsl, source],
    constants: { PERIODIC_X: Number(periodicX), PERIODIC_Y: Number(periodicY) },
    bindings: ['uniform', 'read', 'read', 'write'],
  });
  const uniform = builder.uniform('parameters', PARAMETERS, { members, nx, ny, gravity, dryDepth });
  const ground = builder.table('bed', 'real', bed);
  const workgroups = workgroupsFor(members * nx * ny, WORKGROUP);
  return (recorder, { forecast, state }) => recorder.dispatch(program, [uniform, ground, forecast, state], workgroups);
};

export default prepare;
