// Scores of an ensemble against the truth (scores.ts), four cells at a time: a part is a run of cells of one variable; its sums
// are float64, and are added up in the order of the parts. And what counts or compares (index.ts): ranks of the truth, wet cells,
// innovations.

import { loadFirst, multiplyAdd, storeFirst, accumulate, total } from '../../compute/wasm/simd-library.as';
import { InnovationStatistics, RankHistogram, WetCells } from './index';
import { Scores } from './scores';

/** A step of a linear congruential generator of 32 bits. */
// @ts-ignore: decorator
@inline
function stepOf(word: u32): u32 {
  return word * 1_664_525 + 1_013_904_223;
}

/** 32 random bits for a counter and a key of two words: the first word of pcg3d [jarzynski2020]. */
function counted(counter: u32, key0: u32, key1: u32): u32 {
  let x = stepOf(counter);
  let y = stepOf(key0);
  let z = stepOf(key1);
  x += y * z;
  y += z * x;
  z += x * y;
  x ^= x >>> 16;
  y ^= y >>> 16;
  z ^= z >>> 16;
  return x + y * z;
}

/** A part is a scored variable. */
export function rankHistogram(p: RankHistogram, part: i32, scratch: usize): void {
  const cells = p.nx * p.ny;
  const variable = i32.load(p.scored + (<usize>part << 2)) * cells;
  const counts = p.counts + (<usize>(part * (p.members + 1)) << 2);
  const key0 = i32.load(p.key);
  const key1 = i32.load(p.key, 4);
  memory.fill(counts, 0, <usize>(p.members + 1) << 2);
  for (let y = 0; y < p.ny; y += p.strideY) {
    for (let x = 0; x < p.nx; x += p.strideX) {
      const cell = y * p.nx + x;
      if (f32.load(p.weight + (<usize>cell << 2)) == 0) continue;
      const i = variable + cell;
      const truth = f32.load(p.truth + (<usize>i << 2));
      let below = 0;
      let ties = 0;
      let at = p.ensemble + (<usize>i << 2);
      for (let l = 0; l < p.members; l++) {
        const value = f32.load(at);
        below += value < truth ? 1 : 0;
        ties += value == truth ? 1 : 0;
        at += <usize>p.state << 2;
      }
      const share = ties > 0 ? <i32>(counted(i, key0, key1) % <u32>(ties + 1)) : 0;
      const bin = counts + (<usize>(below + share) << 2);
      i32.store(bin, i32.load(bin) + 1);
    }
  }
}

/** Marks the wet cells of a run with 1, others with 0, and counts them. */
export function markWetCells(p: WetCells, part: i32, scratch: usize): void {
  const end = min((part + 1) * p.segment, p.cells);
  const dryDepth = f32x4.splat(p.dryDepth);
  let count = i32x4.splat(0);
  for (let cell = part * p.segment; cell < end; cell += 4) {
    const at = <usize>cell << 2;
    const left = end - cell;
    const bed = loadFirst(p.bed + at, left, 0);
    // Cells that there are not are dry.
    let wet = f32x4.gt(f32x4.sub(loadFirst(p.truth + at, left, -Infinity), bed), dryDepth);
    let member = p.ensemble + at;
    for (let l = 0; l < p.members && !i32x4.all_true(wet); l++) {
      wet = v128.or(wet, f32x4.gt(f32x4.sub(loadFirst(member, left, -Infinity), bed), dryDepth));
      member += <usize>p.state << 2;
    }
    count = i32x4.sub(count, wet);
    storeFirst(p.weight + at, v128.and(wet, f32x4.splat(1)), left);
  }
  const pairs = i32x4.extract_lane(count, 0) + i32x4.extract_lane(count, 1);
  i32.store(p.counts + (<usize>part << 2), pairs + i32x4.extract_lane(count, 2) + i32x4.extract_lane(count, 3));
}

export function weighWetCells(p: WetCells, part: i32, scratch: usize): void {
  const end = min((part + 1) * p.segment, p.cells);
  const share = f32x4.splat(p.share);
  for (let cell = part * p.segment; cell < end; cell += 4) {
    const at = p.weight + (<usize>cell << 2);
    storeFirst(at, f32x4.mul(share, loadFirst(at, end - cell, 0)), end - cell);
  }
}

// @ts-ignore: decorator
@inline
function real(base: usize, i: i32): f64 {
  return <f64>f32.load(base + (<usize>i << 2));
}

/** In one part: what is summed must be about the mean, which is known at the end. */
export function innovationStatistics(p: InnovationStatistics, part: i32, scratch: usize): void {
  let count = 0;
  let rejected = 0;
  let sum: f64 = 0;
  for (let j = 0; j < p.observations; j++) {
    if (real(p.inverseErrorStd, j) > 0) {
      count++;
      sum += real(p.innovation, j);
    } else if (real(p.originalInverseErrorStd, j) > 0) rejected++;
  }
  const mean = count > 0 ? sum / <f64>count : 0;
  let squares: f64 = 0;
  let normalised: f64 = 0;
  for (let j = 0; j < p.observations; j++) {
    const r = real(p.inverseErrorStd, j);
    if (!(r > 0)) continue;
    const d = real(p.innovation, j);
    squares += (d - mean) * (d - mean);
    normalised += (r * d * (r * d)) / (1 + r * r * real(p.backgroundVariance, j));
  }
  f32.store(p.report, <f32>count);
  f32.store(p.report, <f32>mean, 4);
  f32.store(p.report, <f32>(squares / <f64>max(1, count - 1)), 8);
  f32.store(p.report, <f32>(normalised / <f64>max(1, count)), 12);
  f32.store(p.report, <f32>rejected, 16);
}

// @ts-ignore: decorator
@inline
function variableOf(p: Scores, part: i32): usize {
  return <usize>(i32.load(p.scored + (<usize>(part / p.segments) << 2)) * p.cells);
}

/** Σ weight (e − m)² over the errors of the cells, which are in the scratch memory. */
function squaresAbout(p: Scores, errors: usize, start: i32, end: i32, m: f64): f64 {
  const mean = f32x4.splat(<f32>m);
  let squares = f64x2.splat(0);
  for (let cell = start; cell < end; cell += 4) {
    const weight = loadFirst(p.weight + (<usize>cell << 2), end - cell, 0);
    const departure = f32x4.sub(v128.load(errors + (<usize>(cell - start) << 2)), mean);
    squares = accumulate(squares, f32x4.mul(weight, f32x4.mul(departure, departure)));
  }
  return total(squares);
}

/**
 * With e = x̄ − t: Σ weight e², Σ weight Σ (x_l − x̄)²/(k − 1), Σ weight, Σ weight e, and Σ weight (e − m)² about the mean error m
 * of the part.
 */
export function ensembleScores(p: Scores, part: i32, scratch: usize): void {
  const start = (part % p.segments) * p.segment;
  const end = min(start + p.segment, p.cells);
  const variable = variableOf(p, part);
  const stride = <usize>p.state << 2;
  const perMember = f32x4.splat(1 / <f32>p.members);
  const perFreedom = f32x4.splat(p.members == 1 ? 0 : 1 / <f32>(p.members - 1));
  let squares = f64x2.splat(0);
  let variances = f64x2.splat(0);
  let shares = f64x2.splat(0);
  let errors = f64x2.splat(0);
  for (let cell = start; cell < end; cell += 4) {
    const place = (variable + <usize>cell) << 2;
    const truth = loadFirst(p.truth + place, end - cell, 0);
    const weight = loadFirst(p.weight + (<usize>cell << 2), end - cell, 0);
    // Differences first: the mean error x̄ − t, and anomalies x_l − x̄ = (x_l − t) − (x̄ − t).
    let sum = f32x4.splat(0);
    let at = p.ensemble + place;
    for (let l = 0; l < p.members; l++) {
      sum = f32x4.add(sum, f32x4.sub(loadFirst(at, end - cell, 0), truth));
      at += stride;
    }
    const error = f32x4.mul(sum, perMember);
    v128.store(scratch + (<usize>(cell - start) << 2), error);
    let variance = f32x4.splat(0);
    at = p.ensemble + place;
    for (let l = 0; l < p.members; l++) {
      const anomaly = f32x4.sub(f32x4.sub(loadFirst(at, end - cell, 0), truth), error);
      variance = multiplyAdd(anomaly, anomaly, variance);
      at += stride;
    }
    squares = accumulate(squares, f32x4.mul(weight, f32x4.mul(error, error)));
    variances = accumulate(variances, f32x4.mul(weight, f32x4.mul(perFreedom, variance)));
    shares = accumulate(shares, weight);
    errors = accumulate(errors, f32x4.mul(weight, error));
  }
  const share = total(shares);
  const target = p.sums + <usize>part * 40;
  f64.store(target, total(squares));
  f64.store(target, total(variances), 8);
  f64.store(target, share, 16);
  f64.store(target, total(errors), 24);
  f64.store(target, share > 0 ? squaresAbout(p, scratch, start, end, total(errors) / share) : 0, 32);
}

/** Σ weight Σ |x_l − t| and Σ weight Σ over pairs |x_l − x_m|. */
export function crps(p: Scores, part: i32, scratch: usize): void {
  const start = (part % p.segments) * p.segment;
  const end = min(start + p.segment, p.cells);
  const variable = variableOf(p, part);
  const stride = <usize>p.state << 2;
  const zero = f32x4.splat(0);
  let distances = f64x2.splat(0);
  let dispersions = f64x2.splat(0);
  for (let cell = start; cell < end; cell += 4) {
    const place = (variable + <usize>cell) << 2;
    const truth = loadFirst(p.truth + place, end - cell, 0);
    const weight = loadFirst(p.weight + (<usize>cell << 2), end - cell, 0);
    // What counts nothing may be anything.
    const counts = f32x4.ne(weight, zero);
    if (!v128.any_true(counts)) continue;
    let distance = zero;
    let dispersion = zero;
    let at = p.ensemble + place;
    for (let l = 0; l < p.members; l++) {
      const error = f32x4.sub(loadFirst(at, end - cell, 0), truth);
      v128.store(scratch + (<usize>l << 4), error);
      distance = f32x4.add(distance, f32x4.abs(error));
      let apart = zero;
      for (let m = 0; m < l; m++) {
        apart = f32x4.add(apart, f32x4.abs(f32x4.sub(error, v128.load(scratch + (<usize>m << 4)))));
      }
      dispersion = f32x4.add(dispersion, apart);
      at += stride;
    }
    distances = accumulate(distances, v128.and(f32x4.mul(weight, distance), counts));
    dispersions = accumulate(dispersions, v128.and(f32x4.mul(weight, dispersion), counts));
  }
  const target = p.sums + (<usize>part << 4);
  f64.store(target, total(distances));
  f64.store(target, total(dispersions), 8);
}
