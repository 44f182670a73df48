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

import { analyseDual } from './dual-library.as';
import { findLocal, tooMany } from './local-library.as';
import { analysePrimal } from './primal-library.as';
import { Letkf } from './wasm';
import { workspaceAt } from './workspace-library.as';

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
    const dual = p.form == DUAL || (p.form != PRIMAL && count <= p.members);
    if (dual) analyseDual(p, w, count, <usize>cell << 2, lanes);
    else analysePrimal(p, w, count, <usize>cell << 2, lanes);
  }
}
