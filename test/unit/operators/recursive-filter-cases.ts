/** Parameters that the tests of the recursive filter start from. */
import type { RecursiveFilterParameters } from '../../../engine/operators/recursive-filter/plan.ts';

/** One signal, filtered by the literal sweeps with free ends. */
export function signal(nx: number, sigmaX: number, iterations: number): RecursiveFilterParameters {
  return {
    nx,
    ny: 1,
    batch: 1,
    sigmaX,
    sigmaY: 0,
    iterations,
    form: 'sweeps',
    transpose: false,
    boundaryX: 'free',
    boundaryY: 'free',
  };
}
