/**
 * G = R^−½ H V and R^−½ d of a minimisation, whatever R is taken for. Where errors are independent, what is scaled by their
 * deviations is left as it is; where R is taken whole, R = D C D, R^−½ is L⁻¹ D⁻¹ with L Lᵀ = C (shared/whitened-errors.ts).
 */
import type { RealField } from '../../compute/backend.ts';
import type { WholeMinimisation } from '../../operators/conjugate-gradient/index.ts';
import type { MethodContext } from '../method.ts';
import type { ErrorCorrelationChoice } from '../shared/error-correlation-setting.ts';
import { createWhitenedErrors } from '../shared/whitened-errors.ts';
import type { ObservedControl } from './observed-control.ts';

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
