/**
 * The amplification of plane waves by one step of a scheme that is linear in small waves. The symbol is not taken from a
 * formula: the scheme steps a tiny impulse of each variable on still or flowing water, and what comes out is its stencil.
 */
import { createReferenceBackend } from '../../../engine/index.ts';
import { createShallowWater } from '../../../engine/models/index.ts';
import type { ShallowWaterDescription } from '../../../engine/models/index.ts';

export interface LinearFlow {
  readonly scheme: ShallowWaterDescription['scheme'];
  /** Seconds. */
  readonly timeStep: number;
  /** Metres; the depth, and the sides of a cell. Default 1. */
  readonly depth?: number;
  readonly dx?: number;
  readonly dy?: number;
  /** m/s². Default 9.8. */
  readonly gravity?: number;
  /** Velocity of the water that carries the waves, m/s. Default 0. */
  readonly velocity?: readonly [u: number, v: number];
}

/** Cells a side of the periodic grid: the stencil reaches one cell, so an impulse meets no other. */
const SIDE = 5;
const MIDDLE = 2;
/** Height of the impulse, m or m²/s: its square, which centred differences leave, is below rounding of the quotient. */
const IMPULSE = 1e-5;

type Complex = readonly [re: number, im: number];

/** The step's derivative: [to][from][dj + 1][di + 1]. */
async function stencilOf(flow: LinearFlow): Promise<number[][][][]> {
  const { scheme, timeStep, depth = 1, dx = 1, dy = 1, gravity = 9.8, velocity = [0, 0] } = flow;
  const model = createShallowWater({
    scheme,
    grid: { nx: SIDE, ny: SIDE, dx, dy, periodicX: true, periodicY: true },
    gravity,
    timeStep,
    boundary: { x: 'periodic', y: 'periodic' },
  });
  const backend = createReferenceBackend();
  const propagator = await model.prepare(backend, 1);
  const cells = SIDE * SIDE;
  const state = backend.allocate('impulse', 'real', 3 * cells);
  const stepped = async (from: number, amplitude: number): Promise<Float64Array> => {
    const values = [depth, depth * velocity[0], depth * velocity[1]];
    const start = Float64Array.from({ length: 3 * cells }, (_, i) => values[Math.floor(i / cells)]);
    start[from * cells + MIDDLE * SIDE + MIDDLE] += amplitude;
    backend.write(state, model.toState(start));
    await propagator.advanceSteps(state, 1);
    return backend.read(state);
  };
  const stencil: number[][][][] = [0, 1, 2].map(() => [0, 1, 2].map(() => [0, 1, 2].map(() => [0, 0, 0])));
  for (let from = 0; from < 3; from++) {
    const up = await stepped(from, IMPULSE);
    const down = await stepped(from, -IMPULSE);
    for (let to = 0; to < 3; to++) {
      for (let dj = -1; dj <= 1; dj++) {
        for (let di = -1; di <= 1; di++) {
          const i = to * cells + (MIDDLE + dj) * SIDE + MIDDLE + di;
          stencil[to][from][dj + 1][di + 1] = (up[i] - down[i]) / (2 * IMPULSE);
        }
      }
    }
  }
  backend.dispose();
  return stencil;
}

function times([a, b]: Complex, [c, d]: Complex): Complex {
  return [a * c - b * d, a * d + b * c];
}

function plus(...terms: readonly Complex[]): Complex {
  return terms.reduce(([a, b], [c, d]) => [a + c, b + d], [0, 0]);
}

function minus([a, b]: Complex, [c, d]: Complex): Complex {
  return [a - c, b - d];
}

/** Σ stencil·exp(−i(θ·distance)): what a wave exp(i(θx·column + θy·row)) is multiplied by. */
function symbolAt(stencil: number[][][][], thetaX: number, thetaY: number): Complex[][] {
  return stencil.map((row) =>
    row.map((weights) => {
      let [re, im] = [0, 0];
      for (let dj = -1; dj <= 1; dj++) {
        for (let di = -1; di <= 1; di++) {
          const angle = thetaX * di + thetaY * dj;
          re += weights[dj + 1][di + 1] * Math.cos(angle);
          im -= weights[dj + 1][di + 1] * Math.sin(angle);
        }
      }
      return [re, im] as const;
    }),
  );
}

/** Coefficients 1, c₂, c₁, c₀ of the characteristic polynomial of a 3 × 3 matrix. */
function characteristic(m: Complex[][]): readonly [Complex, Complex, Complex] {
  const minor = (i: number, j: number): Complex => minus(times(m[i][i], m[j][j]), times(m[i][j], m[j][i]));
  const trace = plus(m[0][0], m[1][1], m[2][2]);
  const determinant = plus(
    times(m[0][0], minus(times(m[1][1], m[2][2]), times(m[1][2], m[2][1]))),
    times(m[0][1], minus(times(m[1][2], m[2][0]), times(m[1][0], m[2][2]))),
    times(m[0][2], minus(times(m[1][0], m[2][1]), times(m[1][1], m[2][0]))),
  );
  return [times([-1, 0], trace), plus(minor(0, 1), minor(0, 2), minor(1, 2)), times([-1, 0], determinant)];
}

/** The roots of z³ + c₂z² + c₁z + c₀, by Weierstrass's iteration on all three at once. */
function rootsOf([c2, c1, c0]: readonly [Complex, Complex, Complex]): readonly Complex[] {
  let roots: Complex[] = [
    [1, 0],
    [0.4, 0.9],
    [-0.65, 0.72],
  ];
  for (let iteration = 0; iteration < 100; iteration++) {
    let moved = 0;
    const next: Complex[] = [...roots];
    for (let k = 0; k < 3; k++) {
      const z = next[k];
      const value = plus(times(plus(times(plus(z, c2), z), c1), z), c0);
      const [a, b] = next.filter((_, other) => other !== k);
      const [re, im] = times(minus(z, a), minus(z, b));
      const size = re * re + im * im;
      if (size === 0) continue;
      const change = times(value, [re / size, -im / size]);
      next[k] = minus(z, change);
      moved = Math.max(moved, Math.hypot(...change));
    }
    roots = next;
    if (moved < 1e-14) break;
  }
  return roots;
}

/**
 * Largest modulus of the eigenvalues of G. They are found as 1 less those of I − G, which are small where those of G are close
 * together near 1: for long waves.
 */
function spectralRadius(symbol: Complex[][]): number {
  const change = symbol.map((row, i) => row.map((entry, j) => minus([i === j ? 1 : 0, 0], entry)));
  return Math.max(...rootsOf(characteristic(change)).map(([re, im]) => Math.hypot(1 - re, im)));
}

/** max|G| over `waves` × `waves` pairs of phase angles from −π to π. */
export async function largestAmplification(flow: LinearFlow, waves = 81): Promise<number> {
  const stencil = await stencilOf(flow);
  const angle = (k: number): number => -Math.PI + (2 * Math.PI * k) / (waves - 1);
  let largest = 0;
  // The symbol of −θ is the conjugate of that of θ: half of the pairs say it all.
  for (let ky = 0; ky <= (waves - 1) / 2; ky++) {
    for (let kx = 0; kx < waves; kx++) {
      largest = Math.max(largest, spectralRadius(symbolAt(stencil, angle(kx), angle(ky))));
    }
  }
  return largest;
}
