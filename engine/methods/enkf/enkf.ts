/**
 * The stochastic EnKF with perturbed observations [burgers1998] and the tapered gain [gain-gpu]. With S = R^−½ H and the
 * covariance P = C ∘ (e eᵀ)/(k − 1):
 *
 *   (I + S P Sᵀ) z_l = R^−½ (y − H(x_l)) + ε_l,   x_l ← x_l + P Sᵀ z_l,   ε_l ~ N(0, I).
 *
 * Where H is not linear in the state (velocities, speed), S is taken from the members instead of a tangent: P Sᵀ and S P Sᵀ are
 * the tapered covariances of X′ with Y′ and of Y′ with itself, Y′ the anomalies of R^−½ H(x_l), the taper at the distance from
 * the observation's place. So they are where something was observed before the analysis: H(x_l) is then of the members as they were.
 *
 * Where errors go together and R is taken whole, S is D⁻¹ H with R = D C D, I is C, and ε_l ~ N(0, C) (shared/correlated-errors.ts).
 *
 * The columns P Sᵀ are made in blocks of observations that fit in memory; where one block is not enough they are made twice,
 * for the matrix and for the increment.
 */
import { dotProduct } from '../../operators/dot-product/index.ts';
import { anomalies, ensembleMean, inflation as inflationOperator } from '../../operators/ensemble/index.ts';
import { gainIncrement, observedCovariance, perturbedInnovation } from '../../operators/stochastic-enkf/index.ts';
import { gainCovariance } from '../../operators/gain-covariance/index.ts';
import { taperRow } from '../../operators/localisation/index.ts';
import { choleskySolution } from '../../operators/cholesky-solution/index.ts';
import { isLinearlyObserved } from '../../operators/observation/index.ts';
import { observedEnsembleCovariance, observedEnsembleGain } from '../../operators/observed-ensemble/index.ts';
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

/** Bytes of P Sᵀ that are held at once. */
const BLOCK_BYTES = 128 * 2 ** 20;

const NOT_DEFINITE =
  'the observed covariance is not positive definite in this precision, and some observations were left out; ' +
  'use a larger observation error or a shorter localisation half-width';

/** Consecutive blocks of at most `largest` of `count` items. */
function blocksOf(count: number, largest: number): { readonly first: number; readonly size: number }[] {
  const blocks = [];
  for (let first = 0; first < count; first += largest) blocks.push({ first, size: Math.min(largest, count - first) });
  return blocks;
}

/**
 * @param fieldBytes that one field may have
 * @returns columns of P Sᵀ that are held at once
 */
export function gainColumns(observations: number, stateBytes: number, fieldBytes = BLOCK_BYTES): number {
  return Math.max(1, Math.min(observations, Math.floor(Math.min(BLOCK_BYTES, fieldBytes) / stateBytes)));
}

/** @throws LimitError when a field does not fit the backend */
export async function createEnkf(method: EnkfSettings, context: MethodContext): Promise<Method> {
  const { backend, model, observations, members, seed, streamName = method.label, measuresDepartures = true } = context;
  const { nx, ny, dx, dy, periodicX, periodicY } = model.grid;
  const { capacity, nonzeros } = observations;
  const tangent = observations.linearised(method.label);
  const observed = tangent.matrix;
  const length = model.variables.length * nx * ny;
  const adaptive = await createAdaptiveInflation(method, context, length);
  const ensemble = await createEnsembleState(method.label, context, members, {
    inflation: adaptive ? 1 : method.inflation,
    inflateObserved: adaptive?.inflateObserved,
  });
  const { state, departures } = ensemble;
  const halfWidthCells = method.localisation.halfWidth / dx;
  const geometry = { nx, ny, periodicX, periodicY, halfWidthCells, aspect: dy / dx };
  const taper = taperRow(geometry);

  const columns = gainColumns(capacity, length * backend.elementBytes, backend.limits.fieldBytes);
  const allocate = (label: string, size: number) => backend.allocate(`${method.label}.${label}`, 'real', size);
  const fields = {
    mean: allocate('mean', length),
    anomalies: allocate('anomalies', members * length),
    background: allocate('background', members * length),
    taper: allocate('taper', nx * ny),
    ones: allocate('ones', capacity),
    covariance: allocate('covariance', columns * length),
    matrix: allocate('matrix', capacity * capacity),
    streams: backend.allocate(`${method.label}.streams`, 'index', segmentTable([], 1).length),
    perturbations: allocate('perturbations', members * capacity),
    innovations: allocate('innovations', members * capacity),
    observedMean: allocate('observedMean', capacity),
    observedAnomalies: allocate('observedAnomalies', members * capacity),
    meanInnovation: allocate('meanInnovation', capacity),
    meanWeight: allocate('meanWeight', capacity),
    misfit: allocate('misfit', 1),
  };
  const status = backend.allocate(`${method.label}.status`, 'index', 1);
  backend.write(fields.taper, taper.row);
  // The rows of the linearised observation operator are scaled by R^−½ already, and 0 where an observation is not used.
  backend.write(fields.ones, new Float64Array(capacity).fill(1));

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
  // The analysis solves with C itself. What its departures say of it needs L⁻¹.
  const whitened = together && measuresDepartures ? createWhitenedErrors(method.label, context) : undefined;
  const extents = blocksOf(capacity, columns);
  const blocks = await Promise.all(
    extents.map(async ({ first, size }) => {
      const block = { length, observations: capacity, firstObservation: first, blockObservations: size };
      return {
        columns: await backend.prepare(gainCovariance, {
          nx,
          ny,
          periodicX,
          periodicY,
          variables: model.variables.length,
          members,
          firstObservation: first,
          observations: size,
          nonzeros,
          reachX: taper.reachX,
          reachY: taper.reachY,
        }),
        rows: await backend.prepare(observedCovariance, { ...block, nonzeros }),
        increment: await backend.prepare(gainIncrement, { ...block, members }),
      };
    }),
  );

  const throughMembers = async () => ({
    splitting: await backend.prepare(anomalies, { members, length: capacity }),
    covarying: await backend.prepare(observedEnsembleCovariance, {
      ...geometry,
      members,
      observations: capacity,
      inflation: 1,
    }),
    columns: await Promise.all(
      extents.map(({ first, size }) =>
        backend.prepare(observedEnsembleGain, {
          ...geometry,
          variables: model.variables.length,
          members,
          observations: capacity,
          firstObservation: first,
          blockObservations: size,
        }),
      ),
    ),
  });
  /** Prepared for the first cycle that observes what is not linear in the state. */
  let seenByMembers: Awaited<ReturnType<typeof throughMembers>> | undefined;

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

  /** Queues P Sᵀ of a block. */
  function covarianceOf(index: number, isLinear: boolean): void {
    const { anomalies: own, taper: taperField, covariance: output, observedAnomalies } = fields;
    if (isLinear) {
      blocks[index].columns.run({ anomalies: own, taperRow: taperField, ...observed, output });
      return;
    }
    const { inverseErrorStd } = departures;
    const { positionX, positionY } = observations;
    seenByMembers?.columns[index].run({
      anomalies: own,
      observedAnomalies,
      inverseErrorStd,
      positionX,
      positionY,
      output,
    });
  }

  function isLinearNow(): boolean {
    return !observations.isAsynchronous && context.positions().variable.every((name) => isLinearlyObserved(name));
  }

  /** Queues I + S P Sᵀ. */
  function matrixOf(isLinear: boolean): void {
    const { covariance, ones, matrix, observedMean, observedAnomalies } = fields;
    if (isLinear) {
      blocks.forEach((block, index) => {
        covarianceOf(index, isLinear);
        block.rows.run({ covariance, ...observed, inverseErrorStd: ones, matrix });
      });
      return;
    }
    const { observedEnsemble, inverseErrorStd } = departures;
    const { positionX, positionY } = observations;
    seenByMembers?.splitting.run({ ensemble: observedEnsemble, mean: observedMean, anomalies: observedAnomalies });
    seenByMembers?.covarying.run({ observedAnomalies, inverseErrorStd, positionX, positionY, matrix });
  }

  const explanation = explainEnkf(context, method, { state, departures, tangent, isLinearNow, fields, adaptive });

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
      const isLinear = isLinearNow();
      if (!isLinear) seenByMembers ??= await throughMembers();
      const areTogether = (await together?.follow()) ?? false;
      const { observedEnsemble, inverseErrorStd } = departures;
      const rounding = await whitened?.follow(inverseErrorStd);
      const { innovations, perturbations, meanInnovation, meanWeight } = fields;
      backend.copy(state, fields.background);
      if (adaptive) adaptive.begin(state);
      else inflating.run({ ensemble: state });
      splitting.run({ ensemble: state, mean: fields.mean, anomalies: fields.anomalies });
      if (isLinear) tangent.linearise(fields.mean, inverseErrorStd);
      // Inflation has moved the members, and so what is observed of them; what was observed before, by as much.
      if (!observations.isAsynchronous) observations.observe(state, members, observedEnsemble);
      else if (adaptive) backend.copy(departures.inflatedEnsemble, observedEnsemble);
      else inflatingObserved.run({ ensemble: observedEnsemble });
      drawPerturbations(cycle, areTogether);
      const { values } = observations;
      innovating.run({ values, observed: observedEnsemble, inverseErrorStd, perturbations, scaled: innovations });
      // The perturbations are centred: the mean over the members is that of R^−½ (y − H(x_l)) alone, going in and coming out.
      averaging.run({ ensemble: innovations, mean: meanInnovation });
      matrixOf(isLinear);
      if (areTogether) together?.add(inverseErrorStd, fields.matrix);
      solving.run({ matrix: fields.matrix, solution: innovations, status });
      averaging.run({ ensemble: innovations, mean: meanWeight });
      weighing.run({ x: meanInnovation, y: meanWeight, result: fields.misfit });
      blocks.forEach((block, index) => {
        // One block alone is still there from the matrix, where it was made for it.
        if (!isLinear || blocks.length > 1) covarianceOf(index, isLinear);
        const { covariance, ones } = fields;
        block.increment.run({ covariance, inverseErrorStd: ones, weights: innovations, ensemble: state });
      });
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
      for (const owned of [averaging, weighing, relaxation, drawing, centring, explanation]) owned.dispose();
      for (const owned of [adaptive, additive, together, whitened]) owned?.dispose();
      if (seenByMembers)
        for (const owned of [seenByMembers.splitting, seenByMembers.covarying, ...seenByMembers.columns])
          owned.dispose();
      for (const owned of Object.values(fields)) owned.dispose();
      for (const { columns: made, rows, increment } of blocks)
        [made, rows, increment].forEach((owned) => owned.dispose());
    },
  };
}
