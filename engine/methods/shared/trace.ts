/**
 * The trace of a matrix that is known by its products only, tr(M) = E zᵀMz with zᵢ = ±1 at random: exact by unit vectors if
 * there are no more of them than products that are affordable.
 */
import { randomStream } from '../../random/stream.ts';
import type { DegreesOfFreedom } from '../explanation.ts';

export interface TraceProbes {
  /** Vectors z, 0 where an observation is not used. */
  readonly vectors: readonly Float64Array[];
  /** @param products zᵀMz, in the order of the vectors */
  readonly trace: (products: readonly number[]) => DegreesOfFreedom;
}

/**
 * @param used whether each observation is
 * @param most products that are affordable
 */
export function createTraceProbes(used: readonly boolean[], most: number, seed: number): TraceProbes {
  const indices = used.flatMap((isUsed, j) => (isUsed ? [j] : []));
  const observations = indices.length;
  if (observations <= most) {
    return {
      vectors: indices.map((index) => Float64Array.from(used, (_, j) => Number(j === index))),
      trace: (products) => ({
        value: products.reduce((sum, product) => sum + product, 0),
        standardError: 0,
        observations,
      }),
    };
  }
  const stream = randomStream(seed, 'explanations.trace', 0);
  return {
    vectors: Array.from({ length: most }, () =>
      Float64Array.from(used, (isUsed) => (isUsed ? (stream.uniform() < 0.5 ? -1 : 1) : 0)),
    ),
    trace(products) {
      const value = products.reduce((sum, product) => sum + product, 0) / most;
      const squares = products.reduce((sum, product) => sum + (product - value) ** 2, 0);
      return { value, standardError: Math.sqrt(squares / (most * (most - 1))), observations };
    },
  };
}
