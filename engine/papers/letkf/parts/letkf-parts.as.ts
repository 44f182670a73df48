// C and P̃ᵃ of the LETKF, written out: a part is a row of cells.

import { multiplyAdd, negatedMultiplyAdd, storeFirst } from '../../../compute/wasm/simd-library.as';
import { LetkfParts } from './wasm';

const NEIGHBOURS = 9;

/** The anomaly of a neighbour of a cell, 0 beyond the edge. */
function neighbour(p: LetkfParts, member: i32, x: i32, y: i32, o: i32): f32 {
  const i = x + (o % 3) - 1;
  const j = y + o / 3 - 1;
  if (i < 0 || i >= p.nx || j < 0 || j >= p.ny) return 0;
  return f32.load(p.anomalies + (<usize>((member * p.ny + j) * p.nx + i) << 2));
}

export function observationWeights(p: LetkfParts, y: i32, scratch: usize): void {
  const row = <usize>p.nx << 2;
  const plane = row * <usize>p.ny;
  const inside = y > 0 && y < p.ny - 1;
  const weights0 = v128.load(p.weights);
  const weights1 = v128.load(p.weights, 12);
  // Values after the last weight are no weights.
  const weights2 = v128.load64_zero(p.weights, 24);
  const last = f32.load(p.weights, 32);
  let at = p.c + (<usize>(y * p.nx * p.members * NEIGHBOURS) << 2);
  for (let x = 0; x < p.nx; x++) {
    const whole = inside && x > 0 && x < p.nx - 2;
    let from = p.anomalies + (<usize>((y - 1) * p.nx + x - 1) << 2);
    for (let member = 0; member < p.members; member++) {
      if (whole) {
        // Three of four count: the fourth is written over by what follows.
        v128.store(at, f32x4.mul(weights0, v128.load(from)));
        v128.store(at, f32x4.mul(weights1, v128.load(from + row)), 12);
        const below = v128.load(from + 2 * row);
        v128.store64_lane(at, f32x4.mul(weights2, below), 0, 24);
        f32.store(at, last * f32x4.extract_lane(below, 2), 32);
      } else {
        for (let o = 0; o < NEIGHBOURS; o++) {
          const weight = f32.load(p.weights + (<usize>o << 2));
          f32.store(at + (<usize>o << 2), weight * neighbour(p, member, x, y, o));
        }
      }
      at += NEIGHBOURS << 2;
      from += plane;
    }
  }
}

/** matrix ← (k − 1)/ρ I + C Y, rows of `stride` bytes; `observed` holds Y [ℓ][padded]. */
function assemble(p: LetkfParts, c: usize, observed: usize, matrix: usize, stride: usize): void {
  for (let i = 0; i < p.members; i++) {
    const row = matrix + <usize>i * stride;
    for (let j: usize = 0; j < stride; j += 16) {
      let sum = f32x4.splat(0);
      for (let o: usize = 0; o < <usize>NEIGHBOURS; o++) {
        sum = multiplyAdd(v128.load32_splat(c + (o << 2)), v128.load(observed + o * stride + j), sum);
      }
      v128.store(row + j, sum);
    }
    const diagonal = row + (<usize>i << 2);
    f32.store(diagonal, f32.load(diagonal) + p.diagonal);
    c += NEIGHBOURS << 2;
  }
}

/** The inverse in place. */
function invert(matrix: usize, k: i32, stride: usize): void {
  for (let q = 0; q < k; q++) {
    const pivots = matrix + <usize>q * stride;
    const column = <usize>q << 2;
    const d: f32 = <f32>1 / f32.load(pivots + column);
    const scale = f32x4.splat(d);
    for (let j: usize = 0; j < stride; j += 16) v128.store(pivots + j, f32x4.mul(scale, v128.load(pivots + j)));
    f32.store(pivots + column, d);
    for (let i = 0; i < k; i++) {
      if (i == q) continue;
      const row = matrix + <usize>i * stride;
      const factor = f32.load(row + column);
      // So that the column of the pivot becomes −factor · d.
      f32.store(row + column, 0);
      const four = f32x4.splat(factor);
      for (let j: usize = 0; j < stride; j += 16) {
        v128.store(row + j, negatedMultiplyAdd(four, v128.load(pivots + j), v128.load(row + j)));
      }
    }
  }
}

/** scratch: Y [ℓ][padded], then the matrix [k][padded]. */
export function analysisCovariance(p: LetkfParts, y: i32, scratch: usize): void {
  const k = p.members;
  const stride = <usize>p.padded << 2;
  const matrix = scratch + <usize>NEIGHBOURS * stride;
  for (let e: usize = 0; e < <usize>NEIGHBOURS * stride; e += 16) v128.store(scratch + e, f32x4.splat(0));
  for (let x = 0; x < p.nx; x++) {
    const cell = y * p.nx + x;
    for (let o = 0; o < NEIGHBOURS; o++) {
      for (let j = 0; j < k; j++) f32.store(scratch + <usize>o * stride + (<usize>j << 2), neighbour(p, j, x, y, o));
    }
    assemble(p, p.c + (<usize>(cell * k * NEIGHBOURS) << 2), scratch, matrix, stride);
    invert(matrix, k, stride);
    let target = p.covariance + (<usize>(cell * k * k) << 2);
    for (let i = 0; i < k; i++) {
      const row = matrix + <usize>i * stride;
      for (let j = 0; j < k; j += 4) storeFirst(target + (<usize>j << 2), v128.load(row + (<usize>j << 2)), k - j);
      target += <usize>k << 2;
    }
  }
}
