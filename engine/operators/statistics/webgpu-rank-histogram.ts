/** Counts set to 0, then one dispatch over the thinned cells. */
import indexLibrary from '../../compute/webgpu/library/index.wgsl?raw';
import { workgroupsFor } from '../../compute/webgpu/program.ts';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import { uniformBlock } from '../../compute/parameter-block.ts';
import type { RankHistogramFields, RankHistogramParameters } from './parameters.ts';
import rankHistogram from './rank-histogram.wgsl?raw';

const PARAMETERS = uniformBlock('Parameters', {
  members: 'u32',
  /** Elements of a member. */
  state: 'u32',
  cells: 'u32',
  nx: 'u32',
  strideX: 'u32',
  strideY: 'u32',
  thinnedX: 'u32',
  thinned: 'u32',
});

const WORKGROUP = 256;

const webGpuRankHistogram: WebGpuOperator<RankHistogramParameters, RankHistogramFields> = async (
  builder,
  { members, variables, nx, ny, strideX, strideY, scored },
) => {
  const program = await builder.program({
    label: 'statistics.rank-histogram',
    code: [indexLibrary, PARAMETERS.wgsl, rankHistogram],
    constants: { BINS: members + 1 },
    bindings: ['uniform', 'read', 'read', 'read', 'read', 'read', 'write'],
  });
  const thinnedX = Math.ceil(nx / strideX);
  const thinned = thinnedX * Math.ceil(ny / strideY);
  const uniform = builder.uniform('parameters', PARAMETERS, {
    members,
    state: variables * ny * nx,
    cells: ny * nx,
    nx,
    strideX,
    strideY,
    thinnedX,
    thinned,
  });
  const rows = builder.table('scored', 'index', scored);
  const [x, y] = workgroupsFor(thinned, WORKGROUP);
  return (recorder, { ensemble, truth, weight, key, counts }) => {
    recorder.clear(counts);
    recorder.dispatch(program, [uniform, ensemble, truth, weight, rows, key, counts], [x, y, scored.length]);
  };
};

export default webGpuRankHistogram;
