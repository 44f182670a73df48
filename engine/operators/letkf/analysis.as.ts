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

import { analyseDual, analysePrimal, isDual } from './forms-library.as';
import { Letkf } from './wasm';
import { findLocal, tooMany } from './local-library.as';
import { at, fourCells, loadTile, storeTile, workspaceAt, Workspace } from './workspace-library.as';
import { stretchWhitened, whiten } from './whitening-library.as';

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

/** Rows of S and d √ρ times as large, and √ρ for the anomalies, where grid points have factors of their own. */
function stretch(p: Letkf, w: Workspace, count: i32, offset: usize, lanes: i32): void {
  v128.store(w.rootInflation, f32x4.splat(p.rootInflation));
  if (!p.isInflated) return;
  const root = f32x4.sqrt(fourCells(p.factor + offset, lanes));
  v128.store(w.rootInflation, f32x4.mul(f32x4.splat(p.rootInflation), root));
  if (p.isCorrelated) stretchWhitened(p, w, count, root);
  else for (let a = 0; a < count; a++) v128.store(at(w.roots, a), f32x4.mul(root, v128.load(at(w.roots, a))));
}

export function letkfAnalysis(p: Letkf, y: i32, scratch: usize): void {
  const w = workspaceAt(p, scratch);
  const report = p.reports + (<usize>y << 2);
  i32.store(report, -1);
  for (let first = 0; first < p.nx; first += p.tile) {
    const offset = <usize>(y * p.nx + first) << 2;
    const cells = min(p.tile, p.nx - first);
    loadTile(p, w, offset, cells);
    for (let four = 0; four < cells; four += 4) {
      const cell = y * p.nx + first + four;
      const lanes = cells - four;
      const count = findLocal(p, w, first + four, y);
      if (tooMany(p, w, cell, lanes, report)) return;
      if (p.isCorrelated) whiten(p, w, count);
      stretch(p, w, count, <usize>cell << 2, lanes);
      if (isDual(p, count)) analyseDual(p, w, count, four);
      else analysePrimal(p, w, count, four);
    }
    storeTile(p, w, offset, cells);
  }
}
