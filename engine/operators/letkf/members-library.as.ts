// The members at four neighbouring grid points: read about the first of them, and written about their new mean.

import { multiplyAdd, storeFirst } from '../../compute/wasm/simd-library.as';
import { Letkf } from './wasm';
import { Workspace, at } from './workspace-library.as';

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
export function loadMembers(p: Letkf, w: Workspace, cell: usize, lanes: i32): v128 {
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

/** Writes a variable: its origin, the new mean about it, and √ρ times the new anomalies about theirs, which are in `members`. */
export function writeMembers(p: Letkf, w: Workspace, offset: usize, lanes: i32, centre: v128, mean: v128): void {
  const stride = <usize>p.variables * <usize>p.nx * <usize>p.ny * 4;
  const origin = loadCells(p.ensemble + offset, lanes);
  const root = f32x4.splat(p.rootInflation);
  for (let l = 0; l < p.members; l++) {
    const anomaly = f32x4.sub(v128.load(at(w.members, l)), mean);
    const value = f32x4.add(origin, multiplyAdd(root, anomaly, centre));
    storeFirst(p.analysis + offset + <usize>l * stride, value, lanes);
  }
}
