/**
 * The gradient of 3D-Var's cost function against finite differences (Taylor's test), in float64: float32 has not the digits
 * for six decades, and its operators are held to these by their own adjoint tests.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createCostFunction,
  DECADE_BOUNDS,
  LAST_TAYLOR_BOUND,
  taylorErrors,
  TAYLOR_STEPS,
  TOGETHER,
} from '../../../engine/check/assimilation/linear-gaussian.ts';
import { createReferenceBackend } from '../../../engine/index.ts';
import type { Backend } from '../../../engine/index.ts';

const cases = [
  ['H linear (h, η, hu, hv)', ['h', 'eta', 'hu', 'hv'], { kind: 'recursive-filter' }],
  ['H linear, correlated errors', ['h', 'eta', 'hu', 'hv'], { kind: 'recursive-filter' }, TOGETHER],
  ['H linear, balanced covariance', ['h', 'hu', 'hv'], { kind: 'recursive-filter', balance: 'geostrophic' }],
  ['H linear, Gaussian covariance', ['h', 'eta', 'hu', 'hv'], { kind: 'gaussian' }],
  ['H nonlinear (u, v, speed)', ['u', 'v', 'speed'], { kind: 'recursive-filter' }],
  ['H nonlinear, correlated errors', ['u', 'speed'], { kind: 'recursive-filter' }, TOGETHER],
  ['H nonlinear, balanced covariance', ['speed', 'u'], { kind: 'gaussian', balance: 'geostrophic' }],
] as const;

describe('gradient of J against finite differences', () => {
  let backend: Backend;
  beforeAll(() => {
    backend = createReferenceBackend();
  });
  afterAll(() => backend.dispose());

  it.each(cases)(
    '(J(v + αp) − J(v)) / α⟨∇J, p⟩ → 1 over six decades of α: %s',
    async (_, variables, covariance, together: typeof TOGETHER = []) => {
      const errors = await taylorErrors(await createCostFunction(backend, covariance, variables, together));
      const [least, most] = DECADE_BOUNDS;
      for (let decade = 1; decade < TAYLOR_STEPS.length; decade++) {
        expect(errors[decade] / errors[decade - 1], `α = ${TAYLOR_STEPS[decade]}`).toBeGreaterThan(least);
        expect(errors[decade] / errors[decade - 1], `α = ${TAYLOR_STEPS[decade]}`).toBeLessThan(most);
      }
      expect(Math.abs(errors[TAYLOR_STEPS.length - 1])).toBeLessThan(LAST_TAYLOR_BOUND);
    },
  );
});
