/** The rank histogram: a part is a scored variable. */
import { parameterBlock } from '../../compute/parameter-block.ts';
import { onFields } from '../../compute/wasm/program.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';
import type { RankHistogramFields, RankHistogramParameters } from './parameters.ts';

const RANK_HISTOGRAM = parameterBlock('RankHistogram', {
  members: 'i32',
  state: 'i32',
  nx: 'i32',
  ny: 'i32',
  strideX: 'i32',
  strideY: 'i32',
  /** The variable of each part. */
  scored: 'pointer',
  ensemble: 'pointer',
  truth: 'pointer',
  weight: 'pointer',
  key: 'pointer',
  counts: 'pointer',
});

const prepare: WasmOperator<RankHistogramParameters, RankHistogramFields> = (
  builder,
  { members, variables, nx, ny, strideX, strideY, scored },
) => {
  const variablesOfParts = builder.wordTable('rank-histogram.scored', scored);
  const constants = { members, state: variables * nx * ny, nx, ny, strideX, strideY, scored: variablesOfParts };
  return onFields(builder.program('rankHistogram', RANK_HISTOGRAM, constants), scored.length);
};

export default prepare;
