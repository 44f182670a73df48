/**
 * The hybrid's background-error covariance, β_s B + β_e C ∘ P: its square root, a sum of two transforms where both have a part,
 * and its diagonals. That of P is computed from the members: between the four cells about an observation C is taken for 1.
 */
import type { RealField } from '../../compute/backend.ts';
import { ensembleMean, ensembleVariance, perturbation } from '../../operators/ensemble/index.ts';
import { createControlTransform, shareOf, sum } from '../covariances/index.ts';
import type { ControlTransform, StaticControlTransform } from '../covariances/index.ts';
import type { MethodContext } from '../method.ts';
import { createWetIncrement } from '../shared/wet-increment.ts';
import { createBackgroundVariance, staticDeviations } from '../variational/index.ts';
import { createEnsembleTransform, type EnsembleTransform } from './ensemble-transform.ts';
import type { HybridSettings } from './settings.ts';

/** V by the parts that it is the sum of: controls of the static one come first. Undefined where the weight is 0. */
export interface HybridParts {
  readonly ofStatic: ControlTransform | undefined;
  readonly ofEnsemble: EnsembleTransform | undefined;
}

export interface HybridBackground {
  readonly transform: ControlTransform;
  readonly parts: HybridParts;
  /** Queues what `transform` is of an ensemble and about a `centre`, and the ensemble's `mean`, which is the default centre. */
  take(ensemble: RealField, mean: RealField, centre?: RealField): void;
  /** Queues the `variance` [capacity] at the observations, of a mean and of what its members would observe. */
  variance(mean: RealField, observedEnsemble: RealField, variance: RealField): void;
  /** √diag of it, [variable][y][x]. */
  deviations(ensemble: RealField): Promise<Float64Array>;
  dispose(): void;
}

/** B of the static part, and its variance at the observations. */
async function createStaticPart(transform: StaticControlTransform, context: MethodContext) {
  const variance = await createBackgroundVariance(transform, context);
  const deviations = staticDeviations(transform, context.model);
  return { variance, deviations };
}

/**
 * The static part P V beside that of an ensemble, P as it is for 3D-Var: the members know of the shore themselves, and what they
 * say of thin water is not to shrink. Owns the transform.
 */
async function shoaling(inner: StaticControlTransform, context: MethodContext) {
  const { backend, model } = context;
  const wet = await createWetIncrement(context, inner.thinDepth);
  const restricted = backend.allocate(
    'hybrid.restricted',
    'real',
    model.variables.length * model.grid.nx * model.grid.ny,
  );
  let centre: RealField | undefined;
  const restrict = (increment: RealField): void => {
    if (centre) wet.project(increment, centre);
  };
  const transform: ControlTransform = {
    length: inner.length,
    apply(control, increment) {
      inner.apply(control, increment);
      restrict(increment);
    },
    applyAdjoint(increment, control) {
      backend.copy(increment, restricted);
      restrict(restricted);
      inner.applyAdjoint(restricted, control);
    },
    dispose() {
      for (const owned of [inner, wet, restricted]) owned.dispose();
    },
  };
  return {
    transform,
    /** The state by whose depth P is from now on. */
    begin(state: RealField): void {
      centre = state;
    },
  };
}

/** @param weighted work space of an ensemble, between `take` and the last use of the transform */
export async function createHybridBackground(
  { label, staticWeight, ensembleWeight, localisation, covariance }: HybridSettings,
  context: MethodContext,
  weighted: RealField,
): Promise<HybridBackground> {
  const { backend, model, members, observations } = context;
  const { capacity } = observations;
  const length = model.variables.length * model.grid.nx * model.grid.ny;
  const ofStatic =
    staticWeight > 0
      ? await createControlTransform(backend, model, shareOf(covariance, staticWeight), context)
      : undefined;
  const ofEnsemble =
    ensembleWeight > 0
      ? await createEnsembleTransform(context, { label, weight: ensembleWeight, length: localisation.length, weighted })
      : undefined;
  const ashore = ofStatic && ofEnsemble ? await shoaling(ofStatic, context) : undefined;
  const parts = { ofStatic: ashore?.transform ?? ofStatic, ofEnsemble };
  const terms = [parts.ofStatic, ofEnsemble].filter((part) => part !== undefined);
  const transform = terms.length === 1 ? terms[0] : await sum(backend, length, terms);
  const fixed = ofStatic && (await createStaticPart(ofStatic, context));
  const varying = { members, factor: ensembleWeight };
  const atObservations = await backend.prepare(ensembleVariance, { ...varying, length: capacity });
  const everywhere = await backend.prepare(ensembleVariance, { ...varying, length });
  const averaging = await backend.prepare(ensembleMean, { members, length });
  const adding = await backend.prepare(perturbation, { members: 1, length: capacity });
  const fields = {
    seen: backend.allocate(`${label}.seenVariance`, 'real', capacity),
    everywhere: backend.allocate(`${label}.variance`, 'real', length),
  };
  return {
    transform,
    parts,
    take(ensemble, mean, centre = mean) {
      if (ofEnsemble) ofEnsemble.take(ensemble, mean);
      else averaging.run({ ensemble, mean });
      ashore?.begin(centre);
    },
    variance(mean, observedEnsemble, variance) {
      atObservations.run({ ensemble: observedEnsemble, variance });
      if (!fixed) return;
      fixed.variance.compute(mean, fields.seen);
      adding.run({ noise: fields.seen, ensemble: variance });
    },
    async deviations(ensemble) {
      everywhere.run({ ensemble, variance: fields.everywhere });
      const known = fixed?.deviations();
      const variances = await backend.read(fields.everywhere);
      return variances.map((variance, i) => Math.sqrt(variance + (known ? known[i] ** 2 : 0)));
    },
    dispose() {
      const prepared = [atObservations, everywhere, averaging, adding];
      for (const owned of [transform, ...prepared, ...Object.values(fields)]) owned.dispose();
      fixed?.variance.dispose();
    },
  };
}
