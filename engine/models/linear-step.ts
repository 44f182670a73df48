/**
 * A step of a model, linearised about the state that it begins with: with x ↦ M(x) the step, δx ↦ M′(x) δx, and its adjoint λ ↦ M′(x)ᵀ λ.
 * Each model writes both beside its scheme. Choices that the scheme makes (a limiter's branch, which wave is fastest) are those of
 * the step from x: there M is differentiable but for a set without measure.
 */
import type { Backend, Operator, Prepared } from '../compute/backend.ts';

/** `before` is x, `input` and `output` are δx and M′ δx, or λ and M′ᵀ λ: states of one member. `output` is another field than `input`. */
export const LINEAR_STEP_FIELDS = { before: 'real', input: 'real', output: 'real' } as const;
export type LinearStepFields = typeof LINEAR_STEP_FIELDS;

/** What a linearised step is prepared with, beside the parameters of its model. */
export interface LinearStepParameters {
  /** Seconds. */
  readonly timeStep: number;
  readonly direction: 'tangent' | 'adjoint';
}

/** The linearised step of a model on a backend, both ways. */
export interface LinearSteps {
  readonly tangent: Prepared<LinearStepFields>;
  readonly adjoint: Prepared<LinearStepFields>;
  dispose(): void;
}

/** @param parameters of the model and the step, but for the direction */
export async function prepareLinearSteps<Parameters extends LinearStepParameters>(
  backend: Backend,
  operator: Operator<Parameters, LinearStepFields>,
  parameters: Omit<Parameters, 'direction'>,
): Promise<LinearSteps> {
  const prepare = (direction: LinearStepParameters['direction']) =>
    backend.prepare(operator, { ...parameters, direction } as Parameters);
  const [tangent, adjoint] = await Promise.all([prepare('tangent'), prepare('adjoint')]);
  return {
    tangent,
    adjoint,
    dispose() {
      for (const prepared of [tangent, adjoint]) prepared.dispose();
    },
  };
}
