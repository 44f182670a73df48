/** A signal filtered by Algorithm 2 [rf-gpu], beside the undivided filter and the Gaussian that both tend to. */
import type { Backend } from '../../compute/backend.ts';
import { operatorResult } from '../../benchmarks/index.ts';
import { blockRange, recursiveFilter, type RecursiveFilterParameters } from '../../operators/recursive-filter/index.ts';

export interface FilterQuestion {
  /** s₀ [N] */
  readonly signal: Float64Array;
  /** σ > 0, grid points. */
  readonly sigma: number;
  /** K ≥ 1 */
  readonly iterations: number;
  /** t, from 1 to N. */
  readonly blocks: number;
  /** m ≥ 0, points by which a block is extended on both sides. */
  readonly overlap: number;
}

export interface FilterAnswer {
  /** Where each block begins without its overlap, and how many points it has. */
  readonly blocks: readonly { readonly start: number; readonly size: number }[];
  /** Algorithm 2. [N] */
  readonly filtered: Float64Array;
  /** The filter of the whole signal. [N] */
  readonly undivided: Float64Array;
  /** The convolution with a Gaussian of standard deviation σ and sum 1, zeros beyond the ends. [N] */
  readonly gaussian: Float64Array;
}

/** @returns the convolution of a signal with a Gaussian whose taps sum to 1 */
function gaussianOf(signal: Float64Array, sigma: number): Float64Array {
  const reach = Math.ceil(6 * sigma);
  const taps = Float64Array.from({ length: 2 * reach + 1 }, (_, j) => Math.exp(-0.5 * ((j - reach) / sigma) ** 2));
  const sum = taps.reduce((a, b) => a + b);
  return signal.map((_, i) => taps.reduce((total, tap, j) => total + (tap / sum) * (signal[i + j - reach] ?? 0), 0));
}

/** Filters a signal in both ways. @throws LimitError if the backend cannot hold it */
export async function filterSignal(
  backend: Backend,
  { signal, sigma, iterations, blocks, overlap }: FilterQuestion,
): Promise<FilterAnswer> {
  const whole: RecursiveFilterParameters = {
    nx: signal.length,
    ny: 1,
    batch: 1,
    sigmaX: sigma,
    sigmaY: 0,
    iterations,
    form: 'sweeps',
    transpose: false,
    boundaryX: 'free',
    boundaryY: 'free',
  };
  const inputs = { arrays: { input: signal, output: signal.length }, output: 'output' } as const;
  const undivided = await operatorResult(backend, recursiveFilter, whole, inputs);
  const divided = { ...whole, decomposition: { blocks, overlap } };
  const filtered = await operatorResult(backend, recursiveFilter, divided, inputs);
  const ranges = Array.from({ length: blocks }, (_, block) => blockRange(signal.length, blocks, block));
  return { blocks: ranges, filtered, undivided, gaussian: gaussianOf(signal, sigma) };
}
