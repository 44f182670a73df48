// The step of a scheme for a flat bottom, linearised, row by row (linear.ts has the equations): first the half steps at the places of a
// row, corners or faces, with the change or the sensitivity there; then the row of cells adds up what is around it. Four at a time; a
// part is a band of rows.
//
// At an open side, the adjoint adds the sensitivity to a ghost cell to that of the cell that it copies: the mean at a place counts twice
// there, and the difference does not count. Behind a wall and in a periodic basin the sensitivity continues as the state does.

import { multiplyAdd, negatedMultiplyAdd, splat, storeFirst } from '../../../compute/wasm/simd-library.as';
import { divergence, halfway } from './corners-library.as';
import { FIRST, H, HU, HV, XX, XY, YY, rowBytes } from './frame-library.as';
import { LinearFlatBottom } from './linear';
import { BEND, D0, D1, D2, DXX, DXY, DYY, LINEAR_ROW_ARRAYS, U, V, changeOfXX, changeOfXY, isOpen, loadLinearRow } from './linear-rows-library.as';

/**
 * Arrays of a row of places. The tangent has changes of fluxes: at corners those of five arrays, on faces those of water, normal and
 * tangential momentum. The adjoint has three of λ½ as the mean uses it, and at an open side three as the difference along x uses it.
 */
const WATER_X: usize = 0;
const CHANGE_XX: usize = 1;
const CHANGE_XY: usize = 2;
const WATER_Y: usize = 3;
const CHANGE_YY: usize = 4;
const NORMAL: usize = 1;
const TANGENTIAL: usize = 2;
const DIFFERENCE: usize = 3;
const PLACE_ARRAYS: usize = 6;

/** The first component of Aᵀ x, with the velocities n normal and t tangential to the axis. The third component is n x₂. */
// @ts-ignore: decorator
@inline
function transposedDepth(gravity: v128, h: v128, n: v128, t: v128, x1: v128, x2: v128): v128 {
  return multiplyAdd(negatedMultiplyAdd(n, n, f32x4.mul(gravity, h)), x1, f32x4.neg(f32x4.mul(f32x4.mul(n, t), x2)));
}

/** The second component. */
// @ts-ignore: decorator
@inline
function transposedNormal(n: v128, t: v128, x0: v128, x1: v128, x2: v128): v128 {
  return multiplyAdd(f32x4.add(n, n), x1, multiplyAdd(t, x2, x0));
}

/** (q_a + q_b)/2 − ratio (f_b − f_a) on faces between the cells at `a` and at `b`, by offsets of arrays. */
// @ts-ignore: decorator
@inline
function halfwayFace(a: usize, b: usize, q: usize, f: usize, ratio: v128): v128 {
  const mean = f32x4.mul(splat(0.5), f32x4.add(v128.load(a + q), v128.load(b + q)));
  return negatedMultiplyAdd(ratio, f32x4.sub(v128.load(b + f), v128.load(a + f)), mean);
}

/** Half steps at the corners between two rows. */
function corners(p: LinearFlatBottom, south: usize, north: usize, into: usize): void {
  const array = rowBytes(p.nx);
  const halfX = splat(0.5 * p.fullX);
  const halfY = splat(0.5 * p.fullY);
  const gravity = splat(p.gravity);
  const end = FIRST + (<usize>(p.nx + 1) << 2);
  for (let at = FIRST; at < end; at += 16) {
    const s = south + at;
    const n = north + at;
    const place = into + at;
    const h = halfway(s, n, H, HU * array, HV * array, halfX, halfY);
    const u = f32x4.div(halfway(s, n, HU * array, XX * array, XY * array, halfX, halfY), h);
    const v = f32x4.div(halfway(s, n, HV * array, XY * array, YY * array, halfX, halfY), h);
    if (p.isAdjoint) {
      const fullX = splat(p.fullX);
      const fullY = splat(p.fullY);
      const x0 = f32x4.mul(fullX, acrossX(s + D0 * array, n + D0 * array));
      const x1 = f32x4.mul(fullX, acrossX(s + D1 * array, n + D1 * array));
      const x2 = f32x4.mul(fullX, acrossX(s + D2 * array, n + D2 * array));
      const y0 = f32x4.mul(fullY, acrossY(s + D0 * array, n + D0 * array));
      const y1 = f32x4.mul(fullY, acrossY(s + D1 * array, n + D1 * array));
      const y2 = f32x4.mul(fullY, acrossY(s + D2 * array, n + D2 * array));
      const byX = transposedDepth(gravity, h, u, v, x1, x2);
      v128.store(place, f32x4.add(byX, transposedDepth(gravity, h, v, u, y2, y1)));
      v128.store(place + array, multiplyAdd(v, y1, transposedNormal(u, v, x0, x1, x2)));
      v128.store(place + 2 * array, multiplyAdd(u, x2, transposedNormal(v, u, y0, y2, y1)));
    } else {
      const d0 = halfway(s, n, D0 * array, D1 * array, D2 * array, halfX, halfY);
      const d1 = halfway(s, n, D1 * array, DXX * array, DXY * array, halfX, halfY);
      const d2 = halfway(s, n, D2 * array, DXY * array, DYY * array, halfX, halfY);
      v128.store(place + WATER_X * array, d1);
      v128.store(place + CHANGE_XX * array, changeOfXX(gravity, h, u, d0, d1));
      v128.store(place + CHANGE_XY * array, changeOfXY(u, v, d0, d1, d2));
      v128.store(place + WATER_Y * array, d2);
      v128.store(place + CHANGE_YY * array, changeOfXX(gravity, h, v, d0, d2));
    }
  }
  if (p.isAdjoint) weighEdges(p, into);
}

/** East minus west of the four cells around each of four corners. */
// @ts-ignore: decorator
@inline
function acrossX(south: usize, north: usize): v128 {
  const east = f32x4.add(v128.load(south), v128.load(north));
  return f32x4.sub(east, f32x4.add(v128.load(south - 4), v128.load(north - 4)));
}

/** North minus south. */
// @ts-ignore: decorator
@inline
function acrossY(south: usize, north: usize): v128 {
  const upper = f32x4.add(v128.load(north - 4), v128.load(north));
  return f32x4.sub(upper, f32x4.add(v128.load(south - 4), v128.load(south)));
}

/** Half steps on faces between cells at `a` and cells at `b`, with their normal and tangential arrays, velocities and fluxes. */
// @ts-ignore: decorator
@inline
function faces(
  p: LinearFlatBottom,
  a: usize,
  b: usize,
  into: usize,
  count: i32,
  full: f32,
  normal: usize,
  tangential: usize,
  along: usize,
  changeNormal: usize,
  changeTangential: usize,
  changeAlong: usize,
): void {
  const array = rowBytes(p.nx);
  const half = splat(0.5 * full);
  const gravity = splat(p.gravity);
  const end = FIRST + (<usize>count << 2);
  const xy = XY * array;
  for (let at = FIRST; at < end; at += 16) {
    const before = a + at;
    const after = b + at;
    const place = into + at;
    const h = halfwayFace(before, after, H, normal, half);
    const n = f32x4.div(halfwayFace(before, after, normal, along, half), h);
    const t = f32x4.div(halfwayFace(before, after, tangential, xy, half), h);
    if (p.isAdjoint) {
      const x0 = f32x4.mul(splat(full), f32x4.sub(v128.load(after + D0 * array), v128.load(before + D0 * array)));
      const x1 = f32x4.mul(splat(full), f32x4.sub(v128.load(after + changeNormal), v128.load(before + changeNormal)));
      const x2 = f32x4.mul(splat(full), f32x4.sub(v128.load(after + changeTangential), v128.load(before + changeTangential)));
      v128.store(place, transposedDepth(gravity, h, n, t, x1, x2));
      v128.store(place + NORMAL * array, transposedNormal(n, t, x0, x1, x2));
      v128.store(place + TANGENTIAL * array, f32x4.mul(n, x2));
    } else {
      const d0 = halfwayFace(before, after, D0 * array, changeNormal, half);
      const d1 = halfwayFace(before, after, changeNormal, changeAlong, half);
      const d2 = halfwayFace(before, after, changeTangential, DXY * array, half);
      v128.store(place, d1);
      v128.store(place + NORMAL * array, changeOfXX(gravity, h, n, d0, d1));
      v128.store(place + TANGENTIAL * array, changeOfXY(n, t, d0, d1, d2));
    }
  }
}

function facesAlongX(p: LinearFlatBottom, row: usize, into: usize): void {
  const array = rowBytes(p.nx);
  faces(p, row - 4, row, into, p.nx + 1, p.fullX, HU * array, HV * array, XX * array, D1 * array, D2 * array, DXX * array);
  if (p.isAdjoint) weighEdges(p, into);
}

function facesAlongY(p: LinearFlatBottom, south: usize, north: usize, into: usize): void {
  const array = rowBytes(p.nx);
  faces(p, south, north, into, p.nx, p.fullY, HV * array, HU * array, YY * array, D2 * array, D1 * array, DYY * array);
}

/** At open sides: λ½ as the mean and as the difference along x use it. */
function weighEdges(p: LinearFlatBottom, places: usize): void {
  if (!isOpen(p.boundaryX)) return;
  const array = rowBytes(p.nx);
  memory.copy(places + DIFFERENCE * array, places, 3 * array);
  for (let variable: usize = 0; variable < 3; variable++) {
    for (let edge = 0; edge < 2; edge++) {
      const at = places + variable * array + FIRST + (<usize>(edge * p.nx) << 2);
      f32.store(at, 2 * f32.load(at));
      f32.store(at + DIFFERENCE * array, 0);
    }
  }
}

/** δₓ²δᵧ² of the vector at four cells. */
// @ts-ignore: decorator
@inline
function checkerboard(south: usize, row: usize, north: usize): v128 {
  const here = v128.load(row);
  return f32x4.add(f32x4.sub(v128.load(north), f32x4.add(here, here)), v128.load(south));
}

/** The vector at four cells of a row, damped. */
// @ts-ignore: decorator
@inline
function damped(p: LinearFlatBottom, south: usize, row: usize, north: usize, variable: usize, array: usize): v128 {
  const d = v128.load(row + (D0 + variable) * array);
  if (p.damping == 0) return d;
  const bend = (BEND + variable) * array;
  return negatedMultiplyAdd(splat(p.damping), checkerboard(south + bend, row + bend, north + bend), d);
}

/** What four cells lose through their faces. */
// @ts-ignore: decorator
@inline
function outflow(p: LinearFlatBottom, x: usize, below: usize, above: usize): v128 {
  const alongX = f32x4.sub(v128.load(x, 4), v128.load(x));
  const alongY = f32x4.sub(v128.load(above), v128.load(below));
  return multiplyAdd(splat(p.fullX), alongX, f32x4.mul(splat(p.fullY), alongY));
}

/** A row of cells of the tangent: `x` has its faces along x, `below` and `above` those along y, or its corners. */
function changeRow(p: LinearFlatBottom, south: usize, row: usize, north: usize, x: usize, below: usize, above: usize, to: usize): void {
  const nx = p.nx;
  const array = rowBytes(nx);
  const cells = <usize>nx * <usize>p.ny * 4;
  const fullX = splat(p.fullX);
  const fullY = splat(p.fullY);
  const drag = splat(p.drag);
  for (let i = 0; i < nx; i += 4) {
    const at = FIRST + (<usize>i << 2);
    const b = below + at;
    const a = above + at;
    let taken0: v128;
    let taken1: v128;
    let taken2: v128;
    if (p.hasCorners) {
      taken0 = divergence(b, a, WATER_X * array, WATER_Y * array, fullX, fullY);
      taken1 = divergence(b, a, CHANGE_XX * array, CHANGE_XY * array, fullX, fullY);
      taken2 = divergence(b, a, CHANGE_XY * array, CHANGE_YY * array, fullX, fullY);
    } else {
      const normal = NORMAL * array;
      const tangential = TANGENTIAL * array;
      taken0 = outflow(p, x + at, b, a);
      taken1 = outflow(p, x + at + normal, b + tangential, a + tangential);
      taken2 = outflow(p, x + at + tangential, b + normal, a + normal);
    }
    const s = south + at;
    const c = row + at;
    const n = north + at;
    const target = to + (<usize>i << 2);
    storeFirst(target, f32x4.sub(damped(p, s, c, n, 0, array), taken0), nx - i);
    storeFirst(target + cells, f32x4.mul(drag, f32x4.sub(damped(p, s, c, n, 1, array), taken1)), nx - i);
    storeFirst(target + 2 * cells, f32x4.mul(drag, f32x4.sub(damped(p, s, c, n, 2, array), taken2)), nx - i);
  }
}

/** Sum of λ½ at the corners around four cells, weighted by row. */
// @ts-ignore: decorator
@inline
function weighted(below: usize, above: usize, lower: v128, upper: v128): v128 {
  const south = f32x4.add(v128.load(below), v128.load(below, 4));
  const north = f32x4.add(v128.load(above), v128.load(above, 4));
  return multiplyAdd(lower, south, f32x4.mul(upper, north));
}

/** The same of west minus east. */
// @ts-ignore: decorator
@inline
function weightedDifference(below: usize, above: usize, lower: v128, upper: v128): v128 {
  const south = f32x4.sub(v128.load(below), v128.load(below, 4));
  const north = f32x4.sub(v128.load(above), v128.load(above, 4));
  return multiplyAdd(lower, south, f32x4.mul(upper, north));
}

/** A row of cells of the adjoint, as `changeRow`. */
function gatherRow(p: LinearFlatBottom, j: i32, south: usize, row: usize, north: usize, x: usize, below: usize, above: usize, to: usize): void {
  const nx = p.nx;
  const array = rowBytes(nx);
  const cells = <usize>nx * <usize>p.ny * 4;
  const gravity = splat(p.gravity);
  const drag = splat(p.drag);
  const isLowest = isOpen(p.boundaryY) && j == 0;
  const isHighest = isOpen(p.boundaryY) && j == p.ny - 1;
  const share = splat(p.hasCorners ? 0.25 : 0.5);
  const lower = splat(isLowest ? 2 : 1);
  const upper = splat(isHighest ? 2 : 1);
  const lowerDifference = splat(isLowest ? 0 : 1);
  const upperDifference = splat(isHighest ? 0 : -1);
  const difference = isOpen(p.boundaryX) ? DIFFERENCE * array : 0;
  const halfX = splat(-0.5 * p.fullX);
  const halfY = splat(-0.5 * p.fullY);
  // Where the momenta along x and along y are at faces along y.
  const first = TANGENTIAL * array;
  const second = NORMAL * array;
  for (let i = 0; i < nx; i += 4) {
    const at = FIRST + (<usize>i << 2);
    const b = below + at;
    const a = above + at;
    let m0: v128, m1: v128, m2: v128, x0: v128, x1: v128, x2: v128, y0: v128, y1: v128, y2: v128;
    if (p.hasCorners) {
      m0 = weighted(b, a, lower, upper);
      m1 = weighted(b + array, a + array, lower, upper);
      m2 = weighted(b + 2 * array, a + 2 * array, lower, upper);
      x0 = weightedDifference(b + difference, a + difference, lower, upper);
      x1 = weightedDifference(b + difference + array, a + difference + array, lower, upper);
      x2 = weightedDifference(b + difference + 2 * array, a + difference + 2 * array, lower, upper);
      y0 = weighted(b, a, lowerDifference, upperDifference);
      y1 = weighted(b + array, a + array, lowerDifference, upperDifference);
      y2 = weighted(b + 2 * array, a + 2 * array, lowerDifference, upperDifference);
    } else {
      const f = x + at;
      const d = f + difference;
      const south0 = v128.load(b);
      const north0 = v128.load(a);
      const south1 = v128.load(b + first);
      const north1 = v128.load(a + first);
      const south2 = v128.load(b + second);
      const north2 = v128.load(a + second);
      m0 = multiplyAdd(lower, south0, multiplyAdd(upper, north0, f32x4.add(v128.load(f), v128.load(f, 4))));
      m1 = multiplyAdd(lower, south1, multiplyAdd(upper, north1, f32x4.add(v128.load(f + array), v128.load(f + array, 4))));
      m2 = multiplyAdd(lower, south2, multiplyAdd(upper, north2, f32x4.add(v128.load(f + 2 * array), v128.load(f + 2 * array, 4))));
      x0 = f32x4.sub(v128.load(d), v128.load(d, 4));
      x1 = f32x4.sub(v128.load(d + array), v128.load(d + array, 4));
      x2 = f32x4.sub(v128.load(d + 2 * array), v128.load(d + 2 * array, 4));
      y0 = multiplyAdd(lowerDifference, south0, f32x4.mul(upperDifference, north0));
      y1 = multiplyAdd(lowerDifference, south1, f32x4.mul(upperDifference, north1));
      y2 = multiplyAdd(lowerDifference, south2, f32x4.mul(upperDifference, north2));
    }
    const s = south + at;
    const c = row + at;
    const n = north + at;
    const h = v128.load(c);
    const u = v128.load(c + U * array);
    const v = v128.load(c + V * array);
    const depth = f32x4.add(
      f32x4.mul(halfX, transposedDepth(gravity, h, u, v, x1, x2)),
      f32x4.mul(halfY, transposedDepth(gravity, h, v, u, y2, y1)),
    );
    const alongX = f32x4.add(
      f32x4.mul(halfX, transposedNormal(u, v, x0, x1, x2)),
      f32x4.mul(halfY, f32x4.mul(v, y1)),
    );
    const alongY = f32x4.add(
      f32x4.mul(halfX, f32x4.mul(u, x2)),
      f32x4.mul(halfY, transposedNormal(v, u, y0, y2, y1)),
    );
    const target = to + (<usize>i << 2);
    storeFirst(target, multiplyAdd(share, m0, f32x4.add(damped(p, s, c, n, 0, array), depth)), nx - i);
    storeFirst(target + cells, f32x4.mul(drag, multiplyAdd(share, m1, f32x4.add(damped(p, s, c, n, 1, array), alongX))), nx - i);
    storeFirst(target + 2 * cells, f32x4.mul(drag, multiplyAdd(share, m2, f32x4.add(damped(p, s, c, n, 2, array), alongY))), nx - i);
  }
}

/** The places between two rows. */
function placesBetween(p: LinearFlatBottom, south: usize, north: usize, into: usize): void {
  if (p.hasCorners) corners(p, south, north, into);
  else facesAlongY(p, south, north, into);
}

/** A part is a band of rows. */
export function linearFlatBottom(p: LinearFlatBottom, part: i32, scratch: usize): void {
  const array = rowBytes(p.nx);
  const j0 = part * p.rowsPerBand;
  const j1 = min(j0 + p.rowsPerBand, p.ny);
  let south = scratch;
  let row = south + LINEAR_ROW_ARRAYS * array;
  let north = row + LINEAR_ROW_ARRAYS * array;
  const x = north + LINEAR_ROW_ARRAYS * array;
  let below = x + PLACE_ARRAYS * array;
  let above = below + PLACE_ARRAYS * array;
  loadLinearRow(p, j0 - 1, row);
  loadLinearRow(p, j0, north);
  placesBetween(p, row, north, below);
  for (let j = j0; j < j1; j++) {
    const freed = south;
    south = row;
    row = north;
    north = freed;
    loadLinearRow(p, j + 1, north);
    placesBetween(p, row, north, above);
    if (!p.hasCorners) facesAlongX(p, row, x);
    const to = p.output + <usize>j * <usize>p.nx * 4;
    if (p.isAdjoint) gatherRow(p, j, south, row, north, x, below, above, to);
    else changeRow(p, south, row, north, x, below, above, to);
    const swapped = below;
    below = above;
    above = swapped;
  }
}
