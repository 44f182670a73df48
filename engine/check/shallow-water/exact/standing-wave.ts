import type { ExactSolution } from './solution.ts';

/** A mode of a closed box [0, lx] × [0, ly] of still depth `depth`: `modes` half waves along x and y. */
export interface StandingWave {
  readonly gravity: number;
  readonly depth: number;
  readonly lx: number;
  readonly ly: number;
  readonly modes: readonly [number, number];
  readonly amplitude: number;
}

/** ω = √(gH (k² + l²)), 1/s. */
export function standingWaveFrequency({ gravity, depth, lx, ly, modes: [m, n] }: StandingWave): number {
  return Math.sqrt(gravity * depth) * Math.hypot((m * Math.PI) / lx, (n * Math.PI) / ly);
}

/**
 * The standing wave of the linear equations, exact as a/H → 0; the bed is flat at z = −H.
 *
 *     η = a cos kx cos ly cos ωt,  k = mπ/lx,  l = nπ/ly,  ω² = gH (k² + l²)
 *     u = (gka/ω) sin kx cos ly sin ωt
 *     v = (gla/ω) cos kx sin ly sin ωt
 */
export function standingWave(wave: StandingWave): ExactSolution {
  const { gravity: g, depth, lx, ly, modes, amplitude: a } = wave;
  const k = (modes[0] * Math.PI) / lx;
  const l = (modes[1] * Math.PI) / ly;
  const omega = standingWaveFrequency(wave);
  return (x, y, t) => {
    const eta = a * Math.cos(k * x) * Math.cos(l * y) * Math.cos(omega * t);
    const u = ((g * k * a) / omega) * Math.sin(k * x) * Math.cos(l * y) * Math.sin(omega * t);
    const v = ((g * l * a) / omega) * Math.cos(k * x) * Math.sin(l * y) * Math.sin(omega * t);
    return { eta, h: depth + eta, u, v };
  };
}
