// The places of the parts of the LETKF's work space: arrays of vectors, one grid point a lane.

import { Letkf } from './wasm';
import { Tridiagonal } from './tridiagonal-library.as';
import { multiplyAdd, storeFirst } from '../../compute/wasm/simd-library.as';

/** Parts of the work space. */
@unmanaged
export class Workspace {
  triangle: Tridiagonal;
  /** [order]: (I + G)⁻¹ d in the basis of the tridiagonal form. */
  meanWeights: usize;
  /** [variables][order]: right sides, and what a function of the matrix makes of them. */
  vectors: usize;
  results: usize;
  /** [variables][members][p.tile]: cells of a row, before their analysis and after it. */
  tile: usize;
  /** [members]: anomalies of a variable about its first member. */
  members: usize;
  /** [variables]: mean about the first member, and shift of the mean. */
  means: usize;
  shifts: usize;
  /** Listed observations: their slots, and the roots of their weights in the four lanes. */
  listed: usize;
  roots: usize;
  /** Where errors are correlated: L by rows, 1 over its diagonal in the place of this; L⁻¹ √w D⁻¹ of Y, scaled as `anomalies`, and of yᵒ − ȳ. */
  root: usize;
  whitened: usize;
  innovations: usize;
  /** √ρ of the four lanes. */
  rootInflation: usize;
  /** How many of the listed observations are in reach of each lane. */
  counts: usize;
}

/** Lays the parts out behind each other; `workspaceBytes` of wasm.ts counts them. */
export function workspaceAt(p: Letkf, scratch: usize): Workspace {
  const w = changetype<Workspace>(scratch);
  const t = changetype<Tridiagonal>(scratch + 128);
  const column = <usize>p.order << 4;
  w.triangle = t;
  w.rootInflation = scratch + 192;
  w.counts = scratch + 240;
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
  w.tile = next;
  next += <usize>(p.variables * p.members * p.tile) << 2;
  w.members = next;
  next += <usize>p.padded << 4;
  w.means = next;
  next += <usize>p.variables << 4;
  w.shifts = next;
  next += <usize>p.variables << 4;
  w.roots = next;
  next += <usize>p.observations << 4;
  const most = <usize>min(p.observations, 4 * p.localCapacity);
  w.root = next;
  w.whitened = w.root + ((most * (most + 1)) << 3);
  w.innovations = w.whitened + most * (<usize>p.padded << 4);
  w.listed = p.isCorrelated ? w.innovations + (most << 4) : next;
  return w;
}

// @ts-ignore: decorator
@inline
export function at(base: usize, i: i32): usize {
  return base + (<usize>i << 4);
}

// @ts-ignore: decorator
@inline
export function slotOf(w: Workspace, a: i32): i32 {
  return i32.load(w.listed + (<usize>a << 2));
}

// @ts-ignore: decorator
@inline
export function anomaliesOf(p: Letkf, w: Workspace, a: i32): usize {
  return p.anomalies + <usize>slotOf(w, a) * (<usize>p.padded << 2);
}

/** Four cells of a field; those beyond the row's end repeat the last. */
// @ts-ignore: decorator
@inline
export function fourCells(cell: usize, lanes: i32): v128 {
  if (lanes >= 4) return v128.load(cell);
  let v = v128.load32_splat(cell + (<usize>(lanes - 1) << 2));
  v = f32x4.replace_lane(v, 0, f32.load(cell));
  if (lanes > 1) v = f32x4.replace_lane(v, 1, f32.load(cell, 4));
  if (lanes > 2) v = f32x4.replace_lane(v, 2, f32.load(cell, 8));
  return v;
}

/** Bytes from one member to the next in the tile. */
// @ts-ignore: decorator
@inline
function tileStride(p: Letkf): usize {
  return <usize>p.tile << 2;
}

/** Loads so many cells of all members into the tile: much of each at a time, since members are far apart in memory. */
export function loadTile(p: Letkf, w: Workspace, offset: usize, cells: i32): void {
  const plane = <usize>p.nx * <usize>p.ny * 4;
  for (let l = 0; l < p.members; l++) {
    for (let v = 0; v < p.variables; v++) {
      const from = p.ensemble + offset + <usize>(l * p.variables + v) * plane;
      const to = w.tile + <usize>(v * p.members + l) * tileStride(p);
      for (let c = 0; c < cells; c += 4) {
        v128.store(to + (<usize>c << 2), fourCells(from + (<usize>c << 2), cells - c));
      }
    }
  }
}

/** Stores so many cells of the tile. */
export function storeTile(p: Letkf, w: Workspace, offset: usize, cells: i32): void {
  const plane = <usize>p.nx * <usize>p.ny * 4;
  for (let l = 0; l < p.members; l++) {
    for (let v = 0; v < p.variables; v++) {
      const to = p.analysis + offset + <usize>(l * p.variables + v) * plane;
      const from = w.tile + <usize>(v * p.members + l) * tileStride(p);
      for (let c = 0; c < cells; c += 4) {
        storeFirst(to + (<usize>c << 2), v128.load(from + (<usize>c << 2)), cells - c);
      }
    }
  }
}

/** A variable of four cells in the tile, of the first member. */
// @ts-ignore: decorator
@inline
export function inTile(p: Letkf, w: Workspace, variable: usize, four: i32): usize {
  return w.tile + variable * <usize>p.members * tileStride(p) + (<usize>four << 2);
}

/** Anomalies of a variable about its first member into `members`. Returns their mean. */
export function loadMembers(p: Letkf, w: Workspace, cell: usize): v128 {
  const stride = tileStride(p);
  const origin = v128.load(cell);
  let sum = f32x4.splat(0);
  for (let l = 0; l < p.members; l++) {
    const x = f32x4.sub(v128.load(cell + <usize>l * stride), origin);
    v128.store(at(w.members, l), x);
    sum = f32x4.add(sum, x);
  }
  return f32x4.div(sum, f32x4.splat(<f32>p.members));
}

/** Writes a variable: its origin, the new mean about it, and √ρ times the new anomalies about theirs, which are in `members`. */
export function writeMembers(p: Letkf, w: Workspace, cell: usize, centre: v128, mean: v128): void {
  const stride = tileStride(p);
  const origin = v128.load(cell);
  const root = v128.load(w.rootInflation);
  for (let l = 0; l < p.members; l++) {
    const anomaly = f32x4.sub(v128.load(at(w.members, l)), mean);
    v128.store(cell + <usize>l * stride, f32x4.add(origin, multiplyAdd(root, anomaly, centre)));
  }
}
