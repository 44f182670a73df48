/**
 * What outer loops need beside the minimisation (Gauss–Newton, [courtier1994]). After loop n the state is x_n = x_b + V v_n. With
 * H_n linearised about it and d_n = y − H(x_n), the next loop minimises
 *
 *   J(v) = ½ vᵀv + ½ ‖R^−½ (d_n + H_n V v_n − H_n V v)‖²
 *
 * from v = 0: the minimisation of the first loop with other departures. Where H is linear they are the first ones again.
 */
import type { RealField } from '../../compute/backend.ts';
import { dotProduct } from '../../operators/dot-product/index.ts';
import { perturbation } from '../../operators/ensemble/index.ts';
import { innovation } from '../../operators/observation/index.ts';
import type { MethodContext } from '../method.ts';
import type { Departures } from '../shared/departures.ts';
import type { ObservedControl } from './observed-control.ts';
import type { WholeErrors } from './whole-errors.ts';

export interface Relinearisation {
  /** x_n, about which H is linearised last. */
  readonly iterate: RealField;
  /** D⁻¹ (d_n + H_n V v_n), D the deviations of the observations. [capacity] */
  readonly departures: RealField;
  /** Queues `iterate` = `background` + `increment`, H linearised about it, and the departures of the next loop. */
  advance(loop: {
    readonly background: RealField;
    /** V v_n. */
    readonly increment: RealField;
    /** v_n. */
    readonly control: RealField;
  }): void;
  /** Queues and stages ½ ‖R^−½ (y − H(x))‖² of a state. To be awaited when a `collect` has followed. */
  stageCost(state: RealField): Promise<number>;
  dispose(): void;
}

export async function createRelinearisation(
  label: string,
  { backend, observations, model }: MethodContext,
  {
    departures: first,
    seen,
    errors,
  }: {
    readonly departures: Departures;
    readonly seen: ObservedControl;
    readonly errors: Pick<WholeErrors, 'whiten'>;
  },
): Promise<Relinearisation> {
  const { capacity } = observations;
  const length = model.variables.length * model.grid.nx * model.grid.ny;
  const allocate = (name: string, size: number) => backend.allocate(`${label}.outer.${name}`, 'real', size);
  const fields = {
    iterate: allocate('iterate', length),
    observed: allocate('observed', capacity),
    misfit: allocate('misfit', capacity),
    scaled: allocate('scaled', capacity),
    departures: allocate('departures', capacity),
    cost: allocate('cost', 1),
  };
  const departing = await backend.prepare(innovation, { observations: capacity });
  const moving = await backend.prepare(perturbation, { members: 1, length });
  const adding = await backend.prepare(perturbation, { members: 1, length: capacity });
  const weighing = await backend.prepare(dotProduct, { length: capacity, factor: 0.5 });

  /** Queues `scaled` = D⁻¹ (y − H(x)), of the observations that the first loop uses. */
  function depart(state: RealField, scaled: RealField): void {
    const { observed, misfit } = fields;
    const { inverseErrorStd, valuesAtAnalysis: values } = first;
    observations.observe(state, 1, observed);
    departing.run({ values, observed, inverseErrorStd, innovation: misfit, scaled });
  }

  return {
    iterate: fields.iterate,
    departures: fields.departures,
    advance({ background, increment, control }) {
      const { iterate, observed, departures } = fields;
      backend.copy(background, iterate);
      moving.run({ noise: increment, ensemble: iterate });
      depart(iterate, departures);
      seen.linearise(background, first.inverseErrorStd, iterate);
      seen.product(control, observed);
      adding.run({ noise: observed, ensemble: departures });
    },
    async stageCost(state) {
      depart(state, fields.scaled);
      const white = errors.whiten(fields.scaled);
      weighing.run({ x: white, y: white, result: fields.cost });
      const [cost] = await backend.stage(fields.cost);
      return cost;
    },
    dispose() {
      for (const owned of [departing, moving, adding, weighing, ...Object.values(fields)]) owned.dispose();
    },
  };
}
