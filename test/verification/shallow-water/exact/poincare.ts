import type { ExactSolution } from '../../../../engine/check/shallow-water/exact.ts';

/** A plane wave on the f-plane in a doubly periodic box [0, lx] × [0, ly] of still depth `depth`, `waves` of them along x and y. */
export interface PoincareWave {
  readonly gravity: number;
  /** f, 1/s. */
  readonly coriolis: number;
  readonly depth: number;
  readonly lx: number;
  readonly ly: number;
  readonly waves: readonly [number, number];
  readonly amplitude: number;
}

/**
 * The Poincaré (inertia–gravity) wave of the linear equations, exact as a/H → 0; the bed is flat at z = −H.
 *
 *     ω² = f² + gH (k² + l²),  φ = kx + ly − ωt,  η = a cos φ
 *     u = ga/(ω² − f²) [kω cos φ − lf sin φ]
 *     v = ga/(ω² − f²) [lω cos φ + kf sin φ]
 */
export function poincareWave({
  gravity: g,
  coriolis: f,
  depth,
  lx,
  ly,
  waves,
  amplitude: a,
}: PoincareWave): ExactSolution {
  const k = (2 * Math.PI * waves[0]) / lx;
  const l = (2 * Math.PI * waves[1]) / ly;
  const dispersion = g * depth * (k * k + l * l);
  const omega = Math.sqrt(f * f + dispersion);
  const scale = (g * a) / dispersion;
  return (x, y, t) => {
    const phase = k * x + l * y - omega * t;
    const [c, s] = [Math.cos(phase), Math.sin(phase)];
    const eta = a * c;
    const u = scale * (k * omega * c - l * f * s);
    const v = scale * (l * omega * c + k * f * s);
    return { eta, h: depth + eta, u, v };
  };
}
