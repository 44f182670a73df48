/** Interpolated weights in SIMD, four cells of a row at a time; a part is a row. */
import { parameterBlock } from '../../compute/parameter-block.ts';
import { onFields } from '../../compute/wasm/program.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';
import { tablesOf } from './reference.ts';
import type { WeightInterpolationFields, WeightInterpolationParameters } from './reference.ts';

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

const prepare: WasmOperator<WeightInterpolationParameters, WeightInterpolationFields> = (builder, parameters) => {
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

export default prepare;
