// Moments of an ensemble [members][length] and ensembles made of others, element by element (moments.ts, recombination.ts).
// A part is a run of elements, four of them at a time.

import { loadFirst, multiplyAdd, storeFirst } from '../../compute/wasm/simd-library.as';
import { Ensemble } from './wasm';

// @ts-ignore: decorator
@inline
function endOf(p: Ensemble, part: i32): i32 {
  return min((part + 1) * p.segment, p.length);
}

// @ts-ignore: decorator
@inline
function addressOf(base: usize, i: i32): usize {
  return base + (<usize>i << 2);
}

/** Mean over the members, about the first of them so that it keeps the digits of the differences. */
// @ts-ignore: decorator
@inline
function meanAt(p: Ensemble, at: usize, count: i32): v128 {
  const stride = <usize>p.length << 2;
  const first = loadFirst(at, count, 0);
  let sum = f32x4.splat(0);
  for (let l = 1; l < p.members; l++) {
    at += stride;
    sum = f32x4.add(sum, f32x4.sub(loadFirst(at, count, 0), first));
  }
  return f32x4.add(first, f32x4.div(sum, f32x4.splat(<f32>p.members)));
}

// @ts-ignore: decorator
@inline
function varianceAt(p: Ensemble, at: usize, count: i32, mean: v128): v128 {
  const stride = <usize>p.length << 2;
  let sum = f32x4.splat(0);
  for (let l = 0; l < p.members; l++) {
    const anomaly = f32x4.sub(loadFirst(at, count, 0), mean);
    sum = multiplyAdd(anomaly, anomaly, sum);
    at += stride;
  }
  return p.members == 1 ? f32x4.splat(0) : f32x4.div(sum, f32x4.splat(<f32>(p.members - 1)));
}

export function ensembleMean(p: Ensemble, part: i32, scratch: usize): void {
  const end = endOf(p, part);
  for (let i = part * p.segment; i < end; i += 4) {
    storeFirst(addressOf(p.moment, i), meanAt(p, addressOf(p.ensemble, i), end - i), end - i);
  }
}

export function ensembleVariance(p: Ensemble, part: i32, scratch: usize): void {
  const end = endOf(p, part);
  const factor = f32x4.splat(p.factor);
  for (let i = part * p.segment; i < end; i += 4) {
    const at = addressOf(p.ensemble, i);
    const variance = varianceAt(p, at, end - i, meanAt(p, at, end - i));
    storeFirst(addressOf(p.moment, i), f32x4.mul(factor, variance), end - i);
  }
}

/** other ← factor (x_l − x̄) */
export function ensembleAnomalies(p: Ensemble, part: i32, scratch: usize): void {
  const end = endOf(p, part);
  const stride = <usize>p.length << 2;
  const factor = f32x4.splat(p.factor);
  for (let i = part * p.segment; i < end; i += 4) {
    let at = addressOf(p.ensemble, i);
    let to = addressOf(p.other, i);
    const mean = meanAt(p, at, end - i);
    storeFirst(addressOf(p.moment, i), mean, end - i);
    for (let l = 0; l < p.members; l++) {
      storeFirst(to, f32x4.mul(factor, f32x4.sub(loadFirst(at, end - i, 0), mean)), end - i);
      at += stride;
      to += stride;
    }
  }
}

/** x_l ← x̄ + factor (x_l − x̄) */
// @ts-ignore: decorator
@inline
function inflate(p: Ensemble, part: i32, factor: v128): void {
  const end = endOf(p, part);
  const stride = <usize>p.length << 2;
  for (let i = part * p.segment; i < end; i += 4) {
    let at = addressOf(p.ensemble, i);
    const mean = meanAt(p, at, end - i);
    for (let l = 0; l < p.members; l++) {
      storeFirst(at, multiplyAdd(factor, f32x4.sub(loadFirst(at, end - i, 0), mean), mean), end - i);
      at += stride;
    }
  }
}

export function ensembleInflate(p: Ensemble, part: i32, scratch: usize): void {
  inflate(p, part, f32x4.splat(p.factor));
}

/** By √ρ, other being ρ. */
export function ensembleInflateBy(p: Ensemble, part: i32, scratch: usize): void {
  inflate(p, part, f32x4.splat(sqrt(f32.load(p.other))));
}

/** x_l ← mean + factor · other_l */
export function ensembleRecentre(p: Ensemble, part: i32, scratch: usize): void {
  const end = endOf(p, part);
  const stride = <usize>p.length << 2;
  const factor = f32x4.splat(p.factor);
  for (let i = part * p.segment; i < end; i += 4) {
    const mean = loadFirst(addressOf(p.moment, i), end - i, 0);
    let from = addressOf(p.other, i);
    let to = addressOf(p.ensemble, i);
    for (let l = 0; l < p.members; l++) {
      storeFirst(to, multiplyAdd(factor, loadFirst(from, end - i, 0), mean), end - i);
      from += stride;
      to += stride;
    }
  }
}

/** x_l ← x_l + factor · other_l */
export function ensemblePerturb(p: Ensemble, part: i32, scratch: usize): void {
  const end = endOf(p, part);
  const stride = <usize>p.length << 2;
  const factor = f32x4.splat(p.factor);
  for (let i = part * p.segment; i < end; i += 4) {
    let from = addressOf(p.other, i);
    let to = addressOf(p.ensemble, i);
    for (let l = 0; l < p.members; l++) {
      storeFirst(to, multiplyAdd(factor, loadFirst(from, end - i, 0), loadFirst(to, end - i, 0)), end - i);
      from += stride;
      to += stride;
    }
  }
}

/** x′ ← x′ (1 + α (σᵇ − σᵃ)/σᵃ), other being the background. */
export function ensembleRelaxSpread(p: Ensemble, part: i32, scratch: usize): void {
  const end = endOf(p, part);
  const stride = <usize>p.length << 2;
  const factor = f32x4.splat(p.factor);
  for (let i = part * p.segment; i < end; i += 4) {
    let at = addressOf(p.ensemble, i);
    const before = addressOf(p.other, i);
    const mean = meanAt(p, at, end - i);
    const spread = f32x4.sqrt(varianceAt(p, at, end - i, mean));
    const wanted = f32x4.sqrt(varianceAt(p, before, end - i, meanAt(p, before, end - i)));
    const ratio = f32x4.div(f32x4.mul(factor, f32x4.sub(wanted, spread)), spread);
    const stretch = v128.and(ratio, f32x4.gt(spread, f32x4.splat(0)));
    for (let l = 0; l < p.members; l++) {
      const x = loadFirst(at, end - i, 0);
      storeFirst(at, multiplyAdd(stretch, f32x4.sub(x, mean), x), end - i);
      at += stride;
    }
  }
}

/** x′ ← x′ + α (x′ᵇ − x′), other being the background. */
export function ensembleRelaxPerturbations(p: Ensemble, part: i32, scratch: usize): void {
  const end = endOf(p, part);
  const stride = <usize>p.length << 2;
  const factor = f32x4.splat(p.factor);
  for (let i = part * p.segment; i < end; i += 4) {
    let at = addressOf(p.ensemble, i);
    let before = addressOf(p.other, i);
    const mean = meanAt(p, at, end - i);
    const meanBefore = meanAt(p, before, end - i);
    for (let l = 0; l < p.members; l++) {
      const x = loadFirst(at, end - i, 0);
      const change = f32x4.sub(f32x4.sub(loadFirst(before, end - i, 0), meanBefore), f32x4.sub(x, mean));
      storeFirst(at, multiplyAdd(factor, change, x), end - i);
      at += stride;
      before += stride;
    }
  }
}

/** other_j ← Σ_l x_l · transform[l][j] */
export function ensembleTransform(p: Ensemble, part: i32, scratch: usize): void {
  const end = endOf(p, part);
  const stride = <usize>p.length << 2;
  const row = <usize>p.members << 2;
  for (let i = part * p.segment; i < end; i += 4) {
    let to = addressOf(p.other, i);
    for (let j = 0; j < p.members; j++) {
      let at = addressOf(p.ensemble, i);
      let weight = addressOf(p.transform, j);
      let sum = f32x4.splat(0);
      for (let l = 0; l < p.members; l++) {
        sum = multiplyAdd(loadFirst(at, end - i, 0), v128.load32_splat(weight), sum);
        at += stride;
        weight += row;
      }
      storeFirst(to, sum, end - i);
      to += stride;
    }
  }
}
