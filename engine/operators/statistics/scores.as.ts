// Scores of an ensemble against the truth (scores.ts), four cells at a time. A part is a run of cells of one variable; its sums
// are float64, and are added up in the order of the parts.

import { loadFirst, multiplyAdd } from '../../compute/wasm/simd-library.as';
import { accumulate, total } from '../../compute/wasm/sums-library.as';
import { Scores } from './wasm';

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
