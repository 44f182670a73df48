// Moments of an ensemble [members][length] and ensembles made of others, element by element (moments.ts, index.ts).
// A part is a run of elements, four of them at a time.

import { loadFirst, multiplyAdd, storeFirst } from '../../compute/wasm/simd-library.as';
import { EnsembleAnomalies, EnsembleMean, EnsembleVariance } from './moments';
import { EnsembleInflation, EnsembleInflationBy, EnsemblePerturbation, EnsembleRecentring, EnsembleRelaxation, EnsembleTransform } from './index';

// @ts-ignore: decorator
@inline
function endOf(part: i32, segment: i32, length: i32): i32 {
  return min((part + 1) * segment, length);
}

// @ts-ignore: decorator
@inline
function addressOf(base: usize, i: i32): usize {
  return base + (<usize>i << 2);
}

/** Mean over the members, about the first of them so that it keeps the digits of the differences. */
// @ts-ignore: decorator
@inline
function meanAt(members: i32, stride: usize, at: usize, count: i32): v128 {
  const first = loadFirst(at, count, 0);
  let sum = f32x4.splat(0);
  for (let l = 1; l < members; l++) {
    at += stride;
    sum = f32x4.add(sum, f32x4.sub(loadFirst(at, count, 0), first));
  }
  return f32x4.add(first, f32x4.div(sum, f32x4.splat(<f32>members)));
}

// @ts-ignore: decorator
@inline
function varianceAt(members: i32, stride: usize, at: usize, count: i32, mean: v128): v128 {
  let sum = f32x4.splat(0);
  for (let l = 0; l < members; l++) {
    const anomaly = f32x4.sub(loadFirst(at, count, 0), mean);
    sum = multiplyAdd(anomaly, anomaly, sum);
    at += stride;
  }
  return members == 1 ? f32x4.splat(0) : f32x4.div(sum, f32x4.splat(<f32>(members - 1)));
}

export function ensembleMean(p: EnsembleMean, part: i32, scratch: usize): void {
  const stride = <usize>p.length << 2;
  const end = endOf(part, p.segment, p.length);
  for (let i = part * p.segment; i < end; i += 4) {
    storeFirst(addressOf(p.mean, i), meanAt(p.members, stride, addressOf(p.ensemble, i), end - i), end - i);
  }
}

export function ensembleVariance(p: EnsembleVariance, part: i32, scratch: usize): void {
  const stride = <usize>p.length << 2;
  const end = endOf(part, p.segment, p.length);
  const factor = f32x4.splat(p.factor);
  for (let i = part * p.segment; i < end; i += 4) {
    const at = addressOf(p.ensemble, i);
    const variance = varianceAt(p.members, stride, at, end - i, meanAt(p.members, stride, at, end - i));
    storeFirst(addressOf(p.variance, i), f32x4.mul(factor, variance), end - i);
  }
}

/** anomalies ← factor (x_l − x̄) */
export function ensembleAnomalies(p: EnsembleAnomalies, part: i32, scratch: usize): void {
  const end = endOf(part, p.segment, p.length);
  const stride = <usize>p.length << 2;
  const factor = f32x4.splat(p.factor);
  for (let i = part * p.segment; i < end; i += 4) {
    let at = addressOf(p.ensemble, i);
    let to = addressOf(p.anomalies, i);
    const mean = meanAt(p.members, stride, at, end - i);
    storeFirst(addressOf(p.mean, i), mean, end - i);
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
function inflate(ensemble: usize, members: i32, length: i32, first: i32, end: i32, factor: v128): void {
  const stride = <usize>length << 2;
  for (let i = first; i < end; i += 4) {
    let at = addressOf(ensemble, i);
    const mean = meanAt(members, stride, at, end - i);
    for (let l = 0; l < members; l++) {
      storeFirst(at, multiplyAdd(factor, f32x4.sub(loadFirst(at, end - i, 0), mean), mean), end - i);
      at += stride;
    }
  }
}

export function ensembleInflate(p: EnsembleInflation, part: i32, scratch: usize): void {
  const end = endOf(part, p.segment, p.length);
  inflate(p.ensemble, p.members, p.length, part * p.segment, end, f32x4.splat(p.factor));
}

/** By √ρ, ρ being the factor. */
export function ensembleInflateBy(p: EnsembleInflationBy, part: i32, scratch: usize): void {
  const end = endOf(part, p.segment, p.length);
  inflate(p.ensemble, p.members, p.length, part * p.segment, end, f32x4.splat(sqrt(f32.load(p.factor))));
}

/** x_l ← mean + factor · anomalies_l */
export function ensembleRecentre(p: EnsembleRecentring, part: i32, scratch: usize): void {
  const end = endOf(part, p.segment, p.length);
  const stride = <usize>p.length << 2;
  const factor = f32x4.splat(p.factor);
  for (let i = part * p.segment; i < end; i += 4) {
    const mean = loadFirst(addressOf(p.mean, i), end - i, 0);
    let from = addressOf(p.anomalies, i);
    let to = addressOf(p.ensemble, i);
    for (let l = 0; l < p.members; l++) {
      storeFirst(to, multiplyAdd(factor, loadFirst(from, end - i, 0), mean), end - i);
      from += stride;
      to += stride;
    }
  }
}

/** x_l ← x_l + factor · noise_l */
export function ensemblePerturb(p: EnsemblePerturbation, part: i32, scratch: usize): void {
  const end = endOf(part, p.segment, p.length);
  const stride = <usize>p.length << 2;
  const factor = f32x4.splat(p.factor);
  for (let i = part * p.segment; i < end; i += 4) {
    let from = addressOf(p.noise, i);
    let to = addressOf(p.ensemble, i);
    for (let l = 0; l < p.members; l++) {
      storeFirst(to, multiplyAdd(factor, loadFirst(from, end - i, 0), loadFirst(to, end - i, 0)), end - i);
      from += stride;
      to += stride;
    }
  }
}

/** x′ ← x′ (1 + α (σᵇ − σᵃ)/σᵃ) */
export function ensembleRelaxSpread(p: EnsembleRelaxation, part: i32, scratch: usize): void {
  const end = endOf(part, p.segment, p.length);
  const stride = <usize>p.length << 2;
  const factor = f32x4.splat(p.factor);
  for (let i = part * p.segment; i < end; i += 4) {
    let at = addressOf(p.ensemble, i);
    const before = addressOf(p.background, i);
    const mean = meanAt(p.members, stride, at, end - i);
    const spread = f32x4.sqrt(varianceAt(p.members, stride, at, end - i, mean));
    const wanted = f32x4.sqrt(varianceAt(p.members, stride, before, end - i, meanAt(p.members, stride, before, end - i)));
    const ratio = f32x4.div(f32x4.mul(factor, f32x4.sub(wanted, spread)), spread);
    const stretch = v128.and(ratio, f32x4.gt(spread, f32x4.splat(0)));
    for (let l = 0; l < p.members; l++) {
      const x = loadFirst(at, end - i, 0);
      storeFirst(at, multiplyAdd(stretch, f32x4.sub(x, mean), x), end - i);
      at += stride;
    }
  }
}

/** x′ ← x′ + α (x′ᵇ − x′) */
export function ensembleRelaxPerturbations(p: EnsembleRelaxation, part: i32, scratch: usize): void {
  const end = endOf(part, p.segment, p.length);
  const stride = <usize>p.length << 2;
  const factor = f32x4.splat(p.factor);
  for (let i = part * p.segment; i < end; i += 4) {
    let at = addressOf(p.ensemble, i);
    let before = addressOf(p.background, i);
    const mean = meanAt(p.members, stride, at, end - i);
    const meanBefore = meanAt(p.members, stride, before, end - i);
    for (let l = 0; l < p.members; l++) {
      const x = loadFirst(at, end - i, 0);
      const change = f32x4.sub(f32x4.sub(loadFirst(before, end - i, 0), meanBefore), f32x4.sub(x, mean));
      storeFirst(at, multiplyAdd(factor, change, x), end - i);
      at += stride;
      before += stride;
    }
  }
}

/** transformed_j ← Σ_l x_l · transform[l][j] */
export function ensembleTransform(p: EnsembleTransform, part: i32, scratch: usize): void {
  const end = endOf(part, p.segment, p.length);
  const stride = <usize>p.length << 2;
  const row = <usize>p.members << 2;
  for (let i = part * p.segment; i < end; i += 4) {
    let to = addressOf(p.transformed, i);
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
