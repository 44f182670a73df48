/** The recursive filter on the GPU: a dispatch an axis, through one scratch field where both are filtered. */
import { uniformBlock, type ScalarsOf } from '../../compute/parameter-block.ts';
import indexLibrary from '../../compute/webgpu/library/index.wgsl?raw';
import { workgroupsFor, partsOf, type WebGpuOperator, type KernelBuilder } from '../../compute/webgpu/program.ts';
import { prepareBandPass, type RecordPass } from '../convolution/webgpu-band.ts';
import { planFilter } from './plan.ts';
import type { recursiveFilterFields, RecursiveFilterParameters, FirPlan, SweepsPlan } from './plan.ts';
import source from './sweeps.wgsl?raw';
import { filterCoefficients } from './taps.ts';
import { longestBlock, tilingOf, workgroupVariants } from './variants.ts';

const part = partsOf(source);

/** Below float32's rounding: the share of a lag that a scan may omit. */
const LAG_TOLERANCE = 1e-10;

/** Lines and blocks: what both uniform blocks begin with. */
const GEOMETRY = {
  length: 'u32',
  step: 'u32',
  lines: 'u32',
  inner: 'u32',
  innerStride: 'u32',
  outerStride: 'u32',
  /** The first `longer` blocks have `blockSize` + 1 points, the others `blockSize`. */
  blocks: 'u32',
  blockSize: 'u32',
  longer: 'u32',
  overlap: 'u32',
} as const;

const SWEEPS_PARAMETERS = uniformBlock('Parameters', {
  ...GEOMETRY,
  /** Points of a tile without its halo, the halo, and tiles of a block. */
  tilePoints: 'u32',
  halo: 'u32',
  tiles: 'u32',
  workgroups: 'u32',
  iterations: 'u32',
  /** Doublings of the scan over lanes. */
  doublings: 'u32',
  alpha: 'f32',
  M: 'f32',
  /** α^CELLS. */
  decay: 'f32',
  /** M/β: what an end condition multiplies by in the adjoint. */
  endScale: 'f32',
});

const OVERLAP_PARAMETERS = uniformBlock('Parameters', GEOMETRY);

function geometryOf({ lines, blocks }: SweepsPlan): ScalarsOf<typeof GEOMETRY> {
  const { length, step, count, inner, innerStride, outerStride } = lines;
  return {
    length,
    step,
    lines: count,
    inner,
    innerStride,
    outerStride,
    blocks: blocks.count,
    blockSize: Math.floor(length / blocks.count),
    longer: length % blocks.count,
    overlap: blocks.overlap,
  };
}

/** Records the literal sweeps of one axis on the GPU: one dispatch for all iterations; two in the decomposed adjoint. */
async function prepareSweeps(builder: KernelBuilder, plan: SweepsPlan): Promise<RecordPass> {
  const { lines, sigma, iterations, transpose, blocks } = plan;
  const { alpha, beta, M } = filterCoefficients(sigma, iterations);
  const tiling = tilingOf(plan);
  const workgroup = builder.variant(workgroupVariants, plan);
  const workgroups = Math.ceil(lines.count / workgroup.lines) * blocks.count * tiling.tiles;
  const decay = alpha ** tiling.cells;
  const spread = transpose && blocks.overlap > 0;
  const geometry = geometryOf(plan);
  const program = await builder.program({
    label: 'recursive-filter.sweeps',
    code: [SWEEPS_PARAMETERS.wgsl, part('sweeps')],
    constants: {
      CELLS: tiling.cells,
      LANES: workgroup.invocations,
      EXCHANGE: 2 * workgroup.invocations,
      LINES: workgroup.lines,
      TRANSPOSE: Number(transpose),
      SPREAD: Number(spread),
    },
    bindings: ['uniform', 'read', 'write'],
  });
  const parameters = builder.uniform('recursive-filter.parameters', SWEEPS_PARAMETERS, {
    ...geometry,
    tilePoints: tiling.tilePoints,
    halo: tiling.halo,
    tiles: tiling.tiles,
    workgroups,
    iterations,
    doublings: doublings(decay, tiling.lanes),
    alpha,
    M,
    decay,
    endScale: M / beta,
  });
  const counts = workgroupsFor(workgroups, 1);
  const sweeps: RecordPass = (recorder, input, output) =>
    recorder.dispatch(program, [parameters, input, output], counts);
  return spread ? withOverlapAdd(builder, sweeps, geometry, plan, longestBlock(plan)) : sweeps;
}

/** Blocks that overlap are swept into scratch, then summed point by point. */
async function withOverlapAdd(
  builder: KernelBuilder,
  sweeps: RecordPass,
  geometry: ScalarsOf<typeof GEOMETRY>,
  { lines, blocks }: SweepsPlan,
  longest: number,
): Promise<RecordPass> {
  const program = await builder.program({
    label: 'recursive-filter.overlap-add',
    code: [indexLibrary, OVERLAP_PARAMETERS.wgsl, part('overlap-add')],
    bindings: ['uniform', 'read', 'write'],
  });
  const parameters = builder.uniform('recursive-filter.blocks', OVERLAP_PARAMETERS, geometry);
  const swept = builder.scratch('recursive-filter.swept', 'real', lines.count * blocks.count * longest);
  const counts = workgroupsFor(lines.count * lines.length, 256);
  return (recorder, input, output) => {
    sweeps(recorder, input, swept);
    recorder.dispatch(program, [parameters, swept, output], counts);
  };
}

/** Steps of a scan over `lanes` in which each doubles its reach, until what is further back has died away. */
function doublings(decay: number, lanes: number): number {
  let steps = 0;
  while (2 ** steps < lanes && decay ** (2 ** steps) > LAG_TOLERANCE) steps += 1;
  return steps;
}

export const recursiveFilter: WebGpuOperator<RecursiveFilterParameters, typeof recursiveFilterFields> = async (
  builder,
  parameters,
) => {
  const axes = planFilter(parameters, 4).filter((axis) => axis.form !== 'none');
  const passes = await Promise.all(axes.map((axis) => prepareAxis(builder, axis)));
  const elements = parameters.nx * parameters.ny * parameters.batch;
  if (passes.length === 0) return (recorder, { input, output }) => recorder.copy(input, output, 4 * elements);
  const [first, second] = passes;
  if (passes.length === 1) return (recorder, { input, output }) => first(recorder, input, output);
  const between = builder.scratch('recursive-filter.between', 'real', elements);
  return (recorder, { input, output }) => {
    first(recorder, input, between);
    second(recorder, between, output);
  };
};

function prepareAxis(builder: KernelBuilder, axis: FirPlan | SweepsPlan): Promise<RecordPass> {
  return axis.form === 'fir'
    ? prepareBandPass(builder, 'recursive-filter', axis.lines, axis.band())
    : prepareSweeps(builder, axis);
}
