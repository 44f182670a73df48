/** √diag B of a static covariance. */
import type { Model } from '../../models/index.ts';
import type { StaticControlTransform } from '../covariances/index.ts';

/** @returns gives it, [variable][y][x], with what a balance adds; computed when it is first asked for */
export function staticDeviations(transform: StaticControlTransform, { grid, variables }: Model): () => Float64Array {
  const cells = grid.nx * grid.ny;
  let known: Float64Array | undefined;
  return () => {
    if (known) return known;
    const found = new Float64Array(variables.length * cells);
    variables.forEach((_, variable) => {
      // If nothing is balanced the diagonal is known as a whole.
      const variances = transform.factors
        ? transform.variance(variable)
        : Float64Array.from({ length: cells }, (__, cell) => transform.covariance(variable, cell, variable, cell));
      found.set(
        variances.map((variance) => Math.sqrt(variance)),
        variable * cells,
      );
    });
    known = found;
    return found;
  };
}
