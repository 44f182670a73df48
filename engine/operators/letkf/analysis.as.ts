// LETKF analysis, four neighbouring grid points of a row at a time, one a lane [hunt2007; hht2008].
//
// The observations in reach of any of the four are listed; a lane out of whose reach one is gives it the weight 0, which
// leaves the lane's analysis as it is. The smaller of two problems is solved (index.ts): G = S Sᵀ of the listed observations
//
//   analysis = mean + √ρ (X − q f(G) S) + √(ρ/(k − 1)) q (I + G)⁻¹ d,   q = X Sᵀ,   f(t) = Σ over poles of weight/(t + shift),
//
// or A = Sᵀ S of the members, X Wᵃ = √ρ X (I + A)^−½ and w̄ = √(ρ/(k − 1)) (I + A)⁻¹ Sᵀ d. The matrix is scaled by its trace, so that
// no accuracy of the observations overflows. The poles are those for 1 + trace, a bound on the condition, the largest of the
// four. A part is a row of the grid.

import { multiplyAdd, negatedMultiplyAdd, storeFirst, sumOf } from '../../compute/wasm/simd-library.as';
import { gaspariCohn, shortest } from '../localisation/taper-library.as';
import { Letkf } from './problem-library.as';
import { Tridiagonal, addSolution, factorise, intoBasis, outOfBasis, tridiagonalise } from './tridiagonal-library.as';

/** Entries of a pole class; no class has more poles. Class c holds for conditions up to 4^(c + 1). */
const POLE_STRIDE: i32 = 16;
const POLE_CLASSES: i32 = 10;

/**
 * The unit of the scaled matrix is at least this share of the trace: observations more accurate than a thousandth of the
 * spread count as that accurate, since float32 cannot resolve the smallest eigenvalues of I + G any more.
 */
const SMALLEST_UNIT: f32 = 1.0 / 1048576.0;

const DUAL: i32 = 1;
const PRIMAL: i32 = 2;

/** Parts of the work space. */
@unmanaged
class Workspace {
  triangle: Tridiagonal;
  /** [order]: (I + G)⁻¹ d in the basis of the tridiagonal form. */
  meanWeights: usize;
  /** [variables][order]: right sides, and what a function of the matrix makes of them. */
  vectors: usize;
  results: usize;
  /** [members]: anomalies of a variable about its first member. */
  members: usize;
  /** [variables]: mean about the first member, and shift of the mean. */
  means: usize;
  shifts: usize;
  /** Listed observations: their slots, and the roots of their weights in the four lanes. */
  listed: usize;
  roots: usize;
}

/** Lays the parts out behind each other; `workspaceBytes` of wasm.ts counts them. */
function workspaceAt(p: Letkf, scratch: usize): Workspace {
  const w = changetype<Workspace>(scratch);
  const t = changetype<Tridiagonal>(scratch + 128);
  const column = <usize>p.order << 4;
  w.triangle = t;
  let next = scratch + 256;
  t.matrix = next;
  t.stride = column;
  next += column * <usize>p.order;
  t.diagonal = next;
  t.offDiagonal = next + column;
  t.beta = next + 2 * column;
  t.work = next + 3 * column;
  t.inverse = next + 4 * column;
  t.ratio = next + 5 * column;
  t.forward = next + 6 * column;
  w.meanWeights = next + 7 * column;
  w.vectors = next + 8 * column;
  next = w.vectors + column * <usize>p.variables;
  w.results = next;
  next += column * <usize>p.variables;
  w.members = next;
  next += <usize>p.padded << 4;
  w.means = next;
  next += <usize>p.variables << 4;
  w.shifts = next;
  next += <usize>p.variables << 4;
  w.roots = next;
  w.listed = next + (<usize>p.observations << 4);
  return w;
}

// @ts-ignore: decorator
@inline
function at(base: usize, i: i32): usize {
  return base + (<usize>i << 4);
}

// @ts-ignore: decorator
@inline
function slotOf(w: Workspace, a: i32): i32 {
  return i32.load(w.listed + (<usize>a << 2));
}

// @ts-ignore: decorator
@inline
function anomaliesOf(p: Letkf, w: Workspace, a: i32): usize {
  return p.anomalies + <usize>slotOf(w, a) * (<usize>p.padded << 2);
}

/** The first of the bins within reach of an interval of coordinates in the lower half, and how many there are in the upper. */
function binsWithinReach(low: f32, high: f32, reach: f32, cells: i32, bins: i32, periodic: i32): i64 {
  const first = <i32>floor<f32>(((low - reach) * <f32>bins) / <f32>cells);
  const last = <i32>floor<f32>(((high + reach) * <f32>bins) / <f32>cells);
  if (!periodic) {
    const from = min(bins - 1, max(0, first));
    return <i64>from | (<i64>(min(bins - 1, max(0, last)) - from + 1) << 32);
  }
  if (last - first + 1 >= bins) return <i64>bins << 32;
  const from = ((first % bins) + bins) % bins;
  return <i64>from | (<i64>(last - first + 1) << 32);
}

/** Lists the observations in reach of any of four grid points. Returns how many; `counts` gets how many of each. */
function findLocal(p: Letkf, w: Workspace, x: i32, y: i32, counts: usize): i32 {
  const last = <f32>(p.nx - 1);
  const xs = f32x4.min(f32x4.add(f32x4.splat(<f32>x), f32x4(0, 1, 2, 3)), f32x4.splat(last));
  const ys = f32x4.splat(<f32>y);
  const columns = binsWithinReach(<f32>x, min<f32>(<f32>(x + 3), last), p.reachX, p.nx, p.binsX, p.periodicX);
  const rows = binsWithinReach(<f32>y, <f32>y, p.reachY, p.ny, p.binsY, p.periodicY);
  const scale = f32x4.splat(p.inverseHalfWidth);
  let inReach = i32x4.splat(0);
  let count = 0;
  for (let r = 0; r < <i32>(rows >> 32); r++) {
    const row = ((<i32>rows + r) % p.binsY) * p.binsX;
    for (let c = 0; c < <i32>(columns >> 32); c++) {
      const bin = p.binStart + (<usize>(row + ((<i32>columns + c) % p.binsX)) << 2);
      const end = i32.load(bin, 4);
      for (let slot = i32.load(bin); slot < end; slot++) {
        const known = at(p.slots, slot);
        if (f32.load(known, 12) == 0) continue;
        let dx = f32x4.sub(v128.load32_splat(known), xs);
        let dy = f32x4.sub(v128.load32_splat(known, 4), ys);
        if (p.periodicX) dx = shortest(dx, <f32>p.nx);
        if (p.periodicY) dy = shortest(dy, <f32>p.ny);
        dy = f32x4.mul(dy, f32x4.splat(p.aspect));
        const distance = f32x4.sqrt(f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy)));
        const weight = gaspariCohn(f32x4.mul(distance, scale));
        const positive = f32x4.gt(weight, f32x4.splat(0));
        if (!v128.any_true(positive)) continue;
        inReach = i32x4.sub(inReach, positive);
        i32.store(w.listed + (<usize>count << 2), slot);
        v128.store(at(w.roots, count), f32x4.sqrt(f32x4.max(weight, f32x4.splat(0))));
        count++;
      }
    }
  }
  v128.store(counts, inReach);
  return count;
}

/** G of the listed observations, not yet scaled. Returns the traces. */
function gramOfObservations(p: Letkf, w: Workspace, n: i32): v128 {
  const t = w.triangle;
  const bytes = <usize>p.padded << 2;
  let trace = f32x4.splat(0);
  for (let i = 0; i < n; i++) {
    const a = anomaliesOf(p, w, i);
    const root = v128.load(at(w.roots, i));
    for (let j = 0; j <= i; j++) {
      const b = anomaliesOf(p, w, j);
      let four = f32x4.splat(0);
      for (let l: usize = 0; l < bytes; l += 16) four = multiplyAdd(v128.load(a + l), v128.load(b + l), four);
      const g = f32x4.mul(f32x4.mul(root, v128.load(at(w.roots, j))), f32x4.splat(sumOf(four)));
      v128.store(t.matrix + <usize>i * t.stride + (<usize>j << 4), g);
      if (i == j) trace = f32x4.add(trace, g);
    }
  }
  return trace;
}

/** A of the members, not yet scaled; `meanWeights` gets Sᵀ d. Returns the traces. */
function gramOfMembers(p: Letkf, w: Workspace, count: i32): v128 {
  const t = w.triangle;
  const k = p.members;
  const zero = f32x4.splat(0);
  for (let i = 0; i < k; i++) {
    v128.store(at(w.meanWeights, i), zero);
    for (let j = 0; j <= i; j++) v128.store(t.matrix + <usize>i * t.stride + (<usize>j << 4), zero);
  }
  for (let a = 0; a < count; a++) {
    const row = anomaliesOf(p, w, a);
    const root = v128.load(at(w.roots, a));
    const weight = f32x4.mul(root, root);
    const innovation = f32x4.mul(root, v128.load32_splat(at(p.slots, slotOf(w, a)), 8));
    for (let i = 0; i < k; i++) {
      const s = v128.load32_splat(row + (<usize>i << 2));
      const gradient = at(w.meanWeights, i);
      v128.store(gradient, multiplyAdd(f32x4.mul(root, s), innovation, v128.load(gradient)));
      const weighted = f32x4.mul(weight, s);
      let target = t.matrix + <usize>i * t.stride;
      for (let j = 0; j <= i; j++) {
        v128.store(target, multiplyAdd(weighted, v128.load32_splat(row + (<usize>j << 2)), v128.load(target)));
        target += 16;
      }
    }
  }
  let trace = zero;
  for (let i = 0; i < k; i++) trace = f32x4.add(trace, v128.load(t.matrix + <usize>i * t.stride + (<usize>i << 4)));
  return trace;
}

function scale(t: Tridiagonal, n: i32, factor: v128): void {
  for (let i = 0; i < n; i++) {
    let target = t.matrix + <usize>i * t.stride;
    for (let j = 0; j <= i; j++) {
      v128.store(target, f32x4.mul(factor, v128.load(target)));
      target += 16;
    }
  }
}

// @ts-ignore: decorator
@inline
function largestOf(v: v128): f32 {
  return max(
    max(f32x4.extract_lane(v, 0), f32x4.extract_lane(v, 1)),
    max(f32x4.extract_lane(v, 2), f32x4.extract_lane(v, 3)),
  );
}

/** Where the poles begin that hold for eigenvalues of the matrix up to `bound`. */
function polesFor(p: Letkf, bound: f32): usize {
  let c = 0;
  for (let most: f32 = 4; c < POLE_CLASSES - 1 && bound > most; most *= 4) c++;
  return at(p.poles, c * POLE_STRIDE);
}

/** results of all variables ← Σ over poles of weight (T + unit·shift)⁻¹ vectors; weights are word `which` of a pole times `factor`. */
function applyPoles(p: Letkf, w: Workspace, n: i32, unit: v128, factor: v128, which: usize): void {
  const t = w.triangle;
  const column = <usize>p.order << 4;
  const smallest = f32x4.div(f32x4.splat(1), unit);
  const first = polesFor(p, largestOf(smallest));
  const count = <i32>f32.load(first, 12);
  for (let e: usize = 0; e < column * <usize>p.variables; e += 16) v128.store(w.results + e, f32x4.splat(0));
  for (let m = 0; m < count; m++) {
    const pole = at(first, m);
    factorise(t, n, f32x4.mul(unit, v128.load32_splat(pole)));
    const weight = f32x4.mul(factor, v128.load32_splat(pole + which));
    for (let v: usize = 0; v < <usize>p.variables; v++) {
      addSolution(t, n, weight, w.vectors + v * column, w.results + v * column);
    }
  }
}

/** `meanWeights`, in the basis of the tridiagonal form: factor (T + unit)⁻¹ of what is in `side`. */
function solveMean(w: Workspace, n: i32, unit: v128, factor: v128, side: usize): void {
  const t = w.triangle;
  intoBasis(t, n, side);
  for (let i = 0; i < n; i++) v128.store(at(t.work, i), f32x4.splat(0));
  factorise(t, n, unit);
  addSolution(t, n, factor, side, t.work);
  for (let i = 0; i < n; i++) v128.store(at(w.meanWeights, i), v128.load(at(t.work, i)));
}

/** Four cells of a member; those beyond the row's end repeat the last. */
// @ts-ignore: decorator
@inline
function loadCells(cell: usize, lanes: i32): v128 {
  if (lanes >= 4) return v128.load(cell);
  let v = v128.load32_splat(cell + (<usize>(lanes - 1) << 2));
  v = f32x4.replace_lane(v, 0, f32.load(cell));
  if (lanes > 1) v = f32x4.replace_lane(v, 1, f32.load(cell, 4));
  if (lanes > 2) v = f32x4.replace_lane(v, 2, f32.load(cell, 8));
  return v;
}

/** Anomalies of a variable about its first member into `members`. Returns their mean. */
function loadMembers(p: Letkf, w: Workspace, cell: usize, lanes: i32): v128 {
  const stride = <usize>p.variables * <usize>p.nx * <usize>p.ny * 4;
  const origin = loadCells(cell, lanes);
  let sum = f32x4.splat(0);
  for (let l = 0; l < p.members; l++) {
    const x = f32x4.sub(loadCells(cell + <usize>l * stride, lanes), origin);
    v128.store(at(w.members, l), x);
    sum = f32x4.add(sum, x);
  }
  return f32x4.div(sum, f32x4.splat(<f32>p.members));
}

/** Σ meanWeights · vectors, in the basis of the tridiagonal form. */
function alongMeanWeights(w: Workspace, n: i32, vectors: usize): v128 {
  let sum = f32x4.splat(0);
  for (let i = 0; i < n; i++) sum = multiplyAdd(v128.load(at(w.meanWeights, i)), v128.load(at(vectors, i)), sum);
  return sum;
}

/** q = X Sᵀ of a variable whose anomalies are in `members`; the rows of S sum to zero, so that q needs no mean. */
function projectOnObservations(p: Letkf, w: Workspace, n: i32, q: usize): void {
  for (let a = 0; a < n; a++) {
    const row = anomaliesOf(p, w, a);
    let sum = f32x4.splat(0);
    for (let l = 0; l < p.members; l++) {
      sum = multiplyAdd(v128.load(at(w.members, l)), v128.load32_splat(row + (<usize>l << 2)), sum);
    }
    v128.store(at(q, a), f32x4.mul(v128.load(at(w.roots, a)), sum));
  }
}

/** Writes a variable: its origin, the new mean about it, and √ρ times the new anomalies about theirs, which are in `members`. */
function writeMembers(p: Letkf, w: Workspace, offset: usize, lanes: i32, centre: v128, mean: v128): void {
  const stride = <usize>p.variables * <usize>p.nx * <usize>p.ny * 4;
  const origin = loadCells(p.ensemble + offset, lanes);
  const root = f32x4.splat(p.rootInflation);
  for (let l = 0; l < p.members; l++) {
    const anomaly = f32x4.sub(v128.load(at(w.members, l)), mean);
    const value = f32x4.add(origin, multiplyAdd(root, anomaly, centre));
    storeFirst(p.analysis + offset + <usize>l * stride, value, lanes);
  }
}

function analyseDual(p: Letkf, w: Workspace, n: i32, offset: usize, lanes: i32): void {
  const t = w.triangle;
  const column = <usize>p.order << 4;
  const plane = <usize>p.nx * <usize>p.ny * 4;
  const one = f32x4.splat(1);
  const factor = f32x4.div(one, f32x4.add(one, gramOfObservations(p, w, n)));
  const unit = f32x4.max(factor, f32x4.splat(SMALLEST_UNIT));
  scale(t, n, factor);
  tridiagonalise(t, n);
  for (let a = 0; a < n; a++) {
    const innovation = v128.load32_splat(at(p.slots, slotOf(w, a)), 8);
    v128.store(at(w.results, a), f32x4.mul(v128.load(at(w.roots, a)), innovation));
  }
  if (n > 0) solveMean(w, n, unit, factor, w.results);
  for (let v: usize = 0; v < <usize>p.variables; v++) {
    const vectors = w.vectors + v * column;
    v128.store(at(w.means, <i32>v), loadMembers(p, w, p.ensemble + offset + v * plane, lanes));
    projectOnObservations(p, w, n, vectors);
    intoBasis(t, n, vectors);
    v128.store(at(w.shifts, <i32>v), alongMeanWeights(w, n, vectors));
  }
  if (n > 0) applyPoles(p, w, n, unit, factor, 8);
  for (let v: usize = 0; v < <usize>p.variables; v++) {
    const results = w.results + v * column;
    outOfBasis(t, n, results);
    const mean = loadMembers(p, w, p.ensemble + offset + v * plane, lanes);
    for (let a = 0; a < n; a++) {
      const row = anomaliesOf(p, w, a);
      const correction = f32x4.mul(v128.load(at(w.roots, a)), v128.load(at(results, a)));
      for (let l = 0; l < p.members; l++) {
        const x = at(w.members, l);
        v128.store(x, negatedMultiplyAdd(v128.load32_splat(row + (<usize>l << 2)), correction, v128.load(x)));
      }
    }
    const shift = f32x4.mul(f32x4.splat(p.meanScale), v128.load(at(w.shifts, <i32>v)));
    writeMembers(p, w, offset + v * plane, lanes, f32x4.add(mean, shift), mean);
  }
}

function analysePrimal(p: Letkf, w: Workspace, count: i32, offset: usize, lanes: i32): void {
  const t = w.triangle;
  const n = p.members;
  const column = <usize>p.order << 4;
  const plane = <usize>p.nx * <usize>p.ny * 4;
  const one = f32x4.splat(1);
  const zero = f32x4.splat(0);
  const factor = f32x4.div(one, f32x4.add(one, gramOfMembers(p, w, count)));
  const unit = f32x4.max(factor, f32x4.splat(SMALLEST_UNIT));
  scale(t, n, factor);
  tridiagonalise(t, n);
  solveMean(w, n, unit, factor, w.meanWeights);
  for (let v: usize = 0; v < <usize>p.variables; v++) {
    const vectors = w.vectors + v * column;
    const mean = loadMembers(p, w, p.ensemble + offset + v * plane, lanes);
    v128.store(at(w.means, <i32>v), mean);
    for (let l = 0; l < n; l++) v128.store(at(vectors, l), f32x4.sub(v128.load(at(w.members, l)), mean));
    intoBasis(t, n, vectors);
    v128.store(at(w.shifts, <i32>v), alongMeanWeights(w, n, vectors));
  }
  applyPoles(p, w, n, unit, unit, 4);
  for (let v: usize = 0; v < <usize>p.variables; v++) {
    const results = w.results + v * column;
    outOfBasis(t, n, results);
    for (let l = 0; l < n; l++) v128.store(at(w.members, l), v128.load(at(results, l)));
    const shift = f32x4.mul(f32x4.splat(p.meanScale), v128.load(at(w.shifts, <i32>v)));
    writeMembers(p, w, offset + v * plane, lanes, f32x4.add(v128.load(at(w.means, <i32>v)), shift), zero);
  }
}

/** Tells the first of four grid points that has too many observations. Returns whether there is one. */
function tooMany(p: Letkf, counts: usize, cell: i32, lanes: i32, report: usize): bool {
  for (let lane = 0; lane < min(lanes, 4); lane++) {
    if (i32.load(counts + (<usize>lane << 2)) <= p.localCapacity) continue;
    i32.store(report, cell + lane);
    return true;
  }
  return false;
}

export function letkfAnalysis(p: Letkf, y: i32, scratch: usize): void {
  const w = workspaceAt(p, scratch);
  const report = p.reports + (<usize>y << 2);
  i32.store(report, -1);
  const counts = scratch + 240;
  for (let x = 0; x < p.nx; x += 4) {
    const cell = y * p.nx + x;
    const lanes = p.nx - x;
    const count = findLocal(p, w, x, y, counts);
    if (tooMany(p, counts, cell, lanes, report)) return;
    const dual = p.form == DUAL || (p.form != PRIMAL && count <= p.members);
    if (dual) analyseDual(p, w, count, <usize>cell << 2, lanes);
    else analysePrimal(p, w, count, <usize>cell << 2, lanes);
  }
}
