/** The statistics on a GPU. Scores have two stages: sums over 256 cells each, then the mean of all of them. */
import { uniformBlock } from '../../compute/parameter-block.ts';
import indexLibrary from '../../compute/webgpu/library/index.wgsl?raw';
import reduction from '../../compute/webgpu/library/reduction.wgsl?raw';
import { workgroupsFor, partsOf } from '../../compute/webgpu/program.ts';
import type { KernelBuilder, Recorder, WebGpuOperator } from '../../compute/webgpu/program.ts';
import countsSource from './counts.wgsl?raw';
import type {
  CrpsFields,
  CrpsParameters,
  EnsembleScoresFields,
  EnsembleShape,
  RankHistogramFields,
  RankHistogramParameters,
  WetCellsFields,
  WetCellsParameters,
} from './parameters.ts';
import source from './scores.wgsl?raw';

const part = partsOf(source);
const countsPart = partsOf(countsSource);

const SCORES_PARAMETERS = uniformBlock('Parameters', {
  members: 'u32',
  variables: 'u32',
  cells: 'u32',
  parts: 'u32',
});

const MEAN_PARAMETERS = uniformBlock('Parameters', {
  parts: 'u32',
  /** What the sum is divided by. */
  count: 'f32',
});

const WORKGROUP = 256;

/** The second stage: records the means over `cells` of `rows` rows of partial sums. */
export async function prepareMean(builder: KernelBuilder, rows: number, parts: number, cells: number) {
  const program = await builder.program({
    label: 'statistics.mean-of-parts',
    code: [reduction, MEAN_PARAMETERS.wgsl, part('mean-of-parts')],
    bindings: ['uniform', 'read', 'write'],
  });
  const uniform = builder.uniform('mean-parameters', MEAN_PARAMETERS, { parts, count: cells });
  return (recorder: Recorder, from: GPUBuffer, to: GPUBuffer): void =>
    recorder.dispatch(program, [uniform, from, to], [rows]);
}

/** Partial sums of a part of a variable: see scores.wgsl. */
const QUANTITIES = 5;

export const ensembleScores: WebGpuOperator<EnsembleShape, EnsembleScoresFields> = async (
  builder,
  { members, variables, cells },
) => {
  const parts = Math.ceil(cells / WORKGROUP);
  const [summing, joining] = await Promise.all([
    builder.program({
      label: 'statistics.ensemble-scores',
      code: [reduction, SCORES_PARAMETERS.wgsl, part('ensemble-scores')],
      bindings: ['uniform', 'read', 'read', 'read', 'write'],
    }),
    builder.program({
      label: 'statistics.scores-of-parts',
      code: [reduction, SCORES_PARAMETERS.wgsl, part('scores-of-parts')],
      bindings: ['uniform', 'read', 'write', 'write', 'write', 'write'],
    }),
  ]);
  const uniform = builder.uniform('parameters', SCORES_PARAMETERS, { members, variables, cells, parts });
  const sums = builder.scratch('sums', 'real', QUANTITIES * variables * parts);
  const [x, y] = workgroupsFor(cells, WORKGROUP);
  return (recorder, { ensemble, truth, weight, ...scores }) => {
    const { meanSquareError, meanVariance, meanError, patternSquareError } = scores;
    recorder.dispatch(summing, [uniform, ensemble, truth, weight, sums], [x, y, variables]);
    recorder.dispatch(
      joining,
      [uniform, sums, meanSquareError, meanVariance, meanError, patternSquareError],
      [variables],
    );
  };
};

export const crps: WebGpuOperator<CrpsParameters, CrpsFields> = async (
  builder,
  { members, variables, cells, scored },
) => {
  const parts = Math.ceil(cells / WORKGROUP);
  const [program, recordMean] = await Promise.all([
    builder.program({
      label: 'statistics.crps',
      code: [reduction, SCORES_PARAMETERS.wgsl, part('crps')],
      bindings: ['uniform', 'read', 'read', 'read', 'read', 'write'],
    }),
    prepareMean(builder, 2 * scored.length, parts, cells),
  ]);
  const uniform = builder.uniform('parameters', SCORES_PARAMETERS, { members, variables, cells, parts });
  const rows = builder.table('scored', 'index', scored);
  const scores = builder.scratch('scores', 'real', 2 * scored.length * parts);
  const [x, y] = workgroupsFor(cells, WORKGROUP);
  return (recorder, { ensemble, truth, weight, score }) => {
    recorder.dispatch(program, [uniform, ensemble, truth, weight, rows, scores], [x, y, scored.length]);
    recordMean(recorder, scores, score);
  };
};

const RANK_PARAMETERS = uniformBlock('Parameters', {
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

/** Counts set to 0, then one dispatch over the thinned cells. */
export const rankHistogram: WebGpuOperator<RankHistogramParameters, RankHistogramFields> = async (
  builder,
  { members, variables, nx, ny, strideX, strideY, scored },
) => {
  const program = await builder.program({
    label: 'statistics.rank-histogram',
    code: [indexLibrary, RANK_PARAMETERS.wgsl, countsPart('rank-histogram')],
    constants: { BINS: members + 1 },
    bindings: ['uniform', 'read', 'read', 'read', 'read', 'read', 'write'],
  });
  const thinnedX = Math.ceil(nx / strideX);
  const thinned = thinnedX * Math.ceil(ny / strideY);
  const uniform = builder.uniform('parameters', RANK_PARAMETERS, {
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

const SCALE_PARAMETERS = uniformBlock('Parameters', {
  cells: 'u32',
});

const WET_PARAMETERS = uniformBlock('Parameters', {
  members: 'u32',
  /** Elements of a member. */
  state: 'u32',
  cells: 'u32',
  parts: 'u32',
  dryDepth: 'f32',
});

/** Three stages: which cells are wet, what share of all they are, and the weights that follow. */
export const wetCells: WebGpuOperator<WetCellsParameters, WetCellsFields> = async (
  builder,
  { members, variables, cells, dryDepth },
) => {
  const parts = Math.ceil(cells / WORKGROUP);
  const [findProgram, scaleProgram, recordMean] = await Promise.all([
    builder.program({
      label: 'statistics.wet-cells',
      code: [reduction, WET_PARAMETERS.wgsl, part('wet-cells')],
      bindings: ['uniform', 'read', 'read', 'read', 'write', 'write'],
    }),
    builder.program({
      label: 'statistics.wet-weights',
      code: [indexLibrary, SCALE_PARAMETERS.wgsl, part('wet-weights')],
      bindings: ['uniform', 'read', 'write'],
    }),
    prepareMean(builder, 1, parts, cells),
  ]);
  const uniform = builder.uniform('parameters', WET_PARAMETERS, {
    members,
    state: variables * cells,
    cells,
    parts,
    dryDepth,
  });
  const scaleUniform = builder.uniform('scale-parameters', SCALE_PARAMETERS, { cells });
  const counts = builder.scratch('counts', 'real', parts);
  const share = builder.scratch('share', 'real', 1);
  const workgroups = workgroupsFor(cells, WORKGROUP);
  return (recorder, { ensemble, truth, bed, weight }) => {
    recorder.dispatch(findProgram, [uniform, ensemble, truth, bed, weight, counts], workgroups);
    recordMean(recorder, counts, share);
    recorder.dispatch(scaleProgram, [scaleUniform, share, weight], workgroups);
  };
};
