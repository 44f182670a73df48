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

import { analyseDual, analysePrimal } from './forms-library.as';
import { Letkf } from './wasm';
import { workspaceAt, Workspace, at } from './workspace-library.as';
import { whiten } from './whitening-library.as';
import { gaspariCohn, shortest } from '../localisation/taper-library.as';

/** Slots of a part. */
const SLOTS_OF_PART: i32 = 256;

function standardiseSlot(p: Letkf, slot: i32): void {
  const observation = <usize>i32.load(p.binObservations + (<usize>slot << 2)) << 2;
  const stride = <usize>p.observations << 2;
  const scale = f32.load(p.inverseErrorStd + observation);
  const present = scale > 0;
  const observed = p.observedEnsemble + observation;
  // About the first member, so that the mean keeps the digits of the anomalies.
  const first = f32.load(observed);
  let sum: f32 = 0;
  for (let l: usize = 1; l < <usize>p.members; l++) sum += f32.load(observed + l * stride) - first;
  const mean = sum / <f32>p.members;
  const row = p.anomalies + <usize>slot * (<usize>p.padded << 2);
  for (let l: usize = 0; l < <usize>p.padded; l++) {
    const there = present && l < <usize>p.members;
    const anomaly: f32 = there ? scale * p.meanScale * (f32.load(observed + l * stride) - first - mean) : 0;
    f32.store(row + (l << 2), anomaly);
  }
  const known = p.slots + (<usize>slot << 4);
  f32.store(known, f32.load(p.positionX + observation));
  f32.store(known, f32.load(p.positionY + observation), 4);
  f32.store(known, present ? scale * (f32.load(p.values + observation) - first - mean) : 0, 8);
  f32.store(known, present ? 1 : 0, 12);
}

// Observations in units of their error, in the order of the bins, so that the analysis reads neighbours one after the other.
export function letkfStandardise(p: Letkf, part: i32, scratch: usize): void {
  const end = min((part + 1) * SLOTS_OF_PART, p.observations);
  for (let slot = part * SLOTS_OF_PART; slot < end; slot++) standardiseSlot(p, slot);
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

/** Reports the first of four grid points that has too many observations. Returns whether there is one. */
function tooMany(p: Letkf, counts: usize, cell: i32, lanes: i32, report: usize): bool {
  for (let lane = 0; lane < min(lanes, 4); lane++) {
    if (i32.load(counts + (<usize>lane << 2)) <= p.localCapacity) continue;
    i32.store(report, cell + lane);
    return true;
  }
  return false;
}

const DUAL: i32 = 1;
const PRIMAL: i32 = 2;

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
    if (p.isCorrelated) whiten(p, w, count);
    const dual = p.form == DUAL || (p.form != PRIMAL && count <= p.members);
    if (dual) analyseDual(p, w, count, <usize>cell << 2, lanes);
    else analysePrimal(p, w, count, <usize>cell << 2, lanes);
  }
}
