import { waterOver } from '../../../../engine/check/shallow-water/exact.ts';
import type { Bed, ExactSolution } from '../../../../engine/check/shallow-water/exact.ts';

/** A paraboloid basin around the origin: its bed is h₀ below z = 0 at the centre, and at z = 0 on the circle r = a. */
export interface Paraboloid {
  readonly gravity: number;
  /** h₀, m. */
  readonly depth: number;
  /** a, m. */
  readonly radius: number;
}

/** B = h₀ (r²/a² − 1). */
export function paraboloid({ depth, radius }: Paraboloid): Bed {
  return (x, y) => depth * ((x * x + y * y) / radius ** 2 - 1);
}

/** ω = √(2gh₀)/a of the planar surface, 1/s. */
export function planarFrequency({ gravity, depth, radius }: Paraboloid): number {
  return Math.sqrt(2 * gravity * depth) / radius;
}

/**
 * Thacker's planar surface that turns in the basin, its centre at distance `sigma` (m) from the axis:
 *
 *     h = max(0, (σh₀/a²)(2x cos ωt + 2y sin ωt − σ) − B),  u = −σω sin ωt,  v = σω cos ωt
 */
export function thackerPlanar(basin: Paraboloid, sigma: number): ExactSolution {
  const { depth, radius } = basin;
  const bed = paraboloid(basin);
  const omega = planarFrequency(basin);
  return (x, y, t) => {
    const [c, s] = [Math.cos(omega * t), Math.sin(omega * t)];
    const eta = ((sigma * depth) / radius ** 2) * (2 * x * c + 2 * y * s - sigma);
    return waterOver(bed(x, y), eta, -sigma * omega * s, sigma * omega * c);
  };
}

/** ω = √(8gh₀)/a of the axisymmetric surface, 1/s. */
export function axisymmetricFrequency({ gravity, depth, radius }: Paraboloid): number {
  return Math.sqrt(8 * gravity * depth) / radius;
}

/**
 * Thacker's axisymmetric surface that rises and falls in the basin; at t = 0 its shore is the circle r = r₀ (`shore`, m):
 *
 *     A = (a⁴ − r₀⁴)/(a⁴ + r₀⁴),  D = 1 − A cos ωt
 *     η = h₀ [√(1 − A²)/D − 1 − (r²/a²)((1 − A²)/D² − 1)],  (u, v) = ½ωA sin ωt / D · (x, y)
 */
export function thackerAxisymmetric(basin: Paraboloid, shore: number): ExactSolution {
  const { depth, radius: a } = basin;
  const bed = paraboloid(basin);
  const omega = axisymmetricFrequency(basin);
  const A = (a ** 4 - shore ** 4) / (a ** 4 + shore ** 4);
  return (x, y, t) => {
    const D = 1 - A * Math.cos(omega * t);
    const r2 = (x * x + y * y) / a ** 2;
    const eta = depth * (Math.sqrt(1 - A * A) / D - 1 - r2 * ((1 - A * A) / D ** 2 - 1));
    const stretching = (0.5 * omega * A * Math.sin(omega * t)) / D;
    return waterOver(bed(x, y), eta, stretching * x, stretching * y);
  };
}
