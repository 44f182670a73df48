/**
 * R^−½ H V and its adjoint, as the minimisation of 3D-Var applies them at every iteration.
 *
 * Where V = diag(s) F, what multiplies the state is the same in all iterations of a cycle: (R^−½ H diag(s)) F, with s taken into
 * the columns of H once, and 0 where the background is dry.
 */
import type { RealField } from '../../compute/backend.ts';
import type { LinearisedOperator } from '../../operators/observation/index.ts';
import type { ControlTransform } from '../covariances/index.ts';
import type { MethodContext } from '../method.ts';
import type { WetIncrement } from '../shared/wet-increment.ts';

export interface ObservedControl {
  /** Queues what a cycle needs once: H is linearised about a background, rows scaled by `inverseErrorStd`. */
  linearise(background: RealField, inverseErrorStd: RealField): void;
  /** Queues `observed` = R^−½ H V `control`. */
  product(control: RealField, observed: RealField): void;
  /** Queues `control` = (R^−½ H V)ᵀ `observed`. */
  adjoint(observed: RealField, control: RealField): void;
  dispose(): void;
}

/** What it is made of, which stays its owner's. */
export interface ObservedControlParts {
  readonly label: string;
  readonly transform: ControlTransform;
  readonly wet: WetIncrement;
  readonly tangent: LinearisedOperator;
  /** Work space of a state. */
  readonly increment: RealField;
}

export function createObservedControl({ backend }: MethodContext, parts: ObservedControlParts): ObservedControl {
  const { label, transform, wet, tangent, increment } = parts;
  const { factors } = transform;
  if (!factors) return composed(parts);
  const scale = backend.allocate(`${label}.scale`, 'real', increment.length);
  return {
    linearise(background, inverseErrorStd) {
      tangent.linearise(background, inverseErrorStd);
      backend.copy(factors.scale, scale);
      wet.project(scale, background);
      tangent.scaleColumns(scale);
    },
    product(control, observed) {
      factors.filter(control, increment);
      tangent.product(increment, observed);
    },
    adjoint(observed, control) {
      tangent.adjoint(observed, increment);
      factors.filterAdjoint(increment, control);
    },
    dispose: () => scale.dispose(),
  };
}

/** One after the other, whatever V is. */
function composed({ transform, wet, tangent, increment }: ObservedControlParts): ObservedControl {
  let about: RealField | undefined;
  const project = (): void => {
    if (about) wet.project(increment, about);
  };
  return {
    linearise(background, inverseErrorStd) {
      tangent.linearise(background, inverseErrorStd);
      about = background;
    },
    product(control, observed) {
      transform.apply(control, increment);
      project();
      tangent.product(increment, observed);
    },
    adjoint(observed, control) {
      tangent.adjoint(observed, increment);
      project();
      transform.applyAdjoint(increment, control);
    },
    dispose: () => undefined,
  };
}
