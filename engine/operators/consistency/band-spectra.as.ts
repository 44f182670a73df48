// Spectra by bands of the wavenumber (band-spectra.ts), in two passes: along x, and along y with the sums by band. Three differences
// are transformed, and the fourth is the sum of two of them: x̄ᵃ − t = (x̄ᶠ − t) + (x̄ᵃ − x̄ᶠ). Where the analysis is the forecast, the
// increment is thus exactly 0 and both errors are the same.

import { multiplyAdd } from '../../compute/wasm/simd-library.as';
import { BandSpectra } from './band-spectra';

/** Means of a − b over the blocks of a row, [sizeX]. */
function blockMeans(p: BandSpectra, a: usize, b: usize, j: i32, target: usize): void {
  const share: f32 = 1 / <f32>(p.blockX * p.blockY);
  for (let i = 0; i < p.sizeX; i++) {
    let sum: f32 = 0;
    for (let y = j * p.blockY; y < (j + 1) * p.blockY; y++) {
      const from = <usize>(y * p.nx + i * p.blockX) << 2;
      for (let x = <usize>0; x < <usize>p.blockX << 2; x += 4) {
        sum += f32.load(a + from + x) - f32.load(b + from + x);
      }
    }
    f32.store(target + (<usize>i << 2), sum * share);
  }
}

/** A part is a row of averages. */
export function spectraAlong(p: BandSpectra, part: i32, scratch: usize): void {
  const size = <usize>p.sizeX << 2;
  const stride = <usize>p.strideX << 2;
  blockMeans(p, p.forecast, p.truth, part, scratch);
  blockMeans(p, p.analysis, p.forecast, part, scratch + size);
  blockMeans(p, p.member, p.forecast, part, scratch + 2 * size);
  const plane = <usize>p.sizeY * stride;
  for (let k = <usize>0; k < stride; k += 64) {
    let e0 = f32x4.splat(0);
    let e1 = e0;
    let e2 = e0;
    let e3 = e0;
    let i0 = e0;
    let i1 = e0;
    let i2 = e0;
    let i3 = e0;
    let s0 = e0;
    let s1 = e0;
    let s2 = e0;
    let s3 = e0;
    let basis = p.basisX + k;
    for (let at = scratch; at < scratch + size; at += 4) {
      const error = v128.load32_splat(at);
      const increment = v128.load32_splat(at + size);
      const spread = v128.load32_splat(at + 2 * size);
      const b0 = v128.load(basis);
      e0 = multiplyAdd(error, b0, e0);
      i0 = multiplyAdd(increment, b0, i0);
      s0 = multiplyAdd(spread, b0, s0);
      const b1 = v128.load(basis, 16);
      e1 = multiplyAdd(error, b1, e1);
      i1 = multiplyAdd(increment, b1, i1);
      s1 = multiplyAdd(spread, b1, s1);
      const b2 = v128.load(basis, 32);
      e2 = multiplyAdd(error, b2, e2);
      i2 = multiplyAdd(increment, b2, i2);
      s2 = multiplyAdd(spread, b2, s2);
      const b3 = v128.load(basis, 48);
      e3 = multiplyAdd(error, b3, e3);
      i3 = multiplyAdd(increment, b3, i3);
      s3 = multiplyAdd(spread, b3, s3);
      basis += stride;
    }
    const target = p.rows + <usize>part * stride + k;
    storeFour(target, e0, e1, e2, e3);
    storeFour(target + plane, i0, i1, i2, i3);
    storeFour(target + 2 * plane, s0, s1, s2, s3);
  }
}

// @ts-ignore: decorator
@inline
function storeFour(target: usize, a: v128, b: v128, c: v128, d: v128): void {
  v128.store(target, a);
  v128.store(target, b, 16);
  v128.store(target, c, 32);
  v128.store(target, d, 48);
}

/** A part are four functions along y. */
export function spectraAcross(p: BandSpectra, part: i32, scratch: usize): void {
  const stride = <usize>p.strideX << 2;
  const plane = <usize>p.sizeY * stride;
  const basisStride = <usize>p.strideY << 2;
  const sums = p.sums + (<usize>(part * (p.bands + 1)) << 5);
  memory.fill(sums, 0, <usize>(p.bands + 1) << 5);
  for (let k = 0; k < p.sizeX; k += 4) {
    let e0 = f32x4.splat(0);
    let e1 = e0;
    let e2 = e0;
    let e3 = e0;
    let i0 = e0;
    let i1 = e0;
    let i2 = e0;
    let i3 = e0;
    let s0 = e0;
    let s1 = e0;
    let s2 = e0;
    let s3 = e0;
    let basis = p.basisY + (<usize>part << 4);
    const first = p.rows + (<usize>k << 2);
    for (let row = first; row < first + plane; row += stride) {
      const error = v128.load(row);
      const increment = v128.load(row + plane);
      const spread = v128.load(row + 2 * plane);
      const b0 = v128.load32_splat(basis);
      e0 = multiplyAdd(error, b0, e0);
      i0 = multiplyAdd(increment, b0, i0);
      s0 = multiplyAdd(spread, b0, s0);
      const b1 = v128.load32_splat(basis, 4);
      e1 = multiplyAdd(error, b1, e1);
      i1 = multiplyAdd(increment, b1, i1);
      s1 = multiplyAdd(spread, b1, s1);
      const b2 = v128.load32_splat(basis, 8);
      e2 = multiplyAdd(error, b2, e2);
      i2 = multiplyAdd(increment, b2, i2);
      s2 = multiplyAdd(spread, b2, s2);
      const b3 = v128.load32_splat(basis, 12);
      e3 = multiplyAdd(error, b3, e3);
      i3 = multiplyAdd(increment, b3, i3);
      s3 = multiplyAdd(spread, b3, s3);
      basis += basisStride;
    }
    storeFour(scratch, e0, e1, e2, e3);
    storeFour(scratch + 64, i0, i1, i2, i3);
    storeFour(scratch + 128, s0, s1, s2, s3);
    const functions = min(4, p.sizeY - 4 * part);
    for (let l = 0; l < functions; l++) addPowers(p, sums, scratch + (<usize>l << 4), 4 * part + l, k);
  }
}

/** Adds the squares of four coefficients of a function to the sums of their bands. */
function addPowers(p: BandSpectra, sums: usize, coefficients: usize, l: i32, k: i32): void {
  const lanes = min(4, p.sizeX - k);
  for (let lane = 0; lane < lanes; lane++) {
    const from = coefficients + (<usize>lane << 2);
    const error = <f64>f32.load(from);
    const increment = <f64>f32.load(from, 64);
    const spread = <f64>f32.load(from, 128);
    const left = error + increment;
    const at = sums + (<usize>i32.load(p.band + (<usize>(l * p.sizeX + k + lane) << 2)) << 5);
    f64.store(at, f64.load(at) + error * error);
    f64.store(at, f64.load(at, 8) + left * left, 8);
    f64.store(at, f64.load(at, 16) + increment * increment, 16);
    f64.store(at, f64.load(at, 24) + spread * spread, 24);
  }
}
