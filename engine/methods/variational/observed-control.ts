/**
 * D⁻¹ H V and its adjoint, D the deviations of the observations: R^−½ H V where their errors are independent, as a minimisation in control space applies them at every iteration.
 *
 * Where V = diag(s) F, what multiplies the state is the same in all iterations of a cycle: (D⁻¹ H diag(s)) F, with s taken into
 * the columns of H once, and 0 where the background is dry.
 */
import type { Prepared, RealField } from '../../compute/backend.ts';
import { LimitError } from '../../errors.ts';
import type { WholeMinimisation } from '../../operators/conjugate-gradient/index.ts';
import { filteredMinimisation, isShort } from '../../operators/filtered-minimisation/index.ts';
import type { filteredMinimisationFields } from '../../operators/filtered-minimisation/index.ts';
import type { LinearisedOperator } from '../../operators/observation/index.ts';
import type { ControlFactors, ControlTransform } from '../covariances/index.ts';
import type { MethodContext } from '../method.ts';
import type { WetIncrement } from '../shared/wet-increment.ts';

export interface ObservedControl {
  /**
   * Queues what a minimisation needs once: H is linearised about a state, the background if omitted, rows scaled by
   * `inverseErrorStd`. V has no increments where the background is dry.
   */
  linearise(background: RealField, inverseErrorStd: RealField, about?: RealField): void;
  /** Queues `observed` = D⁻¹ H V `control`. */
  product(control: RealField, observed: RealField): void;
  /** Queues `control` = (D⁻¹ H V)ᵀ `observed`. */
  adjoint(observed: RealField, control: RealField): void;
  /** Queues a whole minimisation, where it is so short that its iterations are best done by one kernel. */
  readonly minimise?: (fields: WholeMinimisation) => void;
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
  /** When to stop; undefined where no kernel is to minimise at once. */
  readonly minimisation: { readonly tolerance: number; readonly maxIterations: number } | undefined;
}

/** The kernel that minimises at once; undefined where v is too long for one workgroup, or the device cannot bind as much. */
async function prepareWhole(
  { backend, model, observations }: MethodContext,
  { planes, bands }: ControlFactors,
  minimisation: NonNullable<ObservedControlParts['minimisation']>,
): Promise<Prepared<typeof filteredMinimisationFields> | undefined> {
  // On the host no kernel is started: the steps one by one are as quick.
  if (backend.immediate) return undefined;
  const { nx, ny } = model.grid;
  const parameters = {
    nx,
    ny,
    planes,
    rows: observations.capacity,
    columns: model.variables.length * nx * ny,
    nonzeros: observations.nonzeros,
    shift: 1,
    tolerance: minimisation.tolerance,
    maxIterations: minimisation.maxIterations,
  };
  if (!isShort(parameters)) return undefined;
  return backend.prepare(filteredMinimisation, { ...parameters, bands: bands() }).catch((error: unknown) => {
    if (error instanceof LimitError) return undefined;
    throw error;
  });
}

export async function createObservedControl(
  context: MethodContext,
  parts: ObservedControlParts,
): Promise<ObservedControl> {
  const { backend } = context;
  const { label, transform, wet, tangent, increment, minimisation } = parts;
  const { factors } = transform;
  if (!factors) return composed(parts);
  const scale = backend.allocate(`${label}.scale`, 'real', increment.length);
  const whole = minimisation && (await prepareWhole(context, factors, minimisation));
  return {
    linearise(background, inverseErrorStd, about = background) {
      tangent.linearise(about, inverseErrorStd);
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
    ...(whole && { minimise: (fields) => whole.run({ ...tangent.matrix, ...tangent.columns, ...fields }) }),
    dispose() {
      scale.dispose();
      whole?.dispose();
    },
  };
}

/** One after the other, whatever V is. */
function composed({ transform, wet, tangent, increment }: ObservedControlParts): ObservedControl {
  let known: RealField | undefined;
  const project = (): void => {
    if (known) wet.project(increment, known);
  };
  return {
    linearise(background, inverseErrorStd, about = background) {
      tangent.linearise(about, inverseErrorStd);
      known = background;
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
