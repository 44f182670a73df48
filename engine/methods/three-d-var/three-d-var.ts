/**
 * 3D-Var in control space: the increment δx = V v that minimises
 *
 *   J(v) = ½ vᵀv + ½ ‖R^−½ (d − H V v)‖²,   that is   (I + Vᵀ Hᵀ R⁻¹ H V) v = Vᵀ Hᵀ R⁻¹ d,
 *
 * by conjugate gradients from v = 0. H is linearised about the background. Where the background is dry land, V has no
 * increments: its rows there are 0.
 */
import { createMinimiser } from '../../operators/conjugate-gradient/index.ts';
import { perturbation } from '../../operators/ensemble/index.ts';
import { createControlTransform } from '../covariances/index.ts';
import { explainWith } from '../explanation.ts';
import type { AnalysisReport, Method, MethodContext } from '../method.ts';
import { createEnsembleState } from '../shared/ensemble-state.ts';
import { createWetIncrement } from '../shared/wet-increment.ts';
import { createBackgroundVariance } from './background-variance.ts';
import { explainThreeDVar } from './explanation.ts';
import { createObservedControl } from './observed-control.ts';
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
  const adding = await backend.prepare(perturbation, { members: 1, length });
  const fields = {
    increment: backend.allocate(`${method.label}.increment`, 'real', length),
    observed: backend.allocate(`${method.label}.observed`, 'real', observations.capacity),
    gradient: backend.allocate(`${method.label}.gradient`, 'real', transform.length),
    solution: backend.allocate(`${method.label}.control`, 'real', transform.length),
  };

  const seen = await createObservedControl(context, {
    label: method.label,
    transform,
    wet: projection,
    tangent,
    increment: fields.increment,
    minimisation: method.minimisation,
  });

  /** x ← x + V v. */
  function increase(): void {
    transform.apply(fields.solution, fields.increment);
    projection.project(fields.increment, state);
    adding.run({ noise: fields.increment, ensemble: state });
  }

  const explanation = explainThreeDVar(context, {
    transform,
    wet: projection,
    seen,
    minimiser,
    state,
    departures,
    minimisation: method.minimisation,
    fields,
  });

  return {
    label: method.label,
    kind: method.kind,
    members: 1,
    state,
    departures,
    initialise: ensemble.initialise,
    explain: explainWith(explanation.answers),
    analysedVariance: (row, forecast) => explanation.analysedVariance(row, forecast),
    async analyse() {
      const { inverseErrorStd, scaled } = departures;
      seen.linearise(state, inverseErrorStd);
      seen.adjoint(scaled, fields.gradient);
      const minimisation = await minimiser.queue({
        applyHessian(direction, result) {
          seen.product(direction, fields.observed);
          seen.adjoint(fields.observed, result);
        },
        ...(seen.minimise && { whole: seen.minimise }),
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
      const parts = [ensemble, variance, transform, minimiser, projection, tangent, seen, adding];
      for (const owned of [...parts, ...Object.values(fields)]) owned.dispose();
    },
  };
}
