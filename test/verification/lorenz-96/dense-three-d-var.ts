/**
 * 3D-Var with a background-error covariance that is given as a matrix, B = V Vᵀ: the method `3dvar` with the sparse product
 * by V in the place of its filters. In control space, δx = V v,
 *
 *   (I + Vᵀ Hᵀ R⁻¹ H V) v = Vᵀ Hᵀ R⁻¹ d,
 *
 * by the conjugate gradients of the engine.
 */
import type { RealField } from '../../../engine/index.ts';
import { explainWith } from '../../../engine/methods/explanation.ts';
import { createEnsembleState } from '../../../engine/methods/shared/ensemble-state.ts';
import type { Method, MethodContext } from '../../../engine/methods/index.ts';
import { createMinimiser } from '../../../engine/operators/conjugate-gradient/index.ts';
import { perturbation } from '../../../engine/operators/ensemble/index.ts';
import { sparseAdjoint, sparseProduct, transposeStructure } from '../../../engine/operators/observation/index.ts';
import { choleskyRoot } from './climatology.ts';

/** In float32 the last digits are beyond reach; the analysis error does not notice. */
const TOLERANCE = 1e-5;

/** The entries of a lower triangular n × n matrix, row by row. */
function lowerTriangle(n: number) {
  const indptr = Uint32Array.from({ length: n + 1 }, (_, row) => (row * (row + 1)) / 2);
  const indices = Uint32Array.from(
    Array.from({ length: n }, (_, row) => Array.from({ length: row + 1 }, (_, j) => j)).flat(),
  );
  return { indptr, indices };
}

/** V v and Vᵀ x on the backend, V being the Cholesky root of an n × n matrix. */
export async function createRoot({ backend }: MethodContext, covariance: Float64Array, n: number) {
  const rows = lowerTriangle(n);
  const columns = transposeStructure(rows, n);
  const nonzeros = rows.indices.length;
  const dense = choleskyRoot(covariance, n);
  const fields = {
    indptr: backend.allocate('root.indptr', 'index', n + 1),
    indices: backend.allocate('root.indices', 'index', nonzeros),
    columnStart: backend.allocate('root.columnStart', 'index', n + 1),
    entryRow: backend.allocate('root.entryRow', 'index', nonzeros),
    entryPosition: backend.allocate('root.entryPosition', 'index', nonzeros),
    data: backend.allocate('root.data', 'real', nonzeros),
  };
  for (const name of ['indptr', 'indices'] as const) backend.write(fields[name], rows[name]);
  for (const name of ['columnStart', 'entryRow', 'entryPosition'] as const) backend.write(fields[name], columns[name]);
  backend.write(
    fields.data,
    dense.filter((_, entry) => entry % n <= Math.floor(entry / n)),
  );
  const size = { rows: n, columns: n, nonzeros, batch: 1 };
  const multiplying = await backend.prepare(sparseProduct, size);
  const adjoining = await backend.prepare(sparseAdjoint, size);
  const { indptr, indices, columnStart, entryRow, entryPosition, data } = fields;
  return {
    length: n,
    apply: (input: RealField, output: RealField) => multiplying.run({ indptr, indices, data, input, output }),
    applyAdjoint: (input: RealField, output: RealField) =>
      adjoining.run({ columnStart, entryRow, entryPosition, data, input, output }),
    dispose() {
      for (const owned of [multiplying, adjoining, ...Object.values(fields)]) owned.dispose();
    },
  };
}

/** @param covariance B, [n][n] */
export async function createDenseThreeDVar(covariance: Float64Array, context: MethodContext): Promise<Method> {
  const { backend, observations } = context;
  const { state, departures, length, ...ensemble } = await createEnsembleState('3dvar', context, 1);
  const root = await createRoot(context, covariance, length);
  const minimiser = await createMinimiser(backend, {
    length,
    observations: observations.capacity,
    tolerance: TOLERANCE,
    maxIterations: 2 * length,
    checkEvery: 5,
    shift: 1,
  });
  const tangent = observations.linearised('3dvar');
  const adding = await backend.prepare(perturbation, { members: 1, length });
  const fields = {
    increment: backend.allocate('3dvar.increment', 'real', length),
    observed: backend.allocate('3dvar.observed', 'real', observations.capacity),
    gradient: backend.allocate('3dvar.gradient', 'real', length),
    solution: backend.allocate('3dvar.control', 'real', length),
  };
  /** `control` = Vᵀ (R^−½ H)ᵀ `observed`. */
  function toControl(observed: RealField, control: RealField): void {
    tangent.adjoint(observed, fields.increment);
    root.applyAdjoint(fields.increment, control);
  }
  return {
    label: '3dvar',
    kind: '3dvar',
    members: 1,
    state,
    departures,
    initialise: ensemble.initialise,
    explain: explainWith({}),
    async analyse() {
      tangent.linearise(state, departures.inverseErrorStd);
      toControl(departures.scaled, fields.gradient);
      const minimisation = await minimiser.minimise({
        applyHessian(direction, product) {
          root.apply(direction, fields.increment);
          tangent.product(fields.increment, fields.observed);
          toControl(fields.observed, product);
        },
        gradient: fields.gradient,
        solution: fields.solution,
        departures: departures.scaled,
      });
      root.apply(fields.solution, fields.increment);
      adding.run({ noise: fields.increment, ensemble: state });
      return { report: () => Promise.resolve({ minimisation }) };
    },
    dispose() {
      for (const owned of [ensemble, root, minimiser, tangent, adding, ...Object.values(fields)]) owned.dispose();
    },
  };
}
