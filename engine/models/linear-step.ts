/**
 * A step of a model, linearised about the state that it begins with: with x ↦ M(x) the step, δx ↦ M′(x) δx, and its adjoint λ ↦ M′(x)ᵀ λ.
 * Each model writes both beside its scheme. Choices that the scheme makes (a limiter's branch, which wave is fastest) are those of
 * the step from x: there M is differentiable but for a set without measure. A model whose derivative needs more of the step than x
 * follows the step once and keeps that.
 */
import type { Backend, FieldKinds, Operator, Prepared } from '../compute/backend.ts';

/** `before` is x, `input` and `output` are δx and M′ δx, or λ and M′ᵀ λ: states of one member. `output` is another field than `input`. */
export const LINEAR_STEP_FIELDS = { before: 'real', input: 'real', output: 'real' } as const;
export type LinearStepFields = typeof LINEAR_STEP_FIELDS;

/** `kept`, of `Model.linearKept` reals, is what the derivative of the step from `before` needs. */
export const FOLLOWED_FIELDS = { before: 'real', kept: 'real' } as const;

/** The fields of a step that was followed. */
export const KEEPING_STEP_FIELDS = { ...FOLLOWED_FIELDS, input: 'real', output: 'real' } as const;

/** What a linearised step is prepared with, beside the parameters of its model. */
export interface LinearStepParameters {
  /** Seconds. */
  readonly timeStep: number;
  readonly direction: 'tangent' | 'adjoint';
}

interface PreparedSteps<Fields extends FieldKinds> {
  /** Finds `kept`; undefined of a model that keeps nothing, whose steps do without that field. */
  readonly follow: Prepared<typeof FOLLOWED_FIELDS> | undefined;
  readonly tangent: Prepared<Fields>;
  readonly adjoint: Prepared<Fields>;
  dispose(): void;
}

/** The linearised step of a model on a backend, both ways. */
export type LinearSteps = PreparedSteps<typeof KEEPING_STEP_FIELDS>;

/**
 * @param parameters of the model and the step, but for the direction
 * @param following finds what the model keeps of a step
 */
export async function prepareLinearSteps<Parameters extends LinearStepParameters, Fields extends FieldKinds>(
  backend: Backend,
  operator: Operator<Parameters, Fields>,
  parameters: Omit<Parameters, 'direction'>,
  following?: Operator<Omit<Parameters, 'direction'>, typeof FOLLOWED_FIELDS>,
): Promise<PreparedSteps<Fields>> {
  const prepare = (direction: LinearStepParameters['direction']) =>
    backend.prepare(operator, { ...parameters, direction } as Parameters);
  const [tangent, adjoint, follow] = await Promise.all([
    prepare('tangent'),
    prepare('adjoint'),
    following && backend.prepare(following, parameters),
  ]);
  return {
    follow,
    tangent,
    adjoint,
    dispose() {
      for (const prepared of [tangent, adjoint, follow]) prepared?.dispose();
    },
  };
}
