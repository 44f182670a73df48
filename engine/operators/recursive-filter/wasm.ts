/** The recursive filter in SIMD: a pass an axis, through one scratch field where both are filtered. */
import { parameterBlock } from '../../compute/parameter-block.ts';
import type { WasmBuilder, WasmOperator } from '../../compute/wasm/program.ts';
import { prepareBandPass, type WasmPass } from '../convolution/wasm.ts';
import type { recursiveFilterFields, RecursiveFilterParameters, FirPlan, SweepsPlan } from './plan.ts';
import { planFilter } from './plan.ts';
import { filterCoefficients } from './taps.ts';
import { sweepsVariants, tilesOf } from './variants.ts';

const SWEEPS = parameterBlock('Sweeps', {
  /** Points of a line, elements from one to the next, and number of lines. */
  length: 'i32',
  step: 'i32',
  count: 'i32',
  /** Points of a tile that are kept, those that it has beyond them on each side, and tiles of a line. */
  tilePoints: 'i32',
  halo: 'i32',
  tiles: 'i32',
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

function prepareSweeps(builder: WasmBuilder, plan: SweepsPlan): WasmPass {
  const { lines, sigma, iterations, transpose } = plan;
  const { length, step, count } = lines;
  const { alpha, beta, M } = filterCoefficients(sigma, iterations);
  const { lanes } = builder.variant(sweepsVariants, plan);
  const cut = tilesOf(plan);
  const program = builder.program(
    `sweeps${lanes}${step === 1 ? 'Along' : 'Across'}Lines`,
    SWEEPS,
    { length, step, count, ...cut, iterations, transpose: Number(transpose), alpha, beta, m: M, endScale: M / beta },
    4 * lanes * Math.min(length, cut.tilePoints + 2 * cut.halo),
  );
  const parts = step === 1 ? Math.ceil((count * cut.tiles) / lanes) : (count / step) * Math.ceil(step / lanes);
  return (input, output) => {
    program.set({ input, output });
    program.run(parts);
  };
}

/** @returns undefined for blocks and for an overlap, also of one block: it extends the line by zeros, which moves its ends */
function prepareAxis(builder: WasmBuilder, axis: FirPlan | SweepsPlan): WasmPass | undefined {
  if (axis.form === 'fir') return prepareBandPass(builder, axis.lines, axis.band());
  const { count, overlap } = axis.blocks;
  return count > 1 || overlap > 0 ? undefined : prepareSweeps(builder, axis);
}

export const recursiveFilter: WasmOperator<RecursiveFilterParameters, typeof recursiveFilterFields> = (
  builder,
  parameters,
) => {
  const axes = planFilter(parameters, 4).filter((axis) => axis.form !== 'none');
  const [first, second] = axes.map((axis) => prepareAxis(builder, axis));
  if (axes.length === 0) return ({ input, output }) => output.set(input);
  if (!first || (axes.length > 1 && !second)) return undefined;
  if (!second) return ({ input, output }) => first(input.byteOffset, output.byteOffset);
  const between = builder.reals('recursive-filter.between', parameters.nx * parameters.ny * parameters.batch);
  return ({ input, output }) => {
    first(input.byteOffset, between.address);
    second(between.address, output.byteOffset);
  };
};
