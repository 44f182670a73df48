import type { ExactSolution } from '../../../../engine/check/shallow-water/exact.ts';

/**
 * A jet along x in geostrophic balance, f u = −g ∂h/∂y with f = g = 1, over a flat bed at z = −10:
 *
 *     h = 10 − tanh y,  u = sech² y,  v = 0
 */
export const geostrophicJet: ExactSolution = (_x, y) => {
  const eta = -Math.tanh(y);
  return { eta, h: 10 + eta, u: 1 / Math.cosh(y) ** 2, v: 0 };
};

/** A vortex around the origin over a flat bed at z = −`depth`, turning at the rate A = `rotation` (1/s) within r ≈ R = `radius` (m). */
export interface Vortex {
  readonly gravity: number;
  /** f, 1/s. */
  readonly coriolis: number;
  readonly depth: number;
  readonly rotation: number;
  readonly radius: number;
}

/**
 * A vortex in gradient-wind balance, w²/r + f w = g ∂h/∂r with w = ArE:
 *
 *     E = exp(½(1 − r²/R²)),  u = −AyE,  v = AxE,  h = H − (½A²R²E² + fAR²E)/g
 */
export function balancedVortex({ gravity, coriolis, depth, rotation: A, radius: R }: Vortex): ExactSolution {
  return (x, y) => {
    const E = Math.exp(0.5 * (1 - (x * x + y * y) / R ** 2));
    const eta = -(0.5 * A ** 2 * R ** 2 * E ** 2 + coriolis * A * R ** 2 * E) / gravity;
    return { eta, h: depth + eta, u: -A * y * E, v: A * x * E };
  };
}
