/** What is done along each axis: checks the parameters, and chooses between the two forms of the filter. */
import { LimitError } from '../../errors.ts';
import { bandOfTaps, linesAlong, type Band, type Lines } from '../convolution/index.ts';
import { freeBand, type Blocks } from './band.ts';
import { circularKernel, filterReach, lineTaps } from './taps.ts';

/** At the ends: the filter's end conditions, or the field again, where the symbol above holds at every point. */
type FilterBoundary = 'free' | 'periodic';

/** What the filter is prepared with, and the arrays it works on. */
export interface RecursiveFilterParameters {
  /** Each field is [ny, nx], x fastest. ny = 1 is a signal: it is filtered along x alone, whatever sigmaY is. */
  readonly nx: number;
  readonly ny: number;
  /** Number of fields, one after another. */
  readonly batch: number;
  /** Grid points; 0 filters nothing along that axis. */
  readonly sigmaX: number;
  readonly sigmaY: number;
  /** K, at least 1. */
  readonly iterations: number;
  /** `auto` takes the cheaper one. Periodic axes are always filtered by FIR, decomposed ones by sweeps. */
  readonly form: 'sweeps' | 'fir' | 'auto';
  /** Apply the adjoint. */
  readonly transpose: boolean;
  readonly boundaryX: FilterBoundary;
  readonly boundaryY: FilterBoundary;
  /**
   * Overlapping domain decomposition, Algorithm 2 of [rf-gpu]: every row is cut into `blocks`, the first nx mod blocks of
   * them a point longer, each is extended by `overlap` points on both sides (zeros outside the row) and filtered by itself,
   * and the extensions are dropped; so is every column into `blocksY`. An axis whose number is omitted is left whole. An
   * approximation that is not symmetric; the paper takes overlap = 2.5σ.
   */
  readonly decomposition?: { readonly blocks?: number; readonly blocksY?: number; readonly overlap: number };
}

/** Both of batch · ny · nx elements, and not the same field. */
export const recursiveFilterFields = { input: 'real', output: 'real' } as const;

/** The share of the kernel omitted of the FIR: beneath what float64 and float32 results show. */
const TOLERANCE = { float64: 1e-15, float32: 1e-9 };

/** A sweep costs about as much as four taps: a chain of dependent operations there and back, against one each. */
const TAPS_PER_ITERATION = 8;

/** Weights that the end rows of a FIR may have, and operations to build them that `auto` is ready to spend. */
const LARGEST_TABLE = 2 ** 23;
const LARGEST_BUILD = 3e8;

interface NoFilter {
  readonly form: 'none';
  readonly lines: Lines;
}

export interface SweepsPlan {
  readonly form: 'sweeps';
  readonly lines: Lines;
  readonly sigma: number;
  readonly iterations: number;
  readonly transpose: boolean;
  readonly blocks: Blocks;
}

export interface FirPlan {
  readonly form: 'fir';
  readonly lines: Lines;
  /** Taps of a row of the band. */
  readonly width: number;
  readonly band: () => Band;
}

export type AxisPlan = NoFilter | SweepsPlan | FirPlan;

/**
 * The passes in the order they are made: x then y, and y then x for the adjoint.
 *
 * @param elementBytes size of a real on the backend: 8 or 4
 * @throws LimitError when a parameter is out of range or two contradict each other
 */
export function planFilter(parameters: RecursiveFilterParameters, elementBytes: number): readonly [AxisPlan, AxisPlan] {
  validate(parameters);
  const { nx, ny, batch, sigmaX, sigmaY, boundaryX, boundaryY, decomposition, transpose } = parameters;
  const tolerance = elementBytes === 8 ? TOLERANCE.float64 : TOLERANCE.float32;
  const cut = (count: number | undefined): Blocks | undefined =>
    decomposition && count !== undefined ? { count, overlap: decomposition.overlap } : undefined;
  const [blocksX, blocksY] = [cut(decomposition?.blocks), cut(decomposition?.blocksY)];
  const x = planAxis(parameters, linesAlong(batch * ny, nx, 1), sigmaX, boundaryX, tolerance, blocksX);
  const y = planAxis(parameters, linesAlong(batch, ny, nx), ny === 1 ? 0 : sigmaY, boundaryY, tolerance, blocksY);
  return transpose ? [y, x] : [x, y];
}

/**
 * The sweeps along an axis, for parameters that ask for them there.
 *
 * @throws LimitError where that axis is not swept
 */
export function sweepsAlong(parameters: RecursiveFilterParameters, axis: 'x' | 'y'): SweepsPlan {
  const [first, second] = planFilter(parameters, 4);
  const plan = (axis === 'x') === parameters.transpose ? second : first;
  if (plan.form !== 'sweeps') throw new LimitError(`recursive-filter: ${axis} is not filtered by sweeps`);
  return plan;
}

function planAxis(
  { form, iterations, transpose }: RecursiveFilterParameters,
  lines: Lines,
  sigma: number,
  boundary: 'free' | 'periodic',
  tolerance: number,
  blocks?: Blocks,
): AxisPlan {
  if (sigma === 0) return { form: 'none', lines };
  const { length } = lines;
  const sweeps: SweepsPlan = {
    form: 'sweeps',
    lines,
    sigma,
    iterations,
    transpose,
    blocks: blocks ?? { count: 1, overlap: 0 },
  };
  if (blocks || (boundary === 'free' && form === 'sweeps')) return sweeps;
  if (boundary === 'free' && form === 'auto' && !firIsCheaper(length, sigma, iterations, tolerance)) return sweeps;
  if (boundary === 'periodic') {
    const kernel = circularKernel(length, sigma, iterations, tolerance);
    return { form: 'fir', lines, width: kernel.taps.length, band: () => bandOfTaps(length, kernel, true) };
  }
  const weights = endWeights(length, filterReach(sigma, iterations, tolerance));
  if (weights > LARGEST_TABLE) {
    throw new LimitError(
      `recursive-filter: form "fir" needs up to ${weights} weights near the ends for sigma ${sigma}, at most ` +
        `${LARGEST_TABLE} are allowed; use form "sweeps"`,
    );
  }
  const line = { length, sigma, iterations, taps: lineTaps(length, sigma, iterations, tolerance) };
  const width = 2 * Math.min(line.taps.length, length) - 1;
  return { form: 'fir', lines, width, band: () => freeBand(line, transpose) };
}

/** Weights of the rows that feel an end, at most. */
function endWeights(length: number, reach: number): number {
  return Math.min(length, 2 * reach) * (2 * Math.min(reach, length) + 1);
}

/** Compares taps with sweeps, and what has to be built first. */
function firIsCheaper(length: number, sigma: number, iterations: number, tolerance: number): boolean {
  const reach = Math.min(filterReach(sigma, iterations, tolerance), length);
  if (2 * reach + 1 > TAPS_PER_ITERATION * iterations) return false;
  // Each row is swept 4 times an iteration over about as many points as it has weights.
  const weights = endWeights(length, reach);
  return weights <= LARGEST_TABLE && weights * 4 * iterations <= LARGEST_BUILD;
}

/** @throws LimitError naming the parameter, what was found and what is allowed */
function validate(parameters: RecursiveFilterParameters): void {
  const { nx, ny, decomposition, form, boundaryX, boundaryY } = parameters;
  for (const name of ['nx', 'ny', 'batch', 'iterations'] as const) checkInteger(name, parameters[name], 1);
  for (const name of ['sigmaX', 'sigmaY'] as const) {
    const found = parameters[name];
    if (!(Number.isFinite(found) && found >= 0)) {
      throw new LimitError(
        `recursive-filter: ${name} is ${found}, it must be a finite number of grid points, at least 0 (0 filters nothing)`,
      );
    }
  }
  if (!decomposition) return;
  const { blocks, blocksY, overlap } = decomposition;
  checkInteger('decomposition.overlap', overlap, 0);
  checkBlocks('blocks', blocks, nx, 'row');
  checkBlocks('blocksY', blocksY, ny, 'column');
  const periodic = [blocks !== undefined && boundaryX, blocksY !== undefined && boundaryY].indexOf('periodic');
  if (form === 'fir' || periodic >= 0) {
    throw new LimitError(
      'recursive-filter: a decomposition is made of literal sweeps with free ends; ' +
        `use form "sweeps" or "auto" and ${periodic === 1 ? 'boundaryY' : 'boundaryX'} "free", or leave the decomposition out`,
    );
  }
}

function checkBlocks(name: string, found: number | undefined, points: number, line: string): void {
  if (found === undefined) return;
  checkInteger(`decomposition.${name}`, found, 1);
  if (found <= points) return;
  throw new LimitError(
    `recursive-filter: decomposition.${name} is ${found}, more than the ${points} points of a ${line}; use at most ${points}`,
  );
}

function checkInteger(name: string, found: number, least: number): void {
  if (Number.isInteger(found) && found >= least) return;
  throw new LimitError(`recursive-filter: ${name} is ${found}, it must be an integer of at least ${least}`);
}

/**
 * The filter and its adjoint as banded matrices along the axes, to float32.
 *
 * @throws LimitError as `planFilter`
 */
export function filterBands(parameters: Omit<RecursiveFilterParameters, 'form' | 'transpose'>) {
  const along = (transpose: boolean): readonly Band[] =>
    planFilter({ ...parameters, form: 'fir', transpose }, 4).map((axis) =>
      axis.form === 'fir' ? axis.band() : identityBand(axis.lines.length),
    );
  const [x, y] = along(false);
  const [adjointY, adjointX] = along(true);
  return { x, y, adjointX, adjointY };
}

function identityBand(length: number): Band {
  return bandOfTaps(length, { taps: [1], lower: 0 }, false);
}
