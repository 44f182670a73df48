// A factor of every grid point's own (point-inflation.ts has the formulas), four neighbouring points of a row at a time, one a lane. A
// part is a row of the grid.

import { multiplyAdd, negatedMultiplyAdd, storeFirst, sumOf } from '../../compute/wasm/simd-library.as';
import { gramOfMembers, gramOfObservations, isDual, scale, SMALLEST_UNIT } from './forms-library.as';
import { findLocal, tooMany } from './local-library.as';
import { intoBasis, Tridiagonal, tridiagonalise } from './tridiagonal-library.as';
import { Letkf } from './wasm';
import { anomaliesOf, at, fourCells, slotOf, workspaceAt, Workspace } from './workspace-library.as';

/** Factors that the whole range is searched at; SEARCHED of point-inflation.ts. */
const SEARCHED: i32 = 32;
/** The range between two of those, in halves as far as float32 resolves it. */
const HALVINGS: i32 = 24;

/** The Kalman update of the factors by the size of the innovations. */
function updated(p: Letkf, w: Workspace, count: i32, prior: v128): v128 {
  let size = f32x4.splat(0);
  let stated = f32x4.splat(0);
  let found = f32x4.splat(0);
  for (let a = 0; a < count; a++) {
    const root = v128.load(at(w.roots, a));
    const weight = f32x4.mul(root, root);
    const innovation = f32.load(at(p.slots, slotOf(w, a)), 8);
    const row = anomaliesOf(p, w, a);
    let squares = f32x4.splat(0);
    for (let l: usize = 0; l < <usize>p.padded << 2; l += 16) {
      const four = v128.load(row + l);
      squares = multiplyAdd(four, four, squares);
    }
    size = f32x4.add(size, weight);
    found = multiplyAdd(weight, f32x4.splat(innovation * innovation - 1), found);
    stated = multiplyAdd(weight, f32x4.splat(sumOf(squares)), stated);
  }
  const known = f32x4.gt(stated, f32x4.splat(0));
  const ratio = f32x4.div(multiplyAdd(prior, stated, size), stated);
  const observed = f32x4.mul(f32x4.div(f32x4.splat(2), size), f32x4.mul(ratio, ratio));
  const variance = f32x4.splat(p.priorVariance);
  const gain = f32x4.div(variance, f32x4.add(variance, observed));
  const next = multiplyAdd(gain, f32x4.sub(f32x4.div(found, stated), prior), prior);
  const held = f32x4.min(f32x4.splat(p.most), f32x4.max(f32x4.splat(p.least), next));
  return v128.bitselect(held, prior, known);
}

/** Q = zᵀ (T + s)⁻¹ z into `means` and dQ/ds into `shifts`. Returns tr (T + s)⁻¹. */
function sweep(t: Tridiagonal, w: Workspace, n: i32, s: v128, z: usize): v128 {
  const zero = f32x4.splat(0);
  let inverse = zero;
  /** The derivative of a pivot over the pivot. */
  let rate = zero;
  let forward = zero;
  let forwardRate = zero;
  let value = zero;
  let slope = zero;
  let trace = zero;
  for (let i = 0; i < n; i++) {
    const edge = i > 0 ? v128.load(at(t.offDiagonal, i - 1)) : zero;
    const ratio = f32x4.mul(edge, inverse);
    const pivot = f32x4.pmax(negatedMultiplyAdd(ratio, edge, f32x4.add(v128.load(at(t.diagonal, i)), s)), s);
    forwardRate = f32x4.mul(ratio, f32x4.sub(f32x4.mul(rate, forward), forwardRate));
    forward = negatedMultiplyAdd(ratio, forward, v128.load(at(z, i)));
    inverse = f32x4.div(f32x4.splat(1), pivot);
    rate = f32x4.mul(multiplyAdd(f32x4.mul(ratio, edge), rate, f32x4.splat(1)), inverse);
    const share = f32x4.mul(forward, inverse);
    value = multiplyAdd(share, forward, value);
    slope = multiplyAdd(share, f32x4.sub(f32x4.add(forwardRate, forwardRate), f32x4.mul(forward, rate)), slope);
    trace = f32x4.add(trace, rate);
  }
  v128.store(w.means, value);
  v128.store(w.shifts, slope);
  return trace;
}

/** base ^ exponent in each lane. */
function power(base: v128, exponent: v128): v128 {
  let v = f32x4.splat(Mathf.pow(f32x4.extract_lane(base, 0), f32x4.extract_lane(exponent, 0)));
  v = f32x4.replace_lane(v, 1, Mathf.pow(f32x4.extract_lane(base, 1), f32x4.extract_lane(exponent, 1)));
  v = f32x4.replace_lane(v, 2, Mathf.pow(f32x4.extract_lane(base, 2), f32x4.extract_lane(exponent, 2)));
  return f32x4.replace_lane(v, 3, Mathf.pow(f32x4.extract_lane(base, 3), f32x4.extract_lane(exponent, 3)));
}

function logarithm(v: v128): v128 {
  let l = f32x4.splat(Mathf.log(f32x4.extract_lane(v, 0)));
  l = f32x4.replace_lane(l, 1, Mathf.log(f32x4.extract_lane(v, 1)));
  l = f32x4.replace_lane(l, 2, Mathf.log(f32x4.extract_lane(v, 2)));
  return f32x4.replace_lane(l, 3, Mathf.log(f32x4.extract_lane(v, 3)));
}

/** The dual cost of four points, each with its matrix in tridiagonal form and its hyperprior. */
@unmanaged
class DualCost {
  n: i32;
  isDual: i32;
  /** Where the right side is, in the basis of the tridiagonal form. */
  side: usize;
  factor: v128;
  unit: v128;
  unknownMean: v128;
  logarithm: v128;
}

/** What the innovations add to the cost; and to the derivative by ln ρ, where `isSlope`. */
function misfit(t: Tridiagonal, w: Workspace, c: DualCost, rho: v128, isSlope: bool): v128 {
  const s = f32x4.div(c.unit, rho);
  sweep(t, w, c.n, s, c.side);
  const value = v128.load(w.means);
  const turned = f32x4.mul(s, v128.load(w.shifts));
  const scaled = f32x4.div(c.factor, c.isDual ? rho : c.unit);
  if (c.isDual) return f32x4.mul(scaled, isSlope ? f32x4.neg(f32x4.add(value, turned)) : value);
  return f32x4.mul(f32x4.mul(scaled, c.factor), isSlope ? turned : f32x4.neg(value));
}

/** The factors at which the dual cost is least. */
function leastCost(p: Letkf, t: Tridiagonal, w: Workspace, c: DualCost): v128 {
  const most = f32x4.splat(p.most);
  const least = f32x4.div(c.unknownMean, c.logarithm);
  const each = f32x4.splat(<f32>1 / <f32>(p.members - 1));
  const ratio = power(f32x4.div(most, least), f32x4.splat(<f32>1 / <f32>(SEARCHED - 1)));
  const step = logarithm(ratio);
  let log = logarithm(least);
  let rho = least;
  let best = rho;
  let lowest = f32x4.splat(f32.MAX_VALUE);
  for (let i = 0; i < SEARCHED; i++) {
    const prior = multiplyAdd(c.logarithm, log, f32x4.div(c.unknownMean, rho));
    const cost = multiplyAdd(each, misfit(t, w, c, rho, false), prior);
    const isLower = f32x4.lt(cost, lowest);
    lowest = v128.bitselect(cost, lowest, isLower);
    best = v128.bitselect(rho, best, isLower);
    rho = f32x4.mul(rho, ratio);
    log = f32x4.add(log, step);
  }
  let low = f32x4.max(least, f32x4.div(best, ratio));
  let high = f32x4.min(most, f32x4.mul(best, ratio));
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = f32x4.sqrt(f32x4.mul(low, high));
    const prior = f32x4.sub(c.logarithm, f32x4.div(c.unknownMean, middle));
    const falls = f32x4.lt(multiplyAdd(each, misfit(t, w, c, middle, true), prior), f32x4.splat(0));
    low = v128.bitselect(middle, low, falls);
    high = v128.bitselect(high, middle, falls);
  }
  return f32x4.sqrt(f32x4.mul(low, high));
}

/** The factors of the finite-size filter. */
function finiteSize(p: Letkf, w: Workspace, count: i32, scratch: usize): v128 {
  const t = w.triangle;
  const c = changetype<DualCost>(scratch);
  const dual = isDual(p, count);
  const n = dual ? count : p.members;
  const one = f32x4.splat(1);
  const factor = f32x4.div(one, f32x4.add(one, dual ? gramOfObservations(p, w, n) : gramOfMembers(p, w, count)));
  scale(t, n, factor);
  tridiagonalise(t, n);
  if (dual) {
    for (let a = 0; a < n; a++) {
      const innovation = v128.load32_splat(at(p.slots, slotOf(w, a)), 8);
      v128.store(at(w.results, a), f32x4.mul(v128.load(at(w.roots, a)), innovation));
    }
  }
  c.n = n;
  c.isDual = dual;
  c.side = dual ? w.results : w.meanWeights;
  c.factor = factor;
  c.unit = f32x4.max(factor, f32x4.splat(SMALLEST_UNIT));
  intoBasis(t, n, c.side);
  const k = <f32>p.members;
  const trace = f32x4.mul(c.unit, sweep(t, w, n, c.unit, c.side));
  const share = f32x4.div(f32x4.add(f32x4.splat(k - <f32>n), trace), f32x4.splat(k));
  const correction = power(f32x4.splat(1 - 1 / (k * k)), f32x4.mul(f32x4.splat(0.5), share));
  c.unknownMean = f32x4.div(f32x4.splat((p.certainty * (k + 1)) / k), correction);
  c.logarithm = f32x4.mul(f32x4.splat((p.certainty * k) / (k - 1)), correction);
  return leastCost(p, t, w, c);
}

/** Bytes of the work space before that of the analysis: the dual cost. */
const OWN: usize = 128;

export function letkfPointInflation(p: Letkf, y: i32, scratch: usize): void {
  const w = workspaceAt(p, scratch + OWN);
  const report = p.reports + (<usize>y << 2);
  i32.store(report, -1);
  for (let x = 0; x < p.nx; x += 4) {
    const cell = y * p.nx + x;
    const lanes = p.nx - x;
    const count = findLocal(p, w, x, y);
    if (tooMany(p, w, cell, lanes, report)) return;
    const place = p.factor + (<usize>cell << 2);
    const found = p.certainty > 0 ? finiteSize(p, w, count, scratch) : updated(p, w, count, fourCells(place, lanes));
    storeFirst(place, found, lanes);
  }
}
