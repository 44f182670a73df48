// The parts of the LETKF, written out: a part is a row of cells.

import { loadFirst, multiplyAdd, negatedMultiplyAdd, storeFirst } from '../../../compute/wasm/simd-library.as';
import { AnalysisCovariance, ObservationWeights, WeightedProduct } from './index';

const NEIGHBOURS = 9;
/** Bytes of a row of R⁻¹ in whole vectors. */
const ROW_BYTES: usize = 48;

/** The anomaly of a neighbour of a cell, 0 beyond the edge. */
function neighbour(anomalies: usize, nx: i32, ny: i32, member: i32, x: i32, y: i32, o: i32): f32 {
  const i = x + (o % 3) - 1;
  const j = y + o / 3 - 1;
  if (i < 0 || i >= nx || j < 0 || j >= ny) return 0;
  return f32.load(anomalies + (<usize>((member * ny + j) * nx + i) << 2));
}

/** Nine of C: those at y, three in a row of `row` bytes, times R⁻¹. */
// @ts-ignore: decorator
@inline
function multiply(y: usize, row: usize, inverseR: usize, at: usize): void {
  let c0 = f32x4.splat(0);
  let c1 = f32x4.splat(0);
  let c2 = f32x4.splat(0);
  for (let q: usize = 0; q < <usize>NEIGHBOURS; q++) {
    const observed = v128.load32_splat(y + (q / 3) * row + ((q % 3) << 2));
    const weights = inverseR + q * ROW_BYTES;
    c0 = multiplyAdd(observed, v128.load(weights), c0);
    c1 = multiplyAdd(observed, v128.load(weights, 16), c1);
    c2 = multiplyAdd(observed, v128.load(weights, 32), c2);
  }
  v128.store(at, c0);
  v128.store(at, c1, 16);
  f32.store(at, f32x4.extract_lane(c2, 0), 32);
}

/** scratch: R⁻¹ [9][12], zeros after the ninth; then nine anomalies beside an edge. */
export function observationWeights(p: ObservationWeights, y: i32, scratch: usize): void {
  const row = <usize>p.nx << 2;
  const plane = row * <usize>p.ny;
  const inside = y > 0 && y < p.ny - 1;
  const near = scratch + <usize>NEIGHBOURS * ROW_BYTES;
  for (let q: usize = 0; q < <usize>NEIGHBOURS; q++) {
    const from = p.inverseR + 4 * <usize>NEIGHBOURS * q;
    const to = scratch + ROW_BYTES * q;
    v128.store(to, v128.load(from));
    v128.store(to, v128.load(from, 16), 16);
    v128.store(to, f32x4.replace_lane(f32x4.splat(0), 0, f32.load(from, 32)), 32);
  }
  let at = p.c + (<usize>(y * p.nx * p.members * NEIGHBOURS) << 2);
  for (let x = 0; x < p.nx; x++) {
    const whole = inside && x > 0 && x < p.nx - 1;
    let from = p.anomalies + (<usize>((y - 1) * p.nx + x - 1) << 2);
    for (let member = 0; member < p.members; member++) {
      if (whole) {
        multiply(from, row, scratch, at);
      } else {
        for (let o = 0; o < NEIGHBOURS; o++) {
          f32.store(near + (<usize>o << 2), neighbour(p.anomalies, p.nx, p.ny, member, x, y, o));
        }
        multiply(near, 12, scratch, at);
      }
      at += NEIGHBOURS << 2;
      from += plane;
    }
  }
}

/** scratch: Y [9][k rounded up to four]. */
export function weightedProduct(p: WeightedProduct, y: i32, scratch: usize): void {
  const k = p.members;
  const stride = <usize>((k + 3) & ~3) << 2;
  for (let x = 0; x < p.nx; x++) {
    const cell = y * p.nx + x;
    for (let o = 0; o < NEIGHBOURS; o++) {
      for (let j = 0; j < k; j++) {
        const observed = neighbour(p.anomalies, p.nx, p.ny, j, x, y, o);
        f32.store(scratch + <usize>o * stride + (<usize>j << 2), observed);
      }
    }
    let c = p.c + (<usize>(cell * k * NEIGHBOURS) << 2);
    let target = p.product + (<usize>(cell * k * k) << 2);
    for (let i = 0; i < k; i++) {
      for (let j = 0; j < k; j += 4) {
        let sum = f32x4.splat(0);
        for (let o: usize = 0; o < <usize>NEIGHBOURS; o++) {
          sum = multiplyAdd(v128.load32_splat(c + (o << 2)), v128.load(scratch + o * stride + (<usize>j << 2)), sum);
        }
        storeFirst(target + (<usize>j << 2), sum, k - j);
      }
      c += NEIGHBOURS << 2;
      target += <usize>k << 2;
    }
  }
}

/** The inverse in place, by Gauss–Jordan elimination; rows of `stride` bytes. */
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

/** scratch: the matrix [k][k rounded up to four]. */
export function analysisCovariance(p: AnalysisCovariance, y: i32, scratch: usize): void {
  const k = p.members;
  const stride = <usize>((k + 3) & ~3) << 2;
  for (let x = 0; x < p.nx; x++) {
    const first = <usize>((y * p.nx + x) * k * k) << 2;
    for (let i = 0; i < k; i++) {
      const row = scratch + <usize>i * stride;
      const from = p.product + first + (<usize>(i * k) << 2);
      for (let j = 0; j < k; j += 4) v128.store(row + (<usize>j << 2), loadFirst(from + (<usize>j << 2), k - j, 0));
      const diagonal = row + (<usize>i << 2);
      f32.store(diagonal, f32.load(diagonal) + p.diagonal);
    }
    invert(scratch, k, stride);
    for (let i = 0; i < k; i++) {
      const row = scratch + <usize>i * stride;
      const to = p.covariance + first + (<usize>(i * k) << 2);
      for (let j = 0; j < k; j += 4) storeFirst(to + (<usize>j << 2), v128.load(row + (<usize>j << 2)), k - j);
    }
  }
}
