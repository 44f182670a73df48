/** The repair on a GPU: one invocation a cell. */
import indexSource from '../../../compute/webgpu/library/index.wgsl?raw';
import { workgroupsFor } from '../../../compute/webgpu/program.ts';
import type { WebGpuOperator } from '../../../compute/webgpu/program.ts';
import { uniformBlock } from '../../../compute/parameter-block.ts';
import type { RepairParameters } from './parameters.ts';
import source from './repair.wgsl?raw';

const PARAMETERS = uniformBlock('Parameters', {
  members: 'u32',
  cells: 'u32',
  floor: 'f32',
  dryDepth: 'f32',
});

const WORKGROUP = 256;

const prepareRepair: WebGpuOperator<RepairParameters, { state: 'real' }> = async (builder, parameters) => {
  const { members, cells, floor, dryDepth, bed } = parameters;
  const program = await builder.program({
    label: 'shallow-water-repair.main',
    code: [indexSource, PARAMETERS.wgsl, source],
    constants: { HAS_BED: bed ? 1 : 0 },
    bindings: ['uniform', 'read', 'write'],
  });
  const uniform = builder.uniform('parameters', PARAMETERS, { members, cells, floor, dryDepth });
  const ground = builder.table('bed', 'real', bed ?? [0]);
  const workgroups = workgroupsFor(members * cells, WORKGROUP);
  return (recorder, { state }) => recorder.dispatch(program, [uniform, ground, state], workgroups);
};

export default prepareRepair;
