// The tangent of an Euler step of the central-upwind scheme (linear-euler.ts has the equations), one block of rows after another.
// `centralUpwindFollow` has stored the limits of the step. Stage 1 applies friction and the first Euler step to the change of the state
// and writes to `between`; stage 2 reads that and writes the change after the whole step.

import { loadFirst, multiplyAdd, negatedMultiplyAdd, splat } from '../../../compute/wasm/simd-library.as';
import { sourceIndex, sourceSign } from '../water-library.as';
import { BLOCK_ROWS, DEPTH, FIRST, RINGS, U, V, loadRow, rowBytes, rowOf } from './block-library.as';
import { VECTOR, addVector, changeByFriction, halve, leftOfElevation, leftOfMomenta, loadVector, sharesAt, sharesThrough, stageOf, storeVector } from './linear-block-library.as';
import { LinearCentralUpwind } from './linear';
import { ABOVE_LEFT, ABOVE_RIGHT, BED_IS_LEFT, CHANGED, FACE_WATER, FAR, FASTEST, FASTEST_LEFT, FASTEST_RIGHT, GROUNDED, H_LEFT, H_RIGHT, INVERSE, PER_DEPTH_LEFT, PER_DEPTH_RIGHT, SIDE_ETA, SIDE_GROUND, SIDE_NORMAL, SIDE_TANGENTIAL, SLOWEST, SLOWEST_LEFT, SLOWEST_RIGHT, WEIGHT_AFTER, WEIGHT_BEFORE, facesInRow, facesOf, madeOf, sidesInRow, vectorOf, xSidesOf, ySidesOf } from './linear-faces-library.as';

/** Changes of cells: elevation and velocities with ghost cells, and momenta. */
const D_ETA: i32 = 0;
const D_U: i32 = 1;
const D_V: i32 = 2;
const D_HU: i32 = 3;
const D_HV: i32 = 4;
/** Changes of what goes through a row of faces; the first three times the share of the outflow. */
const WATER: usize = 0;
const ADVECTION: usize = 1;
const TANGENTIAL: usize = 2;
const BEFORE: usize = 3;
/** Change of the normal momentum that the face and the slope of its cell add to the cell. */
const INNER: usize = 4;
/** Faces of a row along x, and of two rows along y. */
const X_MADE: usize = 0;
const Y_MADE: usize = 5;
const MADE_ARRAYS: usize = 5;

/** Loads the change of row j of the block that begins at j0, at the start of the stage. */
function loadChangeRow(p: LinearCentralUpwind, stage: i32, j: i32, j0: i32, scratch: usize): void {
  const nx = p.nx;
  const bytes = rowBytes(nx);
  const source = <usize>(sourceIndex(j, p.ny, p.boundaryY) * nx) << 2;
  const signY = splat(sourceSign(j, p.ny, p.boundaryY));
  const row = j - j0;
  const from = (stage == 1 ? p.input : p.between) + source;
  const vector = madeOf(scratch, 0, bytes);
  for (let i = 0; i < nx; i += 4) {
    const at = FIRST + (<usize>i << 2);
    const place = <usize>i << 2;
    loadVector(p, from + place, nx - i, vector);
    if (stage == 1) changeByFriction(p, p.state + source + place, p.bed + source + place, nx - i, false, vector);
    const dEta = v128.load(vector);
    const dHu = v128.load(vector, 16);
    const dHv = v128.load(vector, 32);
    const depth = v128.load(rowOf(scratch, DEPTH, row, bytes) + at);
    const wet = f32x4.gt(depth, splat(p.dryDepth));
    const u = v128.load(rowOf(scratch, U, row, bytes) + at);
    const v = v128.load(rowOf(scratch, V, row, bytes) + at);
    const dU = f32x4.div(negatedMultiplyAdd(u, dEta, dHu), depth);
    const dV = f32x4.div(negatedMultiplyAdd(v, dEta, f32x4.mul(signY, dHv)), depth);
    v128.store(vectorOf(scratch, D_ETA, row, bytes) + at, dEta);
    v128.store(vectorOf(scratch, D_U, row, bytes) + at, v128.and(dU, wet));
    v128.store(vectorOf(scratch, D_V, row, bytes) + at, v128.and(dV, wet));
    v128.store(vectorOf(scratch, D_HU, row, bytes) + at, dHu);
    v128.store(vectorOf(scratch, D_HV, row, bytes) + at, dHv);
  }
  for (let ring = 1; ring <= RINGS; ring++) {
    copyGhost(p, scratch, row, -ring);
    copyGhost(p, scratch, row, nx + ring - 1);
  }
}

function copyGhost(p: LinearCentralUpwind, scratch: usize, row: i32, i: i32): void {
  const bytes = rowBytes(p.nx);
  const source = <usize>(4 + sourceIndex(i, p.nx, p.boundaryX)) << 2;
  const sign = sourceSign(i, p.nx, p.boundaryX);
  for (let array = D_ETA; array <= D_V; array++) {
    const values = vectorOf(scratch, array, row, bytes);
    const value = f32.load(values + source);
    f32.store(values + (<usize>(4 + i) << 2), array == D_U ? sign * value : value);
  }
}

/** Changes at the sides of the cells first … last of a row. */
function changeSidesInRow(p: LinearCentralUpwind, scratch: usize, row: i32, first: i32, last: i32, apart: isize, normal: i32, tangential: i32, sides: usize): void {
  const bytes = rowBytes(p.nx);
  const etas = vectorOf(scratch, D_ETA, row, bytes);
  const normals = vectorOf(scratch, normal, row, bytes);
  const tangentials = vectorOf(scratch, tangential, row, bytes);
  for (let i = first; i <= last; i += 4) {
    const at = FIRST + (<usize>i << 2);
    const to = sides + at + CHANGED * bytes;
    const weights = sides + at + WEIGHT_BEFORE * bytes;
    changeSides(etas + at, apart, to + SIDE_ETA * bytes, weights, bytes);
    changeSides(normals + at, apart, to + SIDE_NORMAL * bytes, weights + 2 * bytes, bytes);
    changeSides(tangentials + at, apart, to + SIDE_TANGENTIAL * bytes, weights + 4 * bytes, bytes);
    const grounded = sides + at + GROUNDED * bytes;
    v128.store(to + SIDE_GROUND * bytes, f32x4.mul(v128.load(grounded), v128.load(to)));
    v128.store(to + (SIDE_GROUND + FAR) * bytes, f32x4.mul(v128.load(grounded + bytes), v128.load(to + bytes)));
  }
}

// @ts-ignore: decorator
@inline
function changeSides(values: usize, apart: isize, to: usize, weights: usize, bytes: usize): void {
  const here = v128.load(values);
  const down = f32x4.sub(here, v128.load(values - apart));
  const up = f32x4.sub(v128.load(values + apart), here);
  const slope = multiplyAdd(v128.load(weights), down, f32x4.mul(v128.load(weights + bytes), up));
  const rise = f32x4.mul(splat(0.5), slope);
  v128.store(to, f32x4.sub(here, rise));
  v128.store(to + bytes, f32x4.add(here, rise));
}

/** Changes of the near faces of the cells first … last, as `facesInRow`; shares of the cells before and after them. */
function changeFaces(p: LinearCentralUpwind, left: usize, right: usize, faces: usize, first: i32, last: i32, sharesBefore: usize, sharesAfter: usize, into: usize): void {
  const bytes = rowBytes(p.nx);
  const halfGravity = splat(0.5 * p.gravity);
  const zero = splat(0);
  for (let i = first; i <= last; i += 4) {
    const at = FIRST + (<usize>i << 2);
    const face = faces + at;
    const l = left + at + FAR * bytes;
    const r = right + at;
    const dl = l + CHANGED * bytes;
    const dr = r + CHANGED * bytes;
    const a = v128.load(face + FASTEST * bytes);
    const b = v128.load(face + SLOWEST * bytes);
    const inverse = v128.load(face + INVERSE * bytes);
    const hLeft = v128.load(face + H_LEFT * bytes);
    const hRight = v128.load(face + H_RIGHT * bytes);
    const water = v128.load(face + FACE_WATER * bytes);
    const uLeft = v128.load(l + SIDE_NORMAL * bytes);
    const uRight = v128.load(r + SIDE_NORMAL * bytes);
    const duLeft = v128.load(dl + SIDE_NORMAL * bytes);
    const duRight = v128.load(dr + SIDE_NORMAL * bytes);
    const dBed = v128.bitselect(
      v128.load(dl + SIDE_GROUND * bytes),
      v128.load(dr + SIDE_GROUND * bytes),
      v128.load(face + BED_IS_LEFT * bytes),
    );
    const dhLeft = v128.and(f32x4.sub(v128.load(dl), dBed), v128.load(face + ABOVE_LEFT * bytes));
    const dhRight = v128.and(f32x4.sub(v128.load(dr), dBed), v128.load(face + ABOVE_RIGHT * bytes));
    const dcLeft = f32x4.mul(v128.load(face + PER_DEPTH_LEFT * bytes), dhLeft);
    const dcRight = f32x4.mul(v128.load(face + PER_DEPTH_RIGHT * bytes), dhRight);
    const da = v128.or(
      v128.and(f32x4.add(duLeft, dcLeft), v128.load(face + FASTEST_LEFT * bytes)),
      v128.and(f32x4.add(duRight, dcRight), v128.load(face + FASTEST_RIGHT * bytes)),
    );
    const db = v128.or(
      v128.and(f32x4.sub(duLeft, dcLeft), v128.load(face + SLOWEST_LEFT * bytes)),
      v128.and(f32x4.sub(duRight, dcRight), v128.load(face + SLOWEST_RIGHT * bytes)),
    );
    const weightLeft = f32x4.mul(a, inverse);
    const weightRight = f32x4.mul(f32x4.neg(b), inverse);
    const diffusion = f32x4.mul(a, weightRight);
    const square = f32x4.mul(inverse, inverse);
    const dWeight = f32x4.mul(negatedMultiplyAdd(b, da, f32x4.mul(a, db)), square);
    const dDiffusion = f32x4.mul(
      negatedMultiplyAdd(f32x4.mul(a, a), db, f32x4.mul(f32x4.mul(b, b), da)),
      square,
    );
    const rise = f32x4.sub(hRight, hLeft);
    const dRise = f32x4.sub(dhRight, dhLeft);
    const qLeft = f32x4.mul(hLeft, uLeft);
    const qRight = f32x4.mul(hRight, uRight);
    const dqLeft = multiplyAdd(dhLeft, uLeft, f32x4.mul(hLeft, duLeft));
    const dqRight = multiplyAdd(dhRight, uRight, f32x4.mul(hRight, duRight));
    const depths = f32x4.add(hLeft, hRight);
    const pressureRise = f32x4.mul(f32x4.mul(halfGravity, depths), rise);
    const dPressureRise = f32x4.mul(
      halfGravity,
      multiplyAdd(f32x4.add(dhLeft, dhRight), rise, f32x4.mul(depths, dRise)),
    );
    const carried = multiplyAdd(weightLeft, dqLeft, f32x4.mul(weightRight, dqRight));
    const diffused = multiplyAdd(dDiffusion, rise, f32x4.mul(diffusion, dRise));
    const dWater = f32x4.sub(multiplyAdd(dWeight, f32x4.sub(qLeft, qRight), carried), diffused);
    const momentum = multiplyAdd(
      weightLeft,
      multiplyAdd(dqLeft, uLeft, f32x4.mul(qLeft, duLeft)),
      f32x4.mul(weightRight, multiplyAdd(dqRight, uRight, f32x4.mul(qRight, duRight))),
    );
    const momenta = f32x4.sub(f32x4.mul(qLeft, uLeft), f32x4.mul(qRight, uRight));
    const diffusedMomentum = multiplyAdd(
      dDiffusion,
      f32x4.sub(qRight, qLeft),
      f32x4.mul(diffusion, f32x4.sub(dqRight, dqLeft)),
    );
    const isForward = f32x4.gt(water, zero);
    const upwind = v128.bitselect(v128.load(l + SIDE_TANGENTIAL * bytes), v128.load(r + SIDE_TANGENTIAL * bytes), isForward);
    const dUpwind = v128.bitselect(v128.load(dl + SIDE_TANGENTIAL * bytes), v128.load(dr + SIDE_TANGENTIAL * bytes), isForward);
    const share = sharesThrough(water, sharesBefore + at - FIRST, sharesAfter + at - FIRST);
    const to = into + at;
    const weighted = f32x4.mul(dWeight, pressureRise);
    v128.store(to + WATER * bytes, f32x4.mul(share, dWater));
    v128.store(to + ADVECTION * bytes, f32x4.mul(share, f32x4.sub(multiplyAdd(dWeight, momenta, momentum), diffusedMomentum)));
    v128.store(to + TANGENTIAL * bytes, f32x4.mul(share, multiplyAdd(dWater, upwind, f32x4.mul(water, dUpwind))));
    v128.store(to + BEFORE * bytes, f32x4.sub(f32x4.mul(weightRight, dPressureRise), weighted));
    // The force of the surface's slope in the cell after the face, less the pressure after the face.
    const nearDepth = f32x4.sub(v128.load(r), v128.load(r + SIDE_GROUND * bytes));
    const farDepth = f32x4.sub(v128.load(r + bytes), v128.load(r + (SIDE_GROUND + FAR) * bytes));
    const dNearDepth = f32x4.sub(v128.load(dr), v128.load(dr + SIDE_GROUND * bytes));
    const dFarDepth = f32x4.sub(v128.load(dr + bytes), v128.load(dr + (SIDE_GROUND + FAR) * bytes));
    const slope = f32x4.sub(v128.load(r + bytes), v128.load(r));
    const dSlope = f32x4.sub(v128.load(dr + bytes), v128.load(dr));
    const dForce = f32x4.mul(
      halfGravity,
      multiplyAdd(f32x4.add(dNearDepth, dFarDepth), slope, f32x4.mul(f32x4.add(nearDepth, farDepth), dSlope)),
    );
    v128.store(to + INNER * bytes, f32x4.add(dForce, multiplyAdd(weightLeft, dPressureRise, weighted)));
  }
}

/** Change of the cells of row j: changes of its faces along x, and of those below and above it. */
function changeCells(p: LinearCentralUpwind, stage: i32, j: i32, row: i32, x: usize, south: usize, north: usize, scratch: usize): void {
  const nx = p.nx;
  const bytes = rowBytes(nx);
  const cells = <usize>(nx * p.ny) << 2;
  const ratioX = splat(p.ratioX);
  const ratioY = splat(p.ratioY);
  const rotation = splat(p.rotation + p.rotationGrowth * <f32>j);
  const to = stage == 1 ? p.between : p.output;
  const vector = facesOf(scratch, bytes);
  for (let i = 0; i < nx; i += 4) {
    const at = FIRST + (<usize>i << 2);
    const w = x + at;
    const s = south + at;
    const n = north + at;
    const count = nx - i;
    const cell = (<usize>(j * nx) << 2) + (<usize>i << 2);
    const advection = ADVECTION * bytes;
    const tangential = TANGENTIAL * bytes;
    const before = BEFORE * bytes;
    const inner = INNER * bytes;
    const water = multiplyAdd(
      ratioX,
      f32x4.sub(v128.load(w, 4), v128.load(w)),
      f32x4.mul(ratioY, f32x4.sub(v128.load(n), v128.load(s))),
    );
    const normalX = f32x4.add(
      f32x4.sub(v128.load(w + advection, 4), v128.load(w + advection)),
      f32x4.add(v128.load(w + before, 4), v128.load(w + inner)),
    );
    const shearX = f32x4.sub(v128.load(n + tangential), v128.load(s + tangential));
    const normalY = f32x4.add(
      f32x4.sub(v128.load(n + advection), v128.load(s + advection)),
      f32x4.add(v128.load(n + before), v128.load(s + inner)),
    );
    const shearY = f32x4.sub(v128.load(w + tangential, 4), v128.load(w + tangential));
    const alongX = multiplyAdd(ratioX, normalX, f32x4.mul(ratioY, shearX));
    const alongY = multiplyAdd(ratioY, normalY, f32x4.mul(ratioX, shearY));
    const dEta = v128.load(vectorOf(scratch, D_ETA, row, bytes) + at);
    const dHu = v128.load(vectorOf(scratch, D_HU, row, bytes) + at);
    const dHv = v128.load(vectorOf(scratch, D_HV, row, bytes) + at);
    const limit = loadFirst(p.limits + cell, count, 0);
    const kept = leftOfMomenta(limit);
    v128.store(vector, f32x4.mul(leftOfElevation(limit), f32x4.sub(dEta, water)));
    v128.store(vector, f32x4.mul(kept, f32x4.add(f32x4.sub(dHu, alongX), f32x4.mul(rotation, dHv))), 16);
    v128.store(vector, f32x4.mul(kept, f32x4.sub(f32x4.sub(dHv, alongY), f32x4.mul(rotation, dHu))), 32);
    if (stage == 2) finish(p, cell, count, vector);
    storeVector(p, vector, to + cell, count);
  }
}

/** The mean with the change before both stages, and friction. */
function finish(p: LinearCentralUpwind, cell: usize, count: i32, vector: usize): void {
  const bed = p.bed + cell;
  const rubbed = vector + VECTOR;
  loadVector(p, p.input + cell, count, rubbed);
  changeByFriction(p, p.state + cell, bed, count, false, rubbed);
  addVector(vector, rubbed);
  halve(p, p.mean + cell, bed, count, vector);
  changeByFriction(p, p.mean + cell, bed, count, false, vector);
}

function tangentOfBlock(p: LinearCentralUpwind, j0: i32, j1: i32, scratch: usize): void {
  const nx = p.nx;
  const bytes = rowBytes(nx);
  const apart = <isize>bytes;
  const stage = p.stage;
  const rows = j1 - j0;
  const from = stage == 1 ? p.state : p.other;
  for (let row = -RINGS; row < rows + RINGS; row++) {
    loadRow(stageOf(p), from, j0 + row, j0, stage, scratch);
    loadChangeRow(p, stage, j0 + row, j0, scratch);
  }
  const faces = facesOf(scratch, bytes);
  const sides = xSidesOf(scratch, bytes);
  const x = madeOf(scratch, X_MADE, bytes);
  for (let row = -1; row <= rows; row++) {
    const above = ySidesOf(scratch, row, bytes);
    sidesInRow(stageOf(p), scratch, row, 0, nx - 1, apart, V, U, above);
    changeSidesInRow(p, scratch, row, 0, nx - 1, apart, D_V, D_U, above);
    if (row < 0) continue;
    const below = ySidesOf(scratch, row - 1, bytes);
    const north = madeOf(scratch, Y_MADE + MADE_ARRAYS * <usize>(row & 1), bytes);
    const south = madeOf(scratch, Y_MADE + MADE_ARRAYS * <usize>((row + 1) & 1), bytes);
    facesInRow(stageOf(p), below, above, 0, nx - 1, faces);
    changeFaces(p, below, above, faces, 0, nx - 1, sharesAt(p, j0 + row - 1), sharesAt(p, j0 + row), north);
    if (row == 0) continue;
    const shares = sharesAt(p, j0 + row - 1);
    sidesInRow(stageOf(p), scratch, row - 1, -1, nx, 4, U, V, sides);
    changeSidesInRow(p, scratch, row - 1, -1, nx, 4, D_U, D_V, sides);
    facesInRow(stageOf(p), sides - 4, sides, 0, nx, faces);
    changeFaces(p, sides - 4, sides, faces, 0, nx, shares - 4, shares, x);
    changeCells(p, stage, j0 + row - 1, row - 1, x, south, north, scratch);
  }
}

/** The tangent of a stage, of a band of rows. */
export function centralUpwindTangent(p: LinearCentralUpwind, part: i32, scratch: usize): void {
  const first = part * p.rowsPerBand;
  const end = min(first + p.rowsPerBand, p.ny);
  for (let j = first; j < end; j += BLOCK_ROWS) tangentOfBlock(p, j, min(j + BLOCK_ROWS, end), scratch);
}
