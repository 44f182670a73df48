/** Interpolated weights on WebGPU: an invocation a cell and eight members of the analysis. */
import indexCode from '../../compute/webgpu/library/index.wgsl?raw';
import { workgroupsFor } from '../../compute/webgpu/program.ts';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import { uniformBlock } from '../../compute/parameter-block.ts';
import type { NodeTable } from './nodes.ts';
import { tablesOf } from './reference.ts';
import type { WeightInterpolationFields, WeightInterpolationParameters } from './reference.ts';
import kernel from './weight-interpolation.wgsl?raw';

const PARAMETERS = uniformBlock('Parameters', {
  nx: 'u32',
  ny: 'u32',
  variables: 'u32',
  members: 'u32',
  nodesX: 'u32',
  nodesY: 'u32',
});

const WORKGROUP = 64;
/** Members of the analysis by an invocation. */
const MEMBERS = 8;

/** [cell](left, right) */
function pairs({ left, right }: NodeTable): Uint32Array {
  return Uint32Array.from({ length: 2 * left.length }, (_, i) => (i % 2 === 0 ? left : right)[i >> 1]);
}

const prepare: WebGpuOperator<WeightInterpolationParameters, WeightInterpolationFields> = async (
  builder,
  parameters,
) => {
  const { nx, ny, variables, members, nodesX, nodesY } = parameters;
  const { x, y } = tablesOf(parameters);
  const program = await builder.program({
    label: 'letkf.weight-interpolation',
    code: [indexCode, PARAMETERS.wgsl, kernel],
    bindings: ['uniform', 'read', 'read', 'read', 'read', 'write'],
  });
  const uniform = builder.uniform('parameters', PARAMETERS, {
    nx,
    ny,
    variables,
    members,
    nodesX: nodesX.count,
    nodesY: nodesY.count,
  });
  const nodes = builder.table('nodes', 'index', [...pairs(x), ...pairs(y)]);
  const fractions = builder.table('fractions', 'real', [...x.fraction, ...y.fraction]);
  const [groupsX, groupsY] = workgroupsFor(nx * ny, WORKGROUP);
  const groups = [groupsX, groupsY, Math.ceil(members / MEMBERS)] as const;
  return (recorder, { weights, ensemble, analysis }) =>
    recorder.dispatch(program, [uniform, nodes, fractions, weights, ensemble, analysis], groups);
};

export default prepare;
