/** Scores of an ensemble on a GPU, in two stages: sums over some cells each, then the mean of all of them. */
import { uniformBlock } from '../../compute/parameter-block.ts';
import reduction from '../../compute/webgpu/library/reduction.wgsl?raw';
import vectorReduction from '../../compute/webgpu/library/vector-reduction.wgsl?raw';
import { partsOf, workgroupsFor } from '../../compute/webgpu/program.ts';
import type { BuffersOf, KernelBuilder, Recorder, WebGpuOperator } from '../../compute/webgpu/program.ts';
import { LimitError } from '../../errors.ts';
import { RUN, RUN_LANES, crpsOfMany, scoresOfFew } from './crps-kernels.ts';
import { SCORES, type ScoresParameters, type ensembleScoresFields } from './scores-parameters.ts';
import source from './scores.wgsl?raw';

const part = partsOf(source);

const MEAN_PARAMETERS = uniformBlock('Parameters', {
  parts: 'u32',
  /** What the sum is divided by. */
  count: 'f32',
});

/** Invocations of a workgroup, and cells of a part. */
export const WORKGROUP = 256;

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

/** Partial sums of a part of a variable, and of one that has a CRPS: see scores.wgsl. */
const [QUANTITIES, CRPS_QUANTITIES] = [5, 2];

/** The CRPS of more members than an invocation sorts, in a kernel of its own. */
async function prepareCrpsOfMany(builder: KernelBuilder, { members, cells, scored }: ScoresParameters) {
  const runs = 2 ** Math.ceil(Math.log2(members / RUN));
  if (runs > RUN_LANES) {
    throw new LimitError(`the CRPS of ${members} members was asked for, allowed on a GPU: ${RUN * RUN_LANES}`);
  }
  const program = await builder.program({
    label: 'statistics.crps',
    code: [SCORES.wgsl, part('layout-of-sums'), crpsOfMany],
    constants: { RUNS: runs },
    bindings: ['uniform', 'read', 'read', 'read', 'read', 'read', 'write'],
  });
  const table = builder.table('scored', 'index', scored);
  const cellsOfPart = RUN_LANES / runs;
  const [x, y] = workgroupsFor(cells, cellsOfPart);
  return {
    parts: Math.ceil(cells / cellsOfPart),
    record: (recorder: Recorder, uniform: GPUBuffer, sums: GPUBuffer, of: BuffersOf<typeof ensembleScoresFields>) =>
      recorder.dispatch(
        program,
        [uniform, of.ensemble, of.truth, of.weight, of.mean, table, sums],
        [x, y, scored.length],
      ),
  };
}

export const ensembleScoresWebGpu: WebGpuOperator<ScoresParameters, typeof ensembleScoresFields> = async (
  builder,
  parameters,
) => {
  const { members, variables, cells, scored } = parameters;
  const parts = Math.ceil(cells / WORKGROUP);
  const many = members > RUN && scored.length > 0 ? await prepareCrpsOfMany(builder, parameters) : undefined;
  const scoresOf = members > RUN ? part('scores-of-many') : scoresOfFew(members);
  const [summing, joining] = await Promise.all([
    builder.program({
      label: 'statistics.ensemble-scores',
      code: [vectorReduction, SCORES.wgsl, part('layout-of-sums'), part('ensemble-scores'), scoresOf],
      bindings: ['uniform', 'read', 'read', 'read', 'read', 'write', 'write'],
    }),
    builder.program({
      label: 'statistics.scores-of-parts',
      code: [vectorReduction, SCORES.wgsl, part('layout-of-sums'), part('scores-of-parts')],
      bindings: ['uniform', 'read', 'write'],
    }),
  ]);
  const scoredCount = scored.length;
  const crpsParts = many?.parts ?? parts;
  const uniform = builder.uniform('parameters', SCORES, { members, variables, cells, parts, scoredCount, crpsParts });
  // The row of each variable among those whose CRPS is taken with the errors, or one beyond them.
  const rows = Array.from({ length: variables }, (_, variable) => (many ? -1 : scored.indexOf(variable)));
  const rowOf = builder.table(
    'rows',
    'index',
    rows.map((row) => (row < 0 ? scoredCount : row)),
  );
  const length = QUANTITIES * variables * parts + CRPS_QUANTITIES * scoredCount * crpsParts;
  const sums = builder.scratch('sums', 'real', length);
  const [x, y] = workgroupsFor(cells, WORKGROUP);
  return (recorder, buffers) => {
    const { ensemble, truth, weight, mean, scores } = buffers;
    recorder.dispatch(summing, [uniform, ensemble, truth, weight, rowOf, mean, sums], [x, y, variables]);
    many?.record(recorder, uniform, sums, buffers);
    recorder.dispatch(joining, [uniform, sums, scores], [variables + CRPS_QUANTITIES * scoredCount]);
  };
};
