/**
 * The K-iterated first-order Gaussian recursive filter [rf-gpu, purser2003], of standard deviation σ in grid points:
 *
 *   E = K/σ², α = 1 + E − √(E(E + 2)), β = 1 − α, M = 1/(1 + α); for k = 1 … K
 *   p₀ = βs₀ if k = 1, else M s₀;  p_j = βs_j + αp_{j−1};  s_{N−1} = M p_{N−1};  s_j = βp_j + αs_{j+1}.
 *
 * A field is filtered along x, then along y. With these end conditions the matrix is symmetric; `transpose` nevertheless
 * applies the adjoint of each sweep. Two forms, equal to rounding: the literal sweeps, and the composite FIR of all of them
 * with rows of its own near the ends (band.ts), which wins when iterations are many and σ is small.
 */
import type { Cost } from '../../compute/backend.ts';
import { defineOperator } from '../../compute/define-operator.ts';
import { tuningTask, type TuningTask } from '../../compute/tuning/index.ts';
import type { KernelVariants } from '../../compute/variants.ts';
import { recursiveFilterVariance, sweptShare } from './band.ts';
import { recursiveFilterFields, planFilter, sweepsAlong } from './plan.ts';
import type { RecursiveFilterParameters, AxisPlan, SweepsPlan } from './plan.ts';
import { reference } from './reference.ts';
import { sweepsVariants, workgroupVariants } from './variants.ts';

export { filterCoefficients, filterReach, filterSymbol, recursiveFilterTaps } from './taps.ts';
export { filterBands, recursiveFilterFields, type RecursiveFilterParameters } from './plan.ts';
export {
  blockRange,
  overlappedBand,
  recursiveFilterBand,
  recursiveFilterVariance,
  sweptShare,
  type Blocks,
} from './band.ts';

/** Operations a point along one axis: 3 each way and iteration (v = s + α(v − s)), also in overlaps; or 2 a tap. */
function axisFlops(axis: AxisPlan): number {
  if (axis.form === 'sweeps') return 6 * axis.iterations * sweptShare(axis.lines.length, axis.blocks);
  return axis.form === 'fir' ? 2 * axis.width : 0;
}

/** Each filtered axis reads and writes the fields once (all iterations are made in one visit). */
function cost(parameters: RecursiveFilterParameters, elementBytes: number): Cost {
  const axes = planFilter(parameters, elementBytes);
  const points = parameters.nx * parameters.ny * parameters.batch;
  const passes = Math.max(1, axes.filter(({ form }) => form !== 'none').length);
  return {
    bytes: 2 * passes * points * elementBytes,
    flops: points * axes.reduce((sum, axis) => sum + axisFlops(axis), 0),
  };
}

/** The operator `recursive-filter`: what it costs, and its implementations. */
export const recursiveFilter = defineOperator<RecursiveFilterParameters, typeof recursiveFilterFields>({
  name: 'recursive-filter',
  fields: recursiveFilterFields,
  cost,
  reference,
  wasm: async () => (await import('./wasm.ts')).recursiveFilter,
  webgpu: async () => (await import('./webgpu.ts')).recursiveFilter,
});

/** @returns what prepares the sweeps of blocks in SIMD, so many blocks a task */
export const simdGroups = async () => (await import('./wasm.ts')).prepareGroups;

/** Lengths of an axis beyond which a correlation along it is the same as a constant: exp(−½/10²) = 0.995 from end to end. */
const LONGEST_CORRELATION = 10;

/**
 * The standard deviation σ of the filter V, in grid points, whose B = VVᵀ falls as exp(−r²/2L²): L/√2. A correlation that is
 * longer than `LONGEST_CORRELATION` times the axis is taken as that: it is then the same everywhere along it to within half a
 * percent, and the filter keeps enough weight in the basin to be normalised.
 *
 * @param length L, metres
 * @param spacing metres between grid points
 * @param points along the axis
 */
export function filterDeviation(length: number, spacing: number, points: number): number {
  return Math.min(length / spacing, LONGEST_CORRELATION * points) / Math.SQRT2;
}

/** Passes: enough for a round, Gaussian correlation. */
const ITERATIONS = 8;

interface SmoothSurfaceGrid {
  readonly nx: number;
  readonly ny: number;
  /** Metres. */
  readonly dx: number;
  readonly dy: number;
  readonly periodicX: boolean;
  readonly periodicY: boolean;
}

interface SmoothSurface {
  readonly filter: RecursiveFilterParameters;
  /** What the filter makes of the variance of white noise: the product of both in a cell. [nx] and [ny] */
  readonly varianceX: Float64Array;
  readonly varianceY: Float64Array;
}

/** @param length L, metres. @param batch surfaces that are filtered at once */
export function smoothSurfaceFilter(length: number, grid: SmoothSurfaceGrid, batch: number): SmoothSurface {
  const { nx, ny, dx, dy, periodicX, periodicY } = grid;
  const sigmaX = filterDeviation(length, dx, nx);
  const sigmaY = filterDeviation(length, dy, ny);
  const boundaryX = periodicX ? 'periodic' : 'free';
  const boundaryY = periodicY ? 'periodic' : 'free';
  const ends = { boundaryX, boundaryY } as const;
  return {
    filter: { nx, ny, batch, sigmaX, sigmaY, iterations: ITERATIONS, ...ends, form: 'auto', transpose: false },
    varianceX: recursiveFilterVariance(nx, sigmaX, ITERATIONS, boundaryX),
    varianceY: recursiveFilterVariance(ny, sigmaY, ITERATIONS, boundaryY),
  };
}

/** What a filter costs, estimated before it is prepared. */

interface FilterGrid {
  readonly nx: number;
  readonly ny: number;
  /** Metres. */
  readonly dx: number;
  readonly dy: number;
}

/** Multiplications and additions. */
interface FilterCost {
  /** Cost of one plane. */
  readonly plane: number;
  /** To build its normalisation. */
  readonly build: number;
}

/** Points that a filter of this length (metres) reaches to either side along an axis of `cells`. */
export function reachAlong(length: number, spacing: number, cells: number): number {
  return Math.min(cells, Math.ceil((6 * length) / spacing) + 1);
}

/** @param length L of the correlation exp(−r²/2L²), metres */
export function filterCost(length: number, iterations: number, { nx, ny, dx, dy }: FilterGrid): FilterCost {
  const axes = [
    [nx, dx],
    [ny, dy],
  ] as const;
  const builds = axes.map(([cells, spacing]) => {
    const width = Math.min(cells, 2 * reachAlong(length, spacing, cells));
    return width * width * 12 * iterations;
  });
  return { plane: 12 * iterations * nx * ny, build: builds[0] + builds[1] };
}

const SIZES = [
  { n: 256, sigma: 3, iterations: 4 },
  { n: 1024, sigma: 8, iterations: 10 },
] as const;

function sweepsTask<Variant>(
  variants: KernelVariants<SweepsPlan, Variant>,
  { n, sigma, iterations }: (typeof SIZES)[number],
  axis: 'x' | 'y',
): TuningTask {
  const parameters: RecursiveFilterParameters = {
    nx: n,
    ny: n,
    batch: 1,
    sigmaX: axis === 'x' ? sigma : 0,
    sigmaY: axis === 'y' ? sigma : 0,
    iterations,
    form: 'sweeps',
    transpose: false,
    boundaryX: 'free',
    boundaryY: 'free',
  };
  return tuningTask({
    operator: recursiveFilter,
    parameters,
    variants,
    subject: sweepsAlong(parameters, axis),
    size: `${n} × ${n} along ${axis}, K = ${iterations}`,
    arrays: { input: n * n, output: n * n },
  });
}

function tasksOf<Variant>(variants: KernelVariants<SweepsPlan, Variant>): readonly TuningTask[] {
  return SIZES.flatMap((size) => [sweepsTask(variants, size, 'x'), sweepsTask(variants, size, 'y')]);
}

/** What is tuned of the recursive filter: the sweeps along each axis, at the size of scenarios and at that of the benchmarks. */
export const recursiveFilterTuning = { wasm: tasksOf(sweepsVariants), webgpu: tasksOf(workgroupVariants) } as const;
