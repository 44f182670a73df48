// The places of the parts of the LETKF's work space: arrays of vectors, one grid point a lane.

import { Letkf } from './wasm';
import { Tridiagonal } from './tridiagonal-library.as';

/** Parts of the work space. */
@unmanaged
export class Workspace {
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
export function workspaceAt(p: Letkf, scratch: usize): Workspace {
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
