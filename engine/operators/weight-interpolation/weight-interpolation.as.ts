// Weights known at the nodes of a coarse grid, interpolated to the cells of a row and applied there (index.ts has the formula):
// first along y, into the transforms of the row's nodes, then along x, four cells at a time. A part is a row of the grid.

import { loadFirst, multiplyAdd, storeFirst } from '../../compute/wasm/simd-library.as';
import { WeightInterpolation } from './index';

/** Variables that are combined at once: their members, [member][3], begin the work space. */
const VARIABLES: i32 = 3;

/** The transforms of four cells: where those of the nodes to their left and right are, and the share of the right ones. */
@unmanaged
class Cells {
  left0: usize;
  left1: usize;
  left2: usize;
  left3: usize;
  right0: usize;
  right1: usize;
  right2: usize;
  right3: usize;
}

/** The node to the left (side 0) or right (1) of a cell along x, or from nx on along y. */
// @ts-ignore: decorator
@inline
function nodeAt(p: WeightInterpolation, cell: i32, side: i32): i32 {
  return i32.load(p.nodes + (<usize>(2 * cell + side) << 2));
}

// @ts-ignore: decorator
@inline
function fractionAt(p: WeightInterpolation, cell: i32): f32 {
  return f32.load(p.fractions + (<usize>cell << 2));
}

/** Four numbers at four places, `at` bytes on. */
// @ts-ignore: decorator
@inline
function gather(a: usize, b: usize, c: usize, d: usize, at: usize): v128 {
  let four = v128.load32_zero(a + at);
  four = v128.load32_lane(b + at, four, 1);
  four = v128.load32_lane(c + at, four, 2);
  return v128.load32_lane(d + at, four, 3);
}

/** The transforms of the row's nodes, [node][i][m], into `row`. */
function interpolateAlongY(p: WeightInterpolation, y: i32, row: usize): void {
  const plane = <usize>(p.nodesX * p.nodesY) << 2;
  const below = p.weights + (<usize>(nodeAt(p, p.nx + y, 0) * p.nodesX) << 2);
  const above = p.weights + (<usize>(nodeAt(p, p.nx + y, 1) * p.nodesX) << 2);
  const share = fractionAt(p, p.nx + y);
  const apart = <usize>p.stride << 2;
  for (let e = 0; e < p.members * p.members; e++) {
    const at = <usize>e * plane;
    let to = row + (<usize>e << 2);
    for (let node: usize = 0; node < <usize>p.nodesX; node++) {
      const one = f32.load(below + at + (node << 2));
      f32.store(to, one + share * (f32.load(above + at + (node << 2)) - one));
      to += apart;
    }
  }
}

/** The weight at byte `at` of the four transforms. */
// @ts-ignore: decorator
@inline
function weightsOf(cells: Cells, share: v128, at: usize, alike: bool): v128 {
  if (alike) {
    const left = v128.load32_splat(cells.left0 + at);
    return multiplyAdd(share, f32x4.sub(v128.load32_splat(cells.right0 + at), left), left);
  }
  const left = gather(cells.left0, cells.left1, cells.left2, cells.left3, at);
  const right = gather(cells.right0, cells.right1, cells.right2, cells.right3, at);
  return multiplyAdd(share, f32x4.sub(right, left), left);
}

/** Members of up to three variables about their first ones, zeros beyond the last variable. */
function loadMembers(p: WeightInterpolation, cell: usize, variables: i32, lanes: i32, members: usize): void {
  const plane = <usize>(p.nx * p.ny) << 2;
  const stride = <usize>p.variables * plane;
  for (let v: usize = 0; v < <usize>VARIABLES; v++) {
    let from = p.ensemble + cell + v * plane;
    const origin = v < <usize>variables ? loadFirst(from, lanes, 0) : f32x4.splat(0);
    for (let m = 0; m < p.members; m++) {
      const x = v < <usize>variables ? f32x4.sub(loadFirst(from, lanes, 0), origin) : origin;
      v128.store(members + ((<usize>(m * VARIABLES) + v) << 4), x);
      from += stride;
    }
  }
}

function combine(
  p: WeightInterpolation,
  cells: Cells,
  share: v128,
  alike: bool,
  cell: usize,
  variables: i32,
  lanes: i32,
  members: usize,
): void {
  const plane = <usize>(p.nx * p.ny) << 2;
  const stride = <usize>p.variables * plane;
  const from = p.ensemble + cell;
  let to = p.analysis + cell;
  let at: usize = 0;
  for (let i = 0; i < p.members; i++) {
    let first = f32x4.splat(0);
    let second = f32x4.splat(0);
    let third = f32x4.splat(0);
    let x = members;
    for (let m = 0; m < p.members; m++) {
      const weight = weightsOf(cells, share, at, alike);
      first = multiplyAdd(weight, v128.load(x), first);
      if (variables > 1) {
        second = multiplyAdd(weight, v128.load(x, 16), second);
        third = multiplyAdd(weight, v128.load(x, 32), third);
      }
      at += 4;
      x += <usize>VARIABLES << 4;
    }
    storeFirst(to, f32x4.add(loadFirst(from, lanes, 0), first), lanes);
    if (variables > 1) storeFirst(to + plane, f32x4.add(loadFirst(from + plane, lanes, 0), second), lanes);
    if (variables > 2) storeFirst(to + 2 * plane, f32x4.add(loadFirst(from + 2 * plane, lanes, 0), third), lanes);
    to += stride;
  }
}

export function weightInterpolation(p: WeightInterpolation, y: i32, scratch: usize): void {
  const cells = changetype<Cells>(scratch);
  const members = scratch + 64;
  const row = members + (<usize>(p.members * VARIABLES) << 4);
  const apart = <usize>p.stride << 2;
  interpolateAlongY(p, y, row);
  for (let x = 0; x < p.nx; x += 4) {
    const last = p.nx - 1;
    const b = min(x + 1, last);
    const c = min(x + 2, last);
    const d = min(x + 3, last);
    cells.left0 = row + <usize>nodeAt(p, x, 0) * apart;
    cells.left1 = row + <usize>nodeAt(p, b, 0) * apart;
    cells.left2 = row + <usize>nodeAt(p, c, 0) * apart;
    cells.left3 = row + <usize>nodeAt(p, d, 0) * apart;
    cells.right0 = row + <usize>nodeAt(p, x, 1) * apart;
    cells.right1 = row + <usize>nodeAt(p, b, 1) * apart;
    cells.right2 = row + <usize>nodeAt(p, c, 1) * apart;
    cells.right3 = row + <usize>nodeAt(p, d, 1) * apart;
    let share = f32x4.splat(fractionAt(p, x));
    share = f32x4.replace_lane(share, 1, fractionAt(p, b));
    share = f32x4.replace_lane(share, 2, fractionAt(p, c));
    share = f32x4.replace_lane(share, 3, fractionAt(p, d));
    // Nodes lie in the order of the cells: between the outer two, the inner ones are theirs.
    const alike = cells.left0 == cells.left3 && cells.right0 == cells.right3;
    const lanes = p.nx - x;
    for (let v = 0; v < p.variables; v += VARIABLES) {
      const cell = <usize>(v * p.nx * p.ny + y * p.nx + x) << 2;
      const variables = min(VARIABLES, p.variables - v);
      loadMembers(p, cell, variables, lanes, members);
      combine(p, cells, share, alike, cell, variables, lanes, members);
    }
  }
}
