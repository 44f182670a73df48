// Scores of thinned cells (index.ts): a part is a sampled row of cells of one scored variable, its sums are float64.

import { DepartureProducts } from './index';
import { SampledScores } from './sampled-scores';

// @ts-ignore: decorator
@inline
function real(base: usize, i: i32): f64 {
  return <f64>f32.load(base + (<usize>i << 2));
}

// Products of innovations and residuals (index.ts): a part is a group of observations.
export function departureProducts(p: DepartureProducts, part: i32, scratch: usize): void {
  let count = 0;
  let innovations: f64 = 0;
  let residuals: f64 = 0;
  let increments: f64 = 0;
  let signal: f64 = 0;
  let background: f64 = 0;
  let analysis: f64 = 0;
  for (let j = 0; j < p.observations; j++) {
    const r = real(p.inverseErrorStd, j);
    if (!(r > 0) || i32.load(p.group + (<usize>j << 2)) != part) continue;
    const db = r * real(p.innovation, j);
    const da = r * real(p.residual, j);
    count++;
    innovations += db * db;
    residuals += da * db;
    increments += (db - da) * db;
    signal += (db - da) * da;
    background += r * r * real(p.backgroundVariance, j);
    analysis += r * r * real(p.analysisVariance, j);
  }
  const share = 1 / <f64>max(1, count);
  const target = p.products + <usize>(part * 7 * 4);
  f32.store(target, <f32>count);
  f32.store(target, <f32>(share * innovations), 4);
  f32.store(target, <f32>(share * residuals), 8);
  f32.store(target, <f32>(share * increments), 12);
  f32.store(target, <f32>(share * signal), 16);
  f32.store(target, <f32>(share * background), 20);
  f32.store(target, <f32>(share * analysis), 24);
}

// @ts-ignore: decorator
@inline
function add(sums: usize, row: i32, value: f64): void {
  const at = sums + (<usize>row << 3);
  f64.store(at, f64.load(at) + value);
}

/** Ascending by insertion. */
function sort(values: usize, count: i32): void {
  for (let l = 1; l < count; l++) {
    const value = f64.load(values + (<usize>l << 3));
    let at = l;
    for (; at > 0; at--) {
      const before = f64.load(values + (<usize>(at - 1) << 3));
      if (before <= value) break;
      f64.store(values + (<usize>at << 3), before);
    }
    f64.store(values + (<usize>at << 3), value);
  }
}

/** Gaps between sorted errors, and where the truth, at 0, lies in them. */
function addGaps(p: SampledScores, errors: usize, weight: f64, sums: usize): void {
  const k = p.members;
  const below = 2 * (k + 1);
  const first = f64.load(errors);
  const last = f64.load(errors + (<usize>(k - 1) << 3));
  if (first > 0) {
    add(sums, below, weight);
    add(sums, k + 1, weight * first);
  }
  if (last < 0) {
    add(sums, below + 1, weight);
    add(sums, k, -weight * last);
  }
  for (let i = 1; i < k; i++) {
    const lower = f64.load(errors + (<usize>(i - 1) << 3));
    const upper = f64.load(errors + (<usize>i << 3));
    const truth = min(max(0.0, lower), upper);
    add(sums, i, weight * (truth - lower));
    add(sums, k + 1 + i, weight * (upper - truth));
  }
}

/** ½ Σ w′ |t − t′| over the sampled cells. */
function distancesTo(p: SampledScores, plane: usize, t: f64): f64 {
  let sum: f64 = 0;
  for (let y = 0; y < p.ny; y += p.strideY) {
    for (let x = 0; x < p.nx; x += p.strideX) {
      const at = <usize>(y * p.nx + x) << 2;
      sum += <f64>f32.load(p.weight + at) * Math.abs(<f64>f32.load(p.truth + plane + at) - t);
    }
  }
  return 0.5 * sum;
}

export function sampledScores(p: SampledScores, part: i32, scratch: usize): void {
  const k = p.members;
  const y = (part % p.segments) * p.strideY;
  const variable = i32.load(p.scored + (<usize>(part / p.segments) << 2));
  const plane = <usize>(variable * p.cells) << 2;
  const meanVariance = <f64>f32.load(p.meanVariance + (<usize>variable << 2));
  const sums = p.sums + (<usize>(part * p.rows) << 3);
  /** Where the uncertainty is. */
  const single = 2 * (k + 1) + 2;
  const sampled = <f64>(((p.nx + p.strideX - 1) / p.strideX) * p.segments);
  memory.fill(sums, 0, <usize>p.rows << 3);
  for (let x = 0; x < p.nx; x += p.strideX) {
    const at = <usize>(y * p.nx + x) << 2;
    const weight = <f64>f32.load(p.weight + at);
    if (weight == 0) continue;
    const t = <f64>f32.load(p.truth + plane + at);
    let mean: f64 = 0;
    for (let l = 0; l < k; l++) {
      const error = <f64>f32.load(p.ensemble + plane + at + (<usize>(l * p.state) << 2)) - t;
      f64.store(scratch + (<usize>l << 3), error);
      mean += error;
    }
    mean /= <f64>k;
    sort(scratch, k);
    addGaps(p, scratch, weight, sums);
    let variance: f64 = 0;
    for (let l = 0; l < k; l++) {
      const anomaly = f64.load(scratch + (<usize>l << 3)) - mean;
      variance += anomaly * anomaly;
    }
    variance /= <f64>(k - 1);
    let bin = 0;
    for (let edge = 0; edge < p.bins - 1; edge++) {
      if (variance >= <f64>f32.load(p.edges + (<usize>edge << 2)) * meanVariance) bin++;
    }
    add(sums, single, (weight * distancesTo(p, plane, t)) / sampled);
    add(sums, single + 1, weight);
    add(sums, single + 2 + bin, weight);
    add(sums, single + 2 + p.bins + bin, weight * variance);
    add(sums, single + 2 + 2 * p.bins + bin, weight * mean * mean);
  }
}
