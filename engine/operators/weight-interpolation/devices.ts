/** Interpolated weights on WebGPU: an invocation a cell and eight members of the analysis. */
import indexCode from '../../compute/webgpu/library/index.wgsl?raw';
import { workgroupsFor } from '../../compute/webgpu/program.ts';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import { uniformBlock, parameterBlock } from '../../compute/parameter-block.ts';
import type { NodeTable, WeightInterpolationFields, WeightInterpolationParameters } from './reference.ts';
import { tablesOf } from './reference.ts';
import kernel from './weight-interpolation.wgsl?raw';
import { onFields } from '../../compute/wasm/program.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';

const WEIGHT_INTERPOLATION = parameterBlock('WeightInterpolation', {
  nx: 'i32',
  ny: 'i32',
  variables: 'i32',
  members: 'i32',
  nodesX: 'i32',
  nodesY: 'i32',
  /** Reals from the transform of a node of the row to the next one's. */
  stride: 'i32',
  /** By cell of an axis: the nodes on both sides, and the share of the second. */
  leftX: 'pointer',
  rightX: 'pointer',
  fractionX: 'pointer',
  leftY: 'pointer',
  rightY: 'pointer',
  fractionY: 'pointer',
  weights: 'pointer',
  ensemble: 'pointer',
  analysis: 'pointer',
});

/** Variables that the kernel combines at once. */
const VARIABLES = 3;
/** Bytes at the beginning of the work space, for the places of four cells. */
const POINTERS = 64;
/** Reals between the transforms of neighbouring nodes beyond their own, so that these do not share lines of a cache. */
const APART = 16;

/** Interpolated weights in SIMD, four cells of a row at a time; a part is a row. */
export const weightInterpolationWasm: WasmOperator<WeightInterpolationParameters, WeightInterpolationFields> = (
  builder,
  parameters,
) => {
  const { nx, ny, variables, members, nodesX, nodesY } = parameters;
  const { x, y } = tablesOf(parameters);
  const stride = members * members + APART;
  const values = {
    nx,
    ny,
    variables,
    members,
    nodesX: nodesX.count,
    nodesY: nodesY.count,
    stride,
    leftX: builder.wordTable('weights.leftX', x.left),
    rightX: builder.wordTable('weights.rightX', x.right),
    fractionX: builder.realTable('weights.fractionX', x.fraction),
    leftY: builder.wordTable('weights.leftY', y.left),
    rightY: builder.wordTable('weights.rightY', y.right),
    fractionY: builder.realTable('weights.fractionY', y.fraction),
  };
  const scratchBytes = POINTERS + 16 * VARIABLES * members + 4 * stride * nodesX.count;
  return onFields(builder.program('weightInterpolation', WEIGHT_INTERPOLATION, values, scratchBytes), ny);
};

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

export const weightInterpolationWebGpu: WebGpuOperator<
  WeightInterpolationParameters,
  WeightInterpolationFields
> = async (builder, parameters) => {
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
