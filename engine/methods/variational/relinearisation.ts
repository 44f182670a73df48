/**
 * What outer loops need beside the minimisation (Gauss–Newton, [courtier1994]). After loop n the state is x_n = x_b + V v_n. With
 * H_n linearised about it and d_n = y − H(x_n), the next loop minimises
 *
 *   J(v) = ½ vᵀv + ½ ‖R^−½ (d_n + H_n V v_n − H_n V v)‖²
 *
 * from v = 0: the minimisation of the first loop with other departures. Where H is linear they are the first ones again.
 */
import type { RealField } from '../../compute/backend.ts';
import type { WholeMinimisation } from '../../operators/conjugate-gradient/index.ts';
import { dotProduct } from '../../operators/dot-product/index.ts';
import { perturbation } from '../../operators/ensemble/index.ts';
import { innovation } from '../../operators/observation/index.ts';
import type { MethodContext } from '../method.ts';
import type { Departures } from '../shared/departures.ts';
import type { ErrorCorrelationChoice } from '../shared/error-correlation-setting.ts';
import { createWhitenedErrors } from '../shared/whitened-errors.ts';
import type { ObservedControl } from './observed-control.ts';

/**
 * G = R^−½ H V and R^−½ d of a minimisation, whatever R is taken for. Where errors are independent, what is scaled by their
 * deviations is left as it is; where R is taken whole, R = D C D, R^−½ is L⁻¹ D⁻¹ with L Lᵀ = C (shared/whitened-errors.ts).
 */
export interface WholeErrors {
  /**
   * Takes up the errors of the cycle, once its departures are queued.
   *
   * @param inverseErrorStd of what is used, [capacity]
   * @returns the warnings about them that are new
   */
  follow(inverseErrorStd: RealField): Promise<string | undefined>;
  /** Queues R^−½ d of D⁻¹ d. @returns it, good until asked for again */
  departures(scaled: RealField): RealField;
  /** The same in work space: good until the next use of any other. */
  whiten(scaled: RealField): RealField;
  /** The same into a field of the caller. Undefined if the errors are taken for independent. */
  readonly whitenInto?: (scaled: RealField, white: RealField) => void;
  /** Queues L⁻ᵀ of what R^−½ has made, an observation at a time as it is observed. @returns it, in the same work space */
  byObservation(white: RealField): RealField;
  /** Queues `observed` = G `control`. */
  product(control: RealField, observed: RealField): void;
  /** Queues `control` = Gᵀ `observed`, which it leaves as it is. */
  adjoint(observed: RealField, control: RealField): void;
  /** Queues a whole minimisation, where one kernel does it. */
  readonly minimise?: (fields: WholeMinimisation) => void;
  dispose(): void;
}

/** @param seen with rows scaled by the deviations; it stays its owner's */
export function createWholeErrors(
  label: string,
  context: MethodContext,
  seen: ObservedControl,
  taken: ErrorCorrelationChoice,
): WholeErrors {
  if (taken === 'ignored') {
    return {
      ...seen,
      follow: () => Promise.resolve(undefined),
      departures: (scaled) => scaled,
      whiten: (scaled) => scaled,
      byObservation: (white) => white,
      dispose: () => undefined,
    };
  }
  const { backend, observations } = context;
  const errors = createWhitenedErrors(label, context);
  const allocate = (name: string) => backend.allocate(`${label}.${name}`, 'real', observations.capacity);
  const [white, work] = [allocate('white'), allocate('scaledAlone')];
  const whitened = (scaled: RealField, output: RealField): RealField => {
    errors.whiten(scaled, output);
    return output;
  };
  return {
    follow: (inverseErrorStd) => errors.follow(inverseErrorStd),
    departures: (scaled) => whitened(scaled, white),
    whiten: (scaled) => whitened(scaled, work),
    whitenInto: (scaled, output) => errors.whiten(scaled, output),
    byObservation(observed) {
      errors.whitenAdjoint(observed, work);
      return work;
    },
    product(control, observed) {
      seen.product(control, work);
      errors.whiten(work, observed);
    },
    adjoint(observed, control) {
      errors.whitenAdjoint(observed, work);
      seen.adjoint(work, control);
    },
    dispose() {
      for (const owned of [errors, white, work]) owned.dispose();
    },
  };
}

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
