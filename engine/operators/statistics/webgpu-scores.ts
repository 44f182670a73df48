/** Scores in two stages: sums over 256 cells each, then the mean of all of them. */
import reduction from '../../compute/webgpu/library/reduction.wgsl?raw';
import { workgroupsFor } from '../../compute/webgpu/program.ts';
import type { Recorder, WebGpuOperator, KernelBuilder } from '../../compute/webgpu/program.ts';
import { uniformBlock } from '../../compute/parameter-block.ts';
import crpsKernel from './crps.wgsl?raw';
import ensembleScoresKernel from './ensemble-scores.wgsl?raw';
import meanOfParts from './mean-of-parts.wgsl?raw';
import type { CrpsFields, CrpsParameters, EnsembleScoresFields, EnsembleShape } from './parameters.ts';
import scoresOfPartsKernel from './scores-of-parts.wgsl?raw';

const PARAMETERS = uniformBlock('Parameters', {
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
    code: [reduction, MEAN_PARAMETERS.wgsl, meanOfParts],
    bindings: ['uniform', 'read', 'write'],
  });
  const uniform = builder.uniform('mean-parameters', MEAN_PARAMETERS, { parts, count: cells });
  return (recorder: Recorder, from: GPUBuffer, to: GPUBuffer): void =>
    recorder.dispatch(program, [uniform, from, to], [rows]);
}

/** Partial sums of a part of a variable: see ensemble-scores.wgsl. */
const QUANTITIES = 5;

export const ensembleScores: WebGpuOperator<EnsembleShape, EnsembleScoresFields> = async (
  builder,
  { members, variables, cells },
) => {
  const parts = Math.ceil(cells / WORKGROUP);
  const [summing, joining] = await Promise.all([
    builder.program({
      label: 'statistics.ensemble-scores',
      code: [reduction, PARAMETERS.wgsl, ensembleScoresKernel],
      bindings: ['uniform', 'read', 'read', 'read', 'write'],
    }),
    builder.program({
      label: 'statistics.scores-of-parts',
      code: [reduction, PARAMETERS.wgsl, scoresOfPartsKernel],
      bindings: ['uniform', 'read', 'write', 'write', 'write', 'write'],
    }),
  ]);
  const uniform = builder.uniform('parameters', PARAMETERS, { members, variables, cells, parts });
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
      code: [reduction, PARAMETERS.wgsl, crpsKernel],
      bindings: ['uniform', 'read', 'read', 'read', 'read', 'write'],
    }),
    prepareMean(builder, 2 * scored.length, parts, cells),
  ]);
  const uniform = builder.uniform('parameters', PARAMETERS, { members, variables, cells, parts });
  const rows = builder.table('scored', 'index', scored);
  const scores = builder.scratch('scores', 'real', 2 * scored.length * parts);
  const [x, y] = workgroupsFor(cells, WORKGROUP);
  return (recorder, { ensemble, truth, weight, score }) => {
    recorder.dispatch(program, [uniform, ensemble, truth, weight, rows, scores], [x, y, scored.length]);
    recordMean(recorder, scores, score);
  };
};
