/**
 * The square root of the localised covariance of an ensemble, β_e C ∘ X′X′ᵀ/(k − 1) = V Vᵀ, with a control of its own for every
 * member, the same for all variables [lorenc2003, buehner2005]:
 *
 *   V a = √β_e Σ_i X′_i ∘ (V_L a_i)/√(k − 1),   V_L V_Lᵀ = C.
 *
 * V_L = diag(s) F, and s is the same for every member: V = diag(s) X F with X the Schur products of the weighted anomalies.
 */
import type { RealField } from '../../compute/backend.ts';
import { diagonal } from '../../operators/diagonal/index.ts';
import { anomalies } from '../../operators/ensemble/index.ts';
import { schurProduct } from '../../operators/schur-product/index.ts';
import type { ControlTransform } from '../covariances/index.ts';
import type { MethodContext } from '../method.ts';
import { createLocalisingFilter } from './localising-filter.ts';

export interface EnsembleTransform extends ControlTransform {
  /** Queues X′ of an ensemble [members][length], about whose `mean` V is from now on. */
  take(ensemble: RealField, mean: RealField): void;
}

export interface EnsembleTransformSettings {
  readonly label: string;
  /** β_e, above 0. */
  readonly weight: number;
  /** L of C, metres. */
  readonly length: number;
  /** Work space for the weighted anomalies, [members][variable][y][x]: nobody else's from `take` to the last use of V. */
  readonly weighted: RealField;
}

export async function createEnsembleTransform(
  { backend, model, members }: MethodContext,
  { label, weight, length, weighted }: EnsembleTransformSettings,
): Promise<EnsembleTransform> {
  const { grid } = model;
  const cells = grid.nx * grid.ny;
  const variables = model.variables.length;
  const state = variables * cells;
  const filter = await createLocalisingFilter(backend, grid, members, length);
  const shape = { members, variables, cells };
  const combining = await backend.prepare(schurProduct, { ...shape, transpose: false });
  const dividing = await backend.prepare(schurProduct, { ...shape, transpose: true });
  const scaling = await backend.prepare(diagonal, { length: cells, batch: variables });
  const factor = Math.sqrt(weight / (members - 1));
  const splitting = await backend.prepare(anomalies, { members, length: state, factor });
  const fields = {
    scale: backend.allocate(`${label}.localisation`, 'real', cells),
    filtered: backend.allocate(`${label}.filtered`, 'real', members * cells),
    combined: backend.allocate(`${label}.combined`, 'real', state),
  };
  const { scale, filtered, combined } = fields;
  backend.write(scale, filter.scale);
  return {
    length: members * cells,
    take: (ensemble, mean) => splitting.run({ ensemble, mean, anomalies: weighted }),
    apply(control, increment) {
      filter.forward.run({ input: control, output: filtered });
      combining.run({ anomalies: weighted, input: filtered, output: combined });
      scaling.run({ scale, input: combined, output: increment });
    },
    applyAdjoint(increment, control) {
      scaling.run({ scale, input: increment, output: combined });
      dividing.run({ anomalies: weighted, input: combined, output: filtered });
      filter.adjoint.run({ input: filtered, output: control });
    },
    dispose() {
      const prepared = [filter.forward, filter.adjoint, combining, dividing, scaling, splitting];
      for (const owned of [...prepared, ...Object.values(fields)]) owned.dispose();
    },
  };
}
