/**
 * 3D-Var in control space: the increment δx = V v that minimises
 *
 *   J(v) = ½ vᵀv + ½ ‖R^−½ (d − H V v)‖²,   that is   (I + Vᵀ Hᵀ R⁻¹ H V) v = Vᵀ Hᵀ R⁻¹ d,
 *
 * by conjugate gradients from v = 0. H is linearised about the background. Where the background is dry land, V has no
 * increments: its rows there are 0.
 */
import type { RealField } from '../../compute/backend.ts';
import { createMinimiser } from '../../operators/conjugate-gradient/index.ts';
import { perturb } from '../../operators/ensemble/index.ts';
import { createControlTransform } from '../covariances/index.ts';
import { covariancesWith, elementOf, explainWith } from '../explanation.ts';
import type { Explanation, MethodQuestion } from '../explanation.ts';
import type { AnalysisReport, Method, MethodContext } from '../method.ts';
import { createEnsembleState } from '../shared/ensemble-state.ts';
import { createWetIncrement } from '../shared/wet-increment.ts';
import { createBackgroundVariance } from './background-variance.ts';
import type { ThreeDVarSettings } from './settings.ts';

/** Iterations between two looks at the residual where more are needed than lately. */
const CHECK_EVERY = 5;

export async function createThreeDVar(method: ThreeDVarSettings, context: MethodContext): Promise<Method> {
  const { backend, model, observations } = context;
  const transform = await createControlTransform(backend, model, method.covariance, context);
  const variance = await createBackgroundVariance(transform, context);
  const ensemble = await createEnsembleState(method.label, context, 1, variance);
  const { state, departures, length } = ensemble;
  const minimiser = await createMinimiser(backend, {
    length: transform.length,
    observations: observations.capacity,
    ...method.minimisation,
    checkEvery: CHECK_EVERY,
    shift: 1,
  });
  const tangent = observations.linearised(method.label);
  const projection = await createWetIncrement(context);
  const adding = await backend.prepare(perturb, { members: 1, length });
  const fields = {
    increment: backend.allocate(`${method.label}.increment`, 'real', length),
    observed: backend.allocate(`${method.label}.observed`, 'real', observations.capacity),
    gradient: backend.allocate(`${method.label}.gradient`, 'real', transform.length),
    solution: backend.allocate(`${method.label}.control`, 'real', transform.length),
  };

  /** δx = V v. */
  function toIncrement(control: RealField): void {
    transform.apply(control, fields.increment);
    projection.project(fields.increment, state);
  }
  /** R^−½ H V v, and its adjoint. */
  function toObservations(control: RealField, observed: RealField): void {
    toIncrement(control);
    tangent.product(fields.increment, observed);
  }
  function toControl(observed: RealField, control: RealField): void {
    tangent.adjoint(observed, fields.increment);
    projection.project(fields.increment, state);
    transform.applyAdjoint(fields.increment, control);
  }

  /** V Vᵀ e, of the background as the state is now. */
  async function covarianceColumn(question: MethodQuestion): Promise<Explanation> {
    const unit = new Float64Array(length);
    unit[elementOf(model, question)] = 1;
    backend.write(fields.increment, unit);
    projection.project(fields.increment, state);
    transform.applyAdjoint(fields.increment, fields.gradient);
    toIncrement(fields.gradient);
    const values = await backend.read(fields.increment);
    return { values, variables: covariancesWith(model, question.variable) };
  }

  /** x ← x + V v. */
  function increase(): void {
    toIncrement(fields.solution);
    adding.run({ noise: fields.increment, ensemble: state });
  }

  return {
    label: method.label,
    kind: method.kind,
    members: 1,
    state,
    departures,
    initialise: ensemble.initialise,
    explain: explainWith({ 'covariance-column': covarianceColumn }),
    async analyse() {
      const { inverseErrorStd, scaled } = departures;
      tangent.linearise(state, inverseErrorStd);
      toControl(scaled, fields.gradient);
      const minimisation = await minimiser.queue({
        applyHessian(direction, result) {
          toObservations(direction, fields.observed);
          toControl(fields.observed, result);
        },
        gradient: fields.gradient,
        solution: fields.solution,
        departures: scaled,
      });
      const report = async (): Promise<AnalysisReport> => ({ minimisation: await minimisation.report() });
      const { complete } = minimisation;
      if (!complete) {
        increase();
        return { report };
      }
      return {
        async complete() {
          await complete();
          increase();
        },
        report,
      };
    },
    dispose() {
      const parts = [ensemble, variance, transform, minimiser, projection, tangent, adding];
      for (const owned of [...parts, ...Object.values(fields)]) owned.dispose();
    },
  };
}
