/**
 * The stochastic EnKF with perturbed observations [burgers1998] and the tapered gain [gain-gpu]. With S = R^−½ H and the
 * covariance P = C ∘ (e eᵀ)/(k − 1):
 *
 *   (I + S P Sᵀ) z_l = R^−½ (y − H(x_l)) + ε_l,   x_l ← x_l + P Sᵀ z_l,   ε_l ~ N(0, I).
 *
 * The columns P Sᵀ are made in blocks of observations that fit in memory; where one block is not enough they are made twice,
 * for the matrix and for the increment.
 */
import {
  anomalies,
  gainIncrement,
  inflate,
  observedCovariance,
  perturbedInnovation,
} from '../operators/ensemble/index.ts';
import { gainCovariance, taperRow } from '../operators/gain-covariance/index.ts';
import { choleskySolve } from '../operators/linear-solve/index.ts';
import { randomStream } from '../random/stream.ts';
import type { EnkfMethod } from '../scenario/index.ts';
import { createEnsembleState } from './ensemble-state.ts';
import type { Method, MethodSurroundings } from './method.ts';
import { createRelaxation } from './relaxation.ts';

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
 * ε [members][observations], centred over the members so that the perturbations leave the mean innovation alone. Their sample
 * covariance is I on average, since it divides by k − 1 as that of the states does.
 */
function drawPerturbations(
  seed: number,
  purpose: string,
  cycle: number,
  members: number,
  observations: number,
): Float64Array {
  const stream = randomStream(seed, purpose, cycle);
  const drawn = Float64Array.from({ length: members * observations }, () => stream.normal());
  for (let j = 0; j < observations; j++) {
    let sum = 0;
    for (let l = 0; l < members; l++) sum += drawn[l * observations + j];
    for (let l = 0; l < members; l++) drawn[l * observations + j] -= sum / members;
  }
  return drawn;
}

/** @throws LimitError when a field does not fit the backend */
export async function createEnkf(method: EnkfMethod, surroundings: MethodSurroundings): Promise<Method> {
  const { backend, model, observations, members, seed } = surroundings;
  const { nx, ny, dx, dy, periodicX, periodicY } = model.grid;
  const { capacity, matrix: observed, nonzeros } = observations;
  const ensemble = await createEnsembleState(method.label, surroundings, members);
  const { state, departures, length } = ensemble;
  const halfWidth = method.localization.halfWidth / dx;
  const taper = taperRow({ nx, ny, periodicX, periodicY, halfWidth, aspect: dy / dx });

  const blockBytes = Math.min(BLOCK_BYTES, backend.limits.fieldBytes);
  const columns = Math.max(1, Math.min(capacity, Math.floor(blockBytes / (length * backend.elementBytes))));
  const allocate = (label: string, size: number) => backend.allocate(`${method.label}.${label}`, 'real', size);
  const fields = {
    mean: allocate('mean', length),
    anomalies: allocate('anomalies', members * length),
    background: allocate('background', members * length),
    taper: allocate('taper', nx * ny),
    ones: allocate('ones', capacity),
    covariance: allocate('covariance', columns * length),
    matrix: allocate('matrix', capacity * capacity),
    perturbations: allocate('perturbations', members * capacity),
    innovations: allocate('innovations', members * capacity),
  };
  const status = backend.allocate(`${method.label}.status`, 'index', 1);
  backend.write(fields.taper, taper.row);
  // The rows of the linearised observation operator are scaled by R^−½ already, and 0 where an observation is not used.
  backend.write(fields.ones, new Float64Array(capacity).fill(1));

  const splitting = await backend.prepare(anomalies, { members, length });
  const inflating = await backend.prepare(inflate, { members, length, factor: Math.sqrt(method.inflation) });
  const innovating = await backend.prepare(perturbedInnovation, { members, observations: capacity });
  const solving = await backend.prepare(choleskySolve, { size: capacity, rightHandSides: members });
  const relaxation = await createRelaxation(method.relaxation, backend, members, length);
  const blocks = await Promise.all(
    blocksOf(capacity, columns).map(async ({ first, size }) => {
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

  const covarianceOf = (block: (typeof blocks)[number]): void =>
    block.columns.run({ anomalies: fields.anomalies, taperRow: fields.taper, ...observed, output: fields.covariance });

  return {
    label: method.label,
    kind: method.kind,
    members,
    state,
    departures,
    async analyse(cycle) {
      backend.copy(state, fields.background);
      inflating.run({ ensemble: state });
      splitting.run({ ensemble: state, mean: fields.mean, anomalies: fields.anomalies });
      observations.linearise(fields.mean, departures.inverseDeviation);
      // Inflation has moved the members, and so what is observed of them.
      observations.observe(state, members, departures.observedEnsemble);
      const purpose = `methods.${method.label}.perturbations`;
      backend.write(fields.perturbations, drawPerturbations(seed, purpose, cycle, members, capacity));
      innovating.run({
        values: observations.values,
        observed: departures.observedEnsemble,
        inverseDeviation: departures.inverseDeviation,
        perturbations: fields.perturbations,
        scaled: fields.innovations,
      });
      for (const block of blocks) {
        covarianceOf(block);
        block.rows.run({
          covariance: fields.covariance,
          ...observed,
          inverseDeviation: fields.ones,
          matrix: fields.matrix,
        });
      }
      solving.run({ matrix: fields.matrix, solution: fields.innovations, status });
      for (const block of blocks) {
        if (blocks.length > 1) covarianceOf(block);
        block.increment.run({
          covariance: fields.covariance,
          inverseDeviation: fields.ones,
          weights: fields.innovations,
          ensemble: state,
        });
      }
      relaxation.apply(fields.background, state);
      const [broken] = await backend.read(status);
      return broken === 0 ? {} : { warning: NOT_DEFINITE };
    },
    dispose() {
      for (const owned of [ensemble, status, splitting, inflating, innovating, solving, relaxation]) owned.dispose();
      for (const owned of Object.values(fields)) owned.dispose();
      for (const { columns: made, rows, increment } of blocks)
        [made, rows, increment].forEach((owned) => owned.dispose());
    },
  };
}
