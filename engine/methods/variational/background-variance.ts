/**
 * The variance of 3D-Var's background at the observations, the diagonal of H′ B H′ᵀ, H linearised at the background. What B says
 * of the state's components at an observation's place is computed on the host whenever the network moves; how the observation
 * depends on them (of a velocity: on the background's own depth and momenta) is known on the device alone, and so is how much of
 * B its thin water has.
 */
import type { RealField } from '../../compute/backend.ts';
import type { Model } from '../../models/index.ts';
import {
  bilinearStencil,
  COVARIANCE_ENTRIES,
  observedVariable,
  tangentVariance,
} from '../../operators/observation/index.ts';
import type { StaticControlTransform } from '../covariances/index.ts';
import { observesAlike, type MethodContext, type ObservedPositions } from '../method.ts';
import { createWetIncrement } from '../shared/wet-increment.ts';

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

/** Pairs of a row's components, in the order of the entries. */
const PAIRS = [
  [0, 0],
  [1, 1],
  [2, 2],
  [0, 1],
  [0, 2],
  [1, 2],
] as const;

export interface BackgroundVariance {
  /** Queues `variance` [capacity] at this cycle's observations of a state; 0 in the padding. */
  compute(state: RealField, variance: RealField): void;
  dispose(): void;
}

/** What share of an increment each cell of a background can hold; undefined where a model has no dry land. */
async function createThinning(transform: StaticControlTransform, context: MethodContext) {
  const { backend, model } = context;
  if (model.dryDepth === undefined) return undefined;
  const length = model.variables.length * model.grid.nx * model.grid.ny;
  const wet = await createWetIncrement(context, transform.thinDepth);
  const whole = backend.allocate('backgroundVariance.whole', 'real', length);
  const shares = backend.allocate('backgroundVariance.shares', 'real', length);
  backend.write(whole, new Float64Array(length).fill(1));
  return {
    /** Queues the shares. @returns [variable][y][x] */
    sharesOf(state: RealField): RealField {
      backend.copy(whole, shares);
      wet.project(shares, state);
      return shares;
    },
    dispose() {
      for (const owned of [wet, whole, shares]) owned.dispose();
    },
  };
}

export async function createBackgroundVariance(
  transform: StaticControlTransform,
  context: MethodContext,
): Promise<BackgroundVariance> {
  const { backend, model, observations, positions } = context;
  const { capacity } = observations;
  const fields = {
    covariance: backend.allocate('backgroundVariance.covariance', 'real', COVARIANCE_ENTRIES * capacity),
    ones: backend.allocate('backgroundVariance.ones', 'real', capacity),
  };
  backend.write(fields.ones, new Float64Array(capacity).fill(1));
  const tangent = observations.linearised('backgroundVariance');
  const combining = await backend.prepare(tangentVariance, { observations: capacity });
  const thinning = await createThinning(transform, context);
  let known: ObservedPositions | undefined;

  /** B between the components that each observation depends on, each interpolated to its place. */
  function covarianceAt({ x, y, variable }: ObservedPositions): Float64Array {
    const { corners, weights } = bilinearStencil(model.grid, x, y);
    const found = new Float64Array(COVARIANCE_ENTRIES * capacity);
    variable.forEach((name, j) => {
      const { components } = observedVariable(name);
      PAIRS.forEach(([first, second], entry) => {
        if (second >= components.length) return;
        let sum = 0;
        for (let a = 4 * j; a < 4 * j + 4; a++) {
          for (let b = 4 * j; b < 4 * j + 4; b++) {
            const weight = weights[a] * weights[b];
            if (weight === 0) continue;
            sum += weight * transform.covariance(components[first], corners[a], components[second], corners[b]);
          }
        }
        found[COVARIANCE_ENTRIES * j + entry] = sum;
      });
    });
    return found;
  }

  return {
    compute(state, variance) {
      const observed = positions();
      if (!observesAlike(known, observed)) {
        backend.write(fields.covariance, covarianceAt(observed));
        known = observed;
      }
      tangent.linearise(state, fields.ones);
      if (thinning) tangent.scaleColumns(thinning.sharesOf(state));
      const { indptr, data } = tangent.matrix;
      combining.run({ indptr, data, covariance: fields.covariance, variance });
    },
    dispose() {
      for (const owned of [combining, tangent, ...Object.values(fields)]) owned.dispose();
      thinning?.dispose();
    },
  };
}
