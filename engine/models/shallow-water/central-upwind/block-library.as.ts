// A block of rows of one member, with three rings of ghost cells: the arrays that the central-upwind scheme works on, and their layout
// in the work space. In a row's array the cell i is at 4 + i; row j of the block j0 … j1 is at j − j0 + 3.

import { loadFirst, multiplyAdd, unlessBelow } from '../../../compute/wasm/simd-library.as';
import { AT_REST, sourceIndex, sourceSign } from '../water-library.as';
import { CentralUpwind } from './devices';

/** Rings of ghost cells. */
export const RINGS: i32 = 3;
/** Rows of a block, at most. */
export const BLOCK_ROWS: i32 = 16;
/** Offset of the first cell in an array of a row, bytes. */
export const FIRST: usize = 16;

/** Arrays of a block, by row: elevation, depth, velocities, bed, and the largest speed that water running out can have. */
export const ETA: i32 = 0;
export const DEPTH: i32 = 1;
export const U: i32 = 2;
export const V: i32 = 3;
export const GROUND: i32 = 4;
export const FRONT: i32 = 5;
/** Through the near face of each cell along x and along y: five fluxes and the slope's force each. */
export const X_FACES: i32 = 6;
export const Y_FACES: i32 = 12;
export const WATER: i32 = 0;
export const ADVECTION: i32 = 1;
export const BEFORE: i32 = 2;
export const AFTER: i32 = 3;
export const TANGENTIAL: i32 = 4;
export const FORCE: i32 = 5;
export const SHARE: i32 = 18;
/** Slopes within the cells of two rows: half differences of η and of the velocities, bed at the near and at the far face. */
export const SLOPES: i32 = 19;
export const RISE: i32 = 0;
export const GAIN: i32 = 1;
export const SHEAR: i32 = 2;
export const NEAR_GROUND: i32 = 3;
export const FAR_GROUND: i32 = 4;
export const SLOPE_ARRAYS: i32 = 5;

/** Bytes of a row's array. */
// @ts-ignore: decorator
@inline
export function rowBytes(nx: i32): usize {
  return <usize>(((nx + 3) & ~3) + 16) << 2;
}

/** Row `row` (from −3 on, of the block) of an array. */
// @ts-ignore: decorator
@inline
export function rowOf(scratch: usize, array: i32, row: i32, bytes: usize): usize {
  return scratch + <usize>(array * (BLOCK_ROWS + 2 * RINGS) + row + RINGS) * bytes;
}

/** The arrays of slopes have two rows: one for odd and one for even rows. */
// @ts-ignore: decorator
@inline
export function slopesOf(scratch: usize, array: i32, row: i32, bytes: usize): usize {
  const slopes = scratch + <usize>(SLOPES * (BLOCK_ROWS + 2 * RINGS)) * bytes;
  return slopes + <usize>(2 * array + (row & 1)) * bytes;
}

// @ts-ignore: decorator
@inline
export function hasFriction(p: CentralUpwind): bool {
  return p.friction > 0 || p.drag < 1;
}

/**
 * Factor of the momentum after half a step of friction: the exact solution of dq/dt = −g n² |q| q / h^(7/3) at constant depth,
 * between two halves of the linear drag.
 */
export function frictionFactor(p: CentralUpwind, depth: v128, hu: v128, hv: v128): v128 {
  const drag = f32x4.splat(p.drag);
  const speed = f32x4.mul(drag, f32x4.sqrt(f32x4.add(f32x4.mul(hu, hu), f32x4.mul(hv, hv))));
  let root = f32x4.splat(Mathf.cbrt(f32x4.extract_lane(depth, 0)));
  root = f32x4.replace_lane(root, 1, Mathf.cbrt(f32x4.extract_lane(depth, 1)));
  root = f32x4.replace_lane(root, 2, Mathf.cbrt(f32x4.extract_lane(depth, 2)));
  root = f32x4.replace_lane(root, 3, Mathf.cbrt(f32x4.extract_lane(depth, 3)));
  const power = f32x4.mul(f32x4.mul(depth, depth), root);
  const one = f32x4.splat(1);
  const factor = f32x4.div(
    f32x4.mul(drag, drag),
    f32x4.add(one, f32x4.div(f32x4.mul(f32x4.splat(p.friction), speed), power)),
  );
  return v128.bitselect(factor, one, f32x4.gt(depth, f32x4.splat(p.dryDepth)));
}

/** Ghost cell `to` of a row from the cell `from`, indices of its arrays. */
function copyCell(scratch: usize, row: i32, bytes: usize, to: i32, from: i32, sign: f32): void {
  for (let array = ETA; array <= FRONT; array++) {
    const values = rowOf(scratch, array, row, bytes);
    const value = f32.load(values + (<usize>from << 2));
    f32.store(values + (<usize>to << 2), array == U ? sign * value : value);
  }
}

/** Row j of a member, of the block that begins at j0, with its ghost cells. */
export function loadRow(p: CentralUpwind, member: usize, j: i32, j0: i32, stage: i32, scratch: usize): void {
  const nx = p.nx;
  const bytes = rowBytes(nx);
  const cells = <usize>(nx * p.ny) << 2;
  const source = <usize>(sourceIndex(j, p.ny, p.boundaryY) * nx) << 2;
  const signY = f32x4.splat(sourceSign(j, p.ny, p.boundaryY));
  const dry = f32x4.splat(p.dryDepth);
  const gravity = f32x4.splat(p.gravity);
  const zero = f32x4.splat(0);
  const row = j - j0;
  const etaRow = rowOf(scratch, ETA, row, bytes) + FIRST;
  const depthRow = rowOf(scratch, DEPTH, row, bytes) + FIRST;
  const uRow = rowOf(scratch, U, row, bytes) + FIRST;
  const vRow = rowOf(scratch, V, row, bytes) + FIRST;
  const groundRow = rowOf(scratch, GROUND, row, bytes) + FIRST;
  const frontRow = rowOf(scratch, FRONT, row, bytes) + FIRST;
  for (let i = 0; i < nx; i += 4) {
    const at = <usize>i << 2;
    const from = member + source + at;
    const ground = loadFirst(p.bed + source + at, nx - i, 0);
    let eta = loadFirst(from, nx - i, 0);
    const least = f32x4.mul(f32x4.splat(AT_REST), f32x4.sub(eta, ground));
    eta = unlessBelow(least, eta);
    let hu = unlessBelow(least, loadFirst(from + cells, nx - i, 0));
    let hv = unlessBelow(least, loadFirst(from + 2 * cells, nx - i, 0));
    const depth = f32x4.pmax(f32x4.sub(eta, ground), zero);
    if (stage == 1 && hasFriction(p)) {
      const factor = frictionFactor(p, depth, hu, hv);
      hu = f32x4.mul(factor, hu);
      hv = f32x4.mul(factor, hv);
    }
    const wet = f32x4.gt(depth, dry);
    const u = v128.and(f32x4.div(hu, depth), wet);
    const v = v128.and(f32x4.div(f32x4.mul(signY, hv), depth), wet);
    const speed = f32x4.sqrt(multiplyAdd(u, u, f32x4.mul(v, v)));
    const wave = f32x4.sqrt(f32x4.mul(gravity, depth));
    v128.store(etaRow + at, eta);
    v128.store(depthRow + at, depth);
    v128.store(uRow + at, u);
    v128.store(vRow + at, v);
    v128.store(groundRow + at, ground);
    v128.store(frontRow + at, v128.and(f32x4.add(speed, f32x4.add(wave, wave)), wet));
  }
  for (let ring = 1; ring <= RINGS; ring++) {
    copyCell(scratch, row, bytes, 4 - ring, 4 + sourceIndex(-ring, nx, p.boundaryX), sourceSign(-ring, nx, p.boundaryX));
  }
  for (let ring = 0; ring < RINGS; ring++) {
    const i = nx + ring;
    copyCell(scratch, row, bytes, 4 + i, 4 + sourceIndex(i, nx, p.boundaryX), sourceSign(i, nx, p.boundaryX));
  }
}
