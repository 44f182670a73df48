/**
 * What 4D-Var observes of a control vector, along the trajectory of a window: with M_i′ the linearised model from the window's beginning
 * to the moment i, H_i what is observed then, and D the deviations of the observations,
 *
 *   G = D⁻¹ Σ_i H_i M_i′ V,     Gᵀ = Vᵀ Σ_i M_i′ᵀ H_iᵀ D⁻¹,
 *
 * each an integration of the window: forwards, with a look at every moment, and backwards, which adds what is known there. V has no
 * increments where the beginning is dry.
 */
import type { RealField } from '../../compute/backend.ts';
import type { LinearWindow } from '../../models/index.ts';
import { diagonal } from '../../operators/diagonal/index.ts';
import { perturbation } from '../../operators/ensemble/index.ts';
import { createObservedInTime, innovation } from '../../operators/observation/index.ts';
import type { ControlTransform } from '../covariances/index.ts';
import type { MethodContext } from '../method.ts';
import type { ObservedControl } from '../variational/index.ts';
import type { WetIncrement } from '../shared/wet-increment.ts';

export interface ObservedWindow extends Pick<ObservedControl, 'product' | 'adjoint'> {
  /** Takes up the deviations of the observations that are used, [capacity], and when each is made. */
  follow(inverseErrorStd: RealField): void;
  /**
   * Queues the trajectory from `beginning` to `end`, about which G is linearised from then on, and `scaled` = D⁻¹ (y − H(x)) along it.
   *
   * @returns as `LinearWindow.follow`
   */
  linearise(beginning: RealField, end: RealField, scaled: RealField): Promise<(context: string) => Promise<void>>;
  /** The same without linearising: G stays about the trajectory that it had. */
  run(beginning: RealField, end: RealField, scaled: RealField): Promise<(context: string) => Promise<void>>;
  /** M′ V up to a share of the window: increments then, and what the covariance of their errors is the square of. */
  transformTo(share: number): ControlTransform;
  dispose(): void;
}

/** What it is made of, which stays its owner's. */
export interface ObservedWindowParts {
  readonly label: string;
  /** V, at the beginning. */
  readonly transform: ControlTransform;
  readonly window: LinearWindow;
  /** Leaves increments out of what is dry at the beginning, which is the state that it is given. */
  readonly wet: WetIncrement;
  readonly beginning: RealField;
}

export async function createObservedWindow(
  context: MethodContext,
  { label, transform, window, wet, beginning }: ObservedWindowParts,
): Promise<ObservedWindow> {
  const { backend, observations, positions } = context;
  const { capacity, moments } = observations;
  const { length } = beginning;
  const allocate = (name: string, size: number) => backend.allocate(`${label}.${name}`, 'real', size);
  const fields = {
    increment: allocate('windowIncrement', length),
    sensitivity: allocate('momentSensitivity', length),
    observed: allocate('momentObserved', capacity),
    misfit: allocate('windowMisfit', capacity),
    inverseErrorStd: allocate('windowErrors', capacity),
  };
  const { increment } = fields;
  /** By moment: H_i, which of the observations it has, and D⁻¹ of those. */
  const parts = Array.from({ length: moments + 1 }, (_, moment) => ({
    tangent: observations.linearised(`${label}.${moment}`),
    isOf: allocate(`isOf${moment}`, capacity),
    weights: allocate(`weights${moment}`, capacity),
  }));
  const selecting = await backend.prepare(diagonal, { length: capacity, batch: 1 });
  const departing = await backend.prepare(innovation, { observations: capacity });
  const addingObserved = await backend.prepare(perturbation, { members: 1, length: capacity });
  const addingState = await backend.prepare(perturbation, { members: 1, length });
  const inTime = await createObservedInTime(backend, observations, 1);
  let known: Uint32Array | undefined;
  let isKnown = false;

  /** Sends which observations each moment has, when that has changed. */
  function takeMoments(): void {
    const { x, moment } = positions();
    if (isKnown && known === moment) return;
    parts.forEach(({ isOf }, which) => {
      const own = Float64Array.from({ length: capacity }, (_, j) =>
        j < x.length && (moment?.[j] ?? 0) === which ? 1 : 0,
      );
      backend.write(isOf, own);
    });
    [known, isKnown] = [moment, true];
  }

  /** Queues a trajectory and what is observed along it. */
  async function move(from: RealField, end: RealField, scaled: RealField, keeps: boolean) {
    const { observed, misfit, inverseErrorStd } = fields;
    backend.copy(from, end);
    const conclude = await window.follow(end, keeps, (moment, state) => {
      const { tangent, weights } = parts[moment];
      if (keeps) tangent.linearise(state, weights);
      if (moment > 0) inTime.see(state, moment);
      else inTime.observe(state, observed);
    });
    departing.run({ values: observations.values, observed, inverseErrorStd, innovation: misfit, scaled });
    return conclude;
  }

  function toIncrement(control: RealField): void {
    transform.apply(control, increment);
    wet.project(increment, beginning);
  }

  function toControl(control: RealField): void {
    wet.project(increment, beginning);
    transform.applyAdjoint(increment, control);
  }

  return {
    follow(inverseErrorStd) {
      takeMoments();
      backend.copy(inverseErrorStd, fields.inverseErrorStd);
      for (const { isOf, weights } of parts) selecting.run({ scale: isOf, input: inverseErrorStd, output: weights });
    },
    linearise: (from, end, scaled) => move(from, end, scaled, true),
    run: (from, end, scaled) => move(from, end, scaled, false),
    product(control, observed) {
      toIncrement(control);
      let isBegun = false;
      window.tangent(increment, (moment, state) => {
        parts[moment].tangent.product(state, isBegun ? fields.observed : observed);
        // An observation is 0 but at its own moment: the sum is exact.
        if (isBegun) addingObserved.run({ noise: fields.observed, ensemble: observed });
        isBegun = true;
      });
    },
    adjoint(observed, control) {
      window.adjoint(increment, (moment, state) => {
        const { tangent } = parts[moment];
        if (moment === 0) {
          tangent.adjoint(observed, state);
          return;
        }
        tangent.adjoint(observed, fields.sensitivity);
        addingState.run({ noise: fields.sensitivity, ensemble: state });
      });
      toControl(control);
    },
    transformTo: (share) => ({
      length: transform.length,
      thinDepth: transform.thinDepth,
      apply(control, then) {
        toIncrement(control);
        window.tangent(increment, undefined, share);
        backend.copy(increment, then);
      },
      applyAdjoint(then, control) {
        backend.copy(then, increment);
        window.adjoint(increment, undefined, share);
        toControl(control);
      },
      dispose: () => undefined,
    }),
    dispose() {
      const prepared = [selecting, departing, addingObserved, addingState, inTime];
      const owned = parts.flatMap(({ tangent, isOf, weights }) => [tangent, isOf, weights]);
      for (const each of [...prepared, ...owned, ...Object.values(fields)]) each.dispose();
    },
  };
}
