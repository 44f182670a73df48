/**
 * Ensemble Kalman filters with the tapered gain [gain-gpu], which every member applies to a departure b_l of its own. With
 * S = R^−½ H and the covariance P = C ∘ (e eᵀ)/(k − 1):
 *
 *   (I + S P Sᵀ) z_l = b_l,   x_l ← x_l + P Sᵀ z_l.
 *
 * b_l is R^−½ (y − H(x_l)) + ε_l, ε_l ~ N(0, I), in the stochastic EnKF (perturbed-observations.ts); the DEnKF has another.
 * P Sᵀ and S P Sᵀ are those of tapered-gain.ts: where an observation is not linear in the state, they are taken from the members
 * instead of a tangent. So they are where something was observed before the analysis: H(x_l) is then of the members as they were.
 *
 * Where errors are correlated and R is taken whole, S is D⁻¹ H with R = D C D, and I is C (shared/correlated-errors.ts).
 */
import type { RealField } from '../../compute/backend.ts';
import { dotProduct } from '../../operators/dot-product/index.ts';
import { anomalies, ensembleMean } from '../../operators/ensemble/index.ts';
import { perturbedInnovation } from '../../operators/stochastic-enkf/index.ts';
import { choleskySolution } from '../../operators/cholesky-solution/index.ts';
import { createAdaptiveInflation, createInflatedForecast } from '../shared/inflation.ts';
import { createAdditiveInflation } from '../shared/additive-inflation.ts';
import { createCorrelatedErrors, type CorrelatedErrors } from '../shared/correlated-errors.ts';
import { createEnsembleState } from '../shared/ensemble-state.ts';
import { explainWith } from '../explanation.ts';
import type { Method, MethodContext } from '../method.ts';
import { explainEnkf } from './explanation.ts';
import { createRelaxation } from '../shared/relaxation.ts';
import { createWhitenedErrors } from '../shared/whitened-errors.ts';
import { createTaperedGain, type EnkfSettings } from './tapered-gain.ts';

const NOT_DEFINITE =
  'the observed covariance is not positive definite in this precision, and some observations were omitted; ' +
  'use a larger observation error or a shorter localisation half-width';

/** What the departures of the members are made of, which stays its owner's. */
export interface DepartureParts {
  /** H(x_l) of the inflated forecast, [members][capacity]. */
  readonly observedEnsemble: RealField;
  /** How errors are correlated, where R is taken whole. */
  readonly together: CorrelatedErrors | undefined;
  /** Free while departures are made: [members][capacity] and [capacity]. */
  readonly workspace: { readonly ensemble: RealField; readonly mean: RealField };
}

/** R^−½ (y − `observed`) + `perturbations` of each member, as a filter has them. */
export interface MemberDepartures {
  /** In place of H(x_l), and ε; [members][capacity]. */
  readonly observed: RealField;
  readonly perturbations: RealField;
  /** Queues both. @param areTogether whether errors of this cycle are correlated */
  make(cycle: number, areTogether: boolean): void;
  dispose(): void;
}

/**
 * @param createDepartures what distinguishes the filters
 * @throws LimitError when a field does not fit the backend
 */
export async function createEnkf(
  method: EnkfSettings,
  context: MethodContext,
  createDepartures: (label: string, context: MethodContext, parts: DepartureParts) => Promise<MemberDepartures>,
): Promise<Method> {
  const { backend, model, observations, members, measuresDepartures = true } = context;
  const { nx, ny } = model.grid;
  const { capacity } = observations;
  const tangent = observations.linearised(method.label);
  const length = model.variables.length * nx * ny;
  const adaptive = await createAdaptiveInflation(method, context, length);
  const ensemble = await createEnsembleState(method.label, context, members, {
    inflation: adaptive ? 1 : method.inflation,
    inflateObserved: adaptive?.inflateObserved,
  });
  const { state, departures } = ensemble;
  const allocate = (label: string, size: number) => backend.allocate(`${method.label}.${label}`, 'real', size);
  const fields = {
    mean: allocate('mean', length),
    anomalies: allocate('anomalies', members * length),
    background: allocate('background', members * length),
    matrix: allocate('matrix', capacity * capacity),
    innovations: allocate('innovations', members * capacity),
    observedMean: allocate('observedMean', capacity),
    meanInnovation: allocate('meanInnovation', capacity),
    meanWeight: allocate('meanWeight', capacity),
    misfit: allocate('misfit', 1),
  };
  const status = backend.allocate(`${method.label}.status`, 'index', 1);

  const splitting = await backend.prepare(anomalies, { members, length });
  const forecast = await createInflatedForecast(context, departures, { factor: method.inflation, adaptive, length });
  const innovating = await backend.prepare(perturbedInnovation, { members, observations: capacity });
  const solving = await backend.prepare(choleskySolution, { size: capacity, rightHandSides: members });
  const averaging = await backend.prepare(ensembleMean, { members, length: capacity });
  const weighing = await backend.prepare(dotProduct, { length: capacity, factor: 1 });
  const relaxation = await createRelaxation(method.relaxation, backend, members, length);
  const additive = await createAdditiveInflation(method, context, length);
  const together = method.errorCorrelation === 'full' ? createCorrelatedErrors(method.label, context) : undefined;
  // The analysis solves with C itself. Checking C by its departures needs L⁻¹.
  const whitened = together && measuresDepartures ? createWhitenedErrors(method.label, context) : undefined;
  const gain = await createTaperedGain(method, context, { tangent, departures, fields });

  const own = await createDepartures(method.label, context, {
    observedEnsemble: departures.observedEnsemble,
    together,
    workspace: { ensemble: fields.innovations, mean: fields.observedMean },
  });

  const explanation = explainEnkf(context, method, { state, departures, tangent, fields, adaptive });

  return {
    label: method.label,
    kind: method.kind,
    members,
    state,
    departures,
    whiten: whitened && ((scaled, white) => whitened.whiten(scaled, white)),
    inflation: adaptive?.factor,
    initialise: ensemble.initialise,
    explain: explainWith(explanation.answers),
    misfit: { value: fields.misfit, status },
    async analyse(cycle) {
      await gain.follow();
      const areTogether = (await together?.follow()) ?? false;
      const { inverseErrorStd } = departures;
      const rounding = await whitened?.follow(inverseErrorStd);
      const { innovations, meanInnovation, meanWeight } = fields;
      backend.copy(state, fields.background);
      forecast.inflate(state);
      splitting.run({ ensemble: state, mean: fields.mean, anomalies: fields.anomalies });
      own.make(cycle, areTogether);
      const { values } = observations;
      const { observed, perturbations } = own;
      innovating.run({ values, observed, inverseErrorStd, perturbations, scaled: innovations });
      // The mean over the members is that of R^−½ (y − H(x_l)) alone, going in and coming out.
      averaging.run({ ensemble: innovations, mean: meanInnovation });
      gain.makeMatrix();
      if (areTogether) together?.add(inverseErrorStd, fields.matrix);
      solving.run({ matrix: fields.matrix, solution: innovations, status });
      averaging.run({ ensemble: innovations, mean: meanWeight });
      weighing.run({ x: meanInnovation, y: meanWeight, result: fields.misfit });
      gain.increase(state, innovations);
      adaptive?.update(departures, state);
      relaxation.apply(fields.background, state);
      additive?.apply(state, cycle);
      const staged = backend.stage(status);
      return {
        async report() {
          const [broken] = await staged;
          const warnings = [...(broken === 0 ? [] : [NOT_DEFINITE]), ...(rounding === undefined ? [] : [rounding])];
          return warnings.length === 0 ? {} : { warning: warnings.join('; ') };
        },
      };
    },
    dispose() {
      for (const owned of [ensemble, forecast, tangent, status, splitting, innovating, solving]) owned.dispose();
      for (const owned of [averaging, weighing, relaxation, own, gain, explanation]) owned.dispose();
      for (const owned of [adaptive, additive, together, whitened]) owned?.dispose();
      for (const owned of Object.values(fields)) owned.dispose();
    },
  };
}
