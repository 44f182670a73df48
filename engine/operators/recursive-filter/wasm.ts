/** The recursive filter in SIMD: a pass an axis, through one scratch field where both are filtered. */
import { parameterBlock } from '../../compute/parameter-block.ts';
import type { WasmBuilder, WasmOperator } from '../../compute/wasm/program.ts';
import { prepareBandPass, type WasmPass } from '../convolution/wasm.ts';
import type { recursiveFilterFields, RecursiveFilterParameters, FirPlan, SweepsPlan } from './plan.ts';
import { planFilter, sweepsAlong } from './plan.ts';
import { filterCoefficients } from './taps.ts';
import { longestBlock, sweepsVariants, tilesOf } from './variants.ts';

const SWEEPS = parameterBlock('Sweeps', {
  /** Points of a line, elements from one to the next, and number of lines. */
  length: 'i32',
  step: 'i32',
  count: 'i32',
  /** Points of a tile or block that are kept, those that it has beyond them on each side, and how many a line is cut into. */
  tilePoints: 'i32',
  halo: 'i32',
  tiles: 'i32',
  /** Blocks, the first of a line, that have a point more. */
  longer: 'i32',
  /** Blocks of a task, of a line that is cut into tasks. */
  group: 'i32',
  iterations: 'i32',
  transpose: 'i32',
  alpha: 'f32',
  beta: 'f32',
  /** 1/(1 + α) */
  m: 'f32',
  /** M/β */
  endScale: 'f32',
  input: 'pointer',
  output: 'pointer',
});

/** What the sweeps of an axis have in common, however its lines are cut. */
function constantsOf({ lines: { length, step, count }, sigma, iterations, transpose }: SweepsPlan) {
  const { alpha, beta, M } = filterCoefficients(sigma, iterations);
  return { length, step, count, iterations, transpose: Number(transpose), alpha, beta, m: M, endScale: M / beta };
}

function prepareSweeps(builder: WasmBuilder, plan: SweepsPlan): WasmPass {
  const { length, step, count } = plan.lines;
  const { lanes } = builder.variant(sweepsVariants, plan);
  const cut = tilesOf(plan);
  const program = builder.program(
    `sweeps${lanes}${step === 1 ? 'Along' : 'Across'}Lines`,
    SWEEPS,
    { ...constantsOf(plan), ...cut, longer: 0, group: 0 },
    4 * lanes * Math.min(length, cut.tilePoints + 2 * cut.halo),
  );
  const parts = step === 1 ? Math.ceil((count * cut.tiles) / lanes) : (count / step) * Math.ceil(step / lanes);
  return (input, output) => {
    program.set({ input, output });
    program.run(parts);
  };
}

/** Blocks that are swept together: as many as keep all sums in registers. */
const BLOCK_LANES = 28;

function blockConstants(plan: SweepsPlan, group = 0) {
  const { count, overlap } = plan.blocks;
  const { length } = plan.lines;
  const cut = { tilePoints: Math.floor(length / count), halo: overlap, tiles: count, longer: length % count, group };
  return { ...constantsOf(plan), ...cut };
}

/** Algorithm 2 on a signal, a task for every `group` of its blocks. @throws LimitError as `planFilter` */
export function prepareGroups(builder: WasmBuilder, parameters: RecursiveFilterParameters, group: number): WasmPass {
  const plan = sweepsAlong(parameters, 'x');
  const scratch = 4 * BLOCK_LANES * longestBlock(plan);
  const program = builder.program('groupsAlongLine', SWEEPS, blockConstants(plan, group), scratch);
  const tasks = Math.ceil(plan.blocks.count / group);
  return (input, output) => {
    program.set({ input, output });
    program.run(tasks);
  };
}

/** Algorithm 2: a visit of each block, and where blocks of the adjoint overlap, a second to add them. */
function prepareBlocks(builder: WasmBuilder, plan: SweepsPlan): WasmPass {
  const { lines, blocks, transpose } = plan;
  const { step, count } = lines;
  const constants = blockConstants(plan);
  const { longer } = constants;
  const longest = longestBlock(plan);
  const program = builder.program(
    `blocks${step === 1 ? 'Along' : 'Across'}Lines`,
    SWEEPS,
    constants,
    4 * BLOCK_LANES * longest,
  );
  const groups = (many: number): number => Math.ceil(many / BLOCK_LANES);
  const parts =
    step === 1
      ? groups(count * longer) + groups(count * (blocks.count - longer))
      : (count / step) * blocks.count * groups(step);
  if (!transpose || blocks.overlap === 0) {
    return (input, output) => {
      program.set({ input, output });
      program.run(parts);
    };
  }
  const swept = builder.reals('recursive-filter.swept', count * blocks.count * longest);
  const adding = builder.program('addBlocks', SWEEPS, { ...constants, input: swept.address });
  return (input, output) => {
    program.set({ input, output: swept.address });
    program.run(parts);
    adding.set({ output });
    adding.run((count / step) * blocks.count);
  };
}

function prepareAxis(builder: WasmBuilder, axis: FirPlan | SweepsPlan): WasmPass {
  if (axis.form === 'fir') return prepareBandPass(builder, axis.lines, axis.band());
  const { count, overlap } = axis.blocks;
  return count > 1 || overlap > 0 ? prepareBlocks(builder, axis) : prepareSweeps(builder, axis);
}

export const recursiveFilter: WasmOperator<RecursiveFilterParameters, typeof recursiveFilterFields> = (
  builder,
  parameters,
) => {
  const axes = planFilter(parameters, 4).filter((axis) => axis.form !== 'none');
  const [first, second] = axes.map((axis) => prepareAxis(builder, axis));
  if (axes.length === 0) return ({ input, output }) => output.set(input);
  if (!second) return ({ input, output }) => first(input.byteOffset, output.byteOffset);
  const between = builder.reals('recursive-filter.between', parameters.nx * parameters.ny * parameters.batch);
  return ({ input, output }) => {
    first(input.byteOffset, between.address);
    second(between.address, output.byteOffset);
  };
};
