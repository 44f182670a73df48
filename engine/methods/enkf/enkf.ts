/**
 * The stochastic EnKF with perturbed observations [burgers1998] and the tapered gain [gain-gpu]. With S = R^−½ H and the
 * covariance P = C ∘ (e eᵀ)/(k − 1):
 *
 *   (I + S P Sᵀ) z_l = R^−½ (y − H(x_l)) + ε_l,   x_l ← x_l + P Sᵀ z_l,   ε_l ~ N(0, I).
 *
 * P Sᵀ and S P Sᵀ are those of tapered-gain.ts: where an observation is not linear in the state, they are taken from the members
 * instead of a tangent. So they are where something was observed before the analysis: H(x_l) is then of the members as they were.
 *
 * Where errors are correlated and R is taken whole, S is D⁻¹ H with R = D C D, I is C, and ε_l ~ N(0, C) (shared/correlated-errors.ts).
 */
import { dotProduct } from '../../operators/dot-product/index.ts';
import { anomalies, ensembleMean, inflation as inflationOperator } from '../../operators/ensemble/index.ts';
import { perturbedInnovation } from '../../operators/stochastic-enkf/index.ts';
import { choleskySolution } from '../../operators/cholesky-solution/index.ts';
import { segmentTable, standardNormal } from '../../operators/standard-normal/index.ts';
import { streamWords } from '../../random/stream.ts';
import { createAdaptiveInflation } from '../shared/inflation.ts';
import { createAdditiveInflation } from '../shared/additive-inflation.ts';
import { createCorrelatedErrors } from '../shared/correlated-errors.ts';
import { createEnsembleState } from '../shared/ensemble-state.ts';
import { explainWith } from '../explanation.ts';
import type { Method, MethodContext } from '../method.ts';
import { explainEnkf } from './explanation.ts';
import { createRelaxation } from '../shared/relaxation.ts';
import { createWhitenedErrors } from '../shared/whitened-errors.ts';
import type { EnkfSettings } from './settings.ts';
import { createTaperedGain } from './tapered-gain.ts';

const NOT_DEFINITE =
  'the observed covariance is not positive definite in this precision, and some observations were omitted; ' +
  'use a larger observation error or a shorter localisation half-width';

/** @throws LimitError when a field does not fit the backend */
export async function createEnkf(method: EnkfSettings, context: MethodContext): Promise<Method> {
  const { backend, model, observations, members, seed, streamName = method.label, measuresDepartures = true } = context;
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
    streams: backend.allocate(`${method.label}.streams`, 'index', segmentTable([], 1).length),
    perturbations: allocate('perturbations', members * capacity),
    innovations: allocate('innovations', members * capacity),
    observedMean: allocate('observedMean', capacity),
    meanInnovation: allocate('meanInnovation', capacity),
    meanWeight: allocate('meanWeight', capacity),
    misfit: allocate('misfit', 1),
  };
  const status = backend.allocate(`${method.label}.status`, 'index', 1);

  const drawing = await backend.prepare(standardNormal, { length: members * capacity, segments: 1 });
  const centring = await backend.prepare(anomalies, { members, length: capacity });
  const splitting = await backend.prepare(anomalies, { members, length });
  const inflating = await backend.prepare(inflationOperator, { members, length, factor: Math.sqrt(method.inflation) });
  const inflatingObserved = await backend.prepare(inflationOperator, {
    members,
    length: capacity,
    factor: Math.sqrt(method.inflation),
  });
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

  /**
   * Queues ε [members][observations], centred over the members so that the perturbations leave the mean innovation alone. Their
   * sample covariance is I, or C, on average, since it divides by k − 1 as that of the states does.
   */
  function drawPerturbations(cycle: number, areTogether: boolean): void {
    const { streams, innovations: drawn, observedMean: mean, perturbations } = fields;
    const words = streamWords(seed, `methods.${streamName}.perturbations`, cycle);
    backend.write(streams, segmentTable([{ words, first: 0 }], 1));
    drawing.run({ streams, output: drawn });
    if (areTogether) {
      together?.correlate(drawn, perturbations);
      backend.copy(perturbations, drawn);
    }
    centring.run({ ensemble: drawn, mean, anomalies: perturbations });
  }

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
      const { observedEnsemble, inverseErrorStd } = departures;
      const rounding = await whitened?.follow(inverseErrorStd);
      const { innovations, perturbations, meanInnovation, meanWeight } = fields;
      backend.copy(state, fields.background);
      if (adaptive) adaptive.begin(state);
      else inflating.run({ ensemble: state });
      splitting.run({ ensemble: state, mean: fields.mean, anomalies: fields.anomalies });
      // Inflation has moved the members, and so what is observed of them; what was observed before, by as much.
      if (!observations.isAsynchronous) observations.observe(state, members, observedEnsemble);
      else if (adaptive) backend.copy(departures.inflatedEnsemble, observedEnsemble);
      else inflatingObserved.run({ ensemble: observedEnsemble });
      drawPerturbations(cycle, areTogether);
      const { values } = observations;
      innovating.run({ values, observed: observedEnsemble, inverseErrorStd, perturbations, scaled: innovations });
      // The perturbations are centred: the mean over the members is that of R^−½ (y − H(x_l)) alone, going in and coming out.
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
      for (const owned of [ensemble, tangent, status, splitting, inflating, inflatingObserved, innovating, solving])
        owned.dispose();
      for (const owned of [averaging, weighing, relaxation, drawing, centring, gain, explanation]) owned.dispose();
      for (const owned of [adaptive, additive, together, whitened]) owned?.dispose();
      for (const owned of Object.values(fields)) owned.dispose();
    },
  };
}
