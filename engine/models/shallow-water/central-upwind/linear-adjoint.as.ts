// The adjoint of an Euler step of the central-upwind scheme (linear-euler.ts has the equations), one block of rows after another.
// `centralUpwindFollow` has stored the limits of the step. Axis by axis, each face adds to the sensitivities of the two cells before it
// and the two after it. A ghost cell's sensitivity is added to that of the cell that it copies; a periodic basin instead computes the
// faces at its edge for both sides along y. Stage 2 runs first and writes to `between`; stage 1 reads that and writes the sensitivity to
// the state before the step.

import { loadFirst, multiplyAdd, negatedMultiplyAdd, splat } from '../../../compute/wasm/simd-library.as';
import { PERIODIC, sourceIndex, sourceSign } from '../water-library.as';
import { BLOCK_ROWS, DEPTH, FIRST, RINGS, U, V, loadRow, rowBytes, rowOf } from './block-library.as';
import { VECTOR, addVector, changeByFriction, halve, leftOfElevation, leftOfMomenta, loadVector, sharesAt, sharesThrough, stageOf, storeVector } from './linear-block-library.as';
import { LinearCentralUpwind } from './linear';
import { ABOVE_LEFT, ABOVE_RIGHT, BED_IS_LEFT, FACE_WATER, FAR, FASTEST, FASTEST_LEFT, FASTEST_RIGHT, GROUNDED, H_LEFT, H_RIGHT, INVERSE, PER_DEPTH_LEFT, PER_DEPTH_RIGHT, SIDE_GROUND, SIDE_NORMAL, SIDE_TANGENTIAL, SLOWEST, SLOWEST_LEFT, SLOWEST_RIGHT, WEIGHT_BEFORE, facesInRow, facesOf, madeOf, sidesInRow, vectorOf, xSidesOf, ySidesOf } from './linear-faces-library.as';

/** Sensitivities to cells after the stage, with its limits: to η, hu, hv. */
const TO_WATER: i32 = 0;
const TO_HU: i32 = 1;
const TO_HV: i32 = 2;
/** Sensitivities to cells where the stage starts: to η, u, v. */
const TO_ETA: i32 = 3;
const TO_U: i32 = 4;
const TO_V: i32 = 5;
/** Arrays of what a row of faces adds to η, normal and tangential velocity of four cells each; and after them, of the sums in cells along x. */
const GIVEN: usize = 12;

/** The sensitivity to each of the two states whose mean Heun's method takes: of four cells, from `cell` on. */
function beforeMean(p: LinearCentralUpwind, cell: usize, count: i32, vector: usize): void {
  loadVector(p, p.input + cell, count, vector);
  changeByFriction(p, p.mean + cell, p.bed + cell, count, true, vector);
  halve(p, p.mean + cell, p.bed + cell, count, vector);
}

/** Sensitivities to row j after the stage: 0 beyond the basin, unless it is periodic. */
function loadSensitivity(p: LinearCentralUpwind, stage: i32, j: i32, j0: i32, scratch: usize): void {
  const nx = p.nx;
  const bytes = rowBytes(nx);
  const cells = <usize>(nx * p.ny) << 2;
  const row = j - j0;
  const toWater = vectorOf(scratch, TO_WATER, row, bytes);
  const toHu = vectorOf(scratch, TO_HU, row, bytes);
  const toHv = vectorOf(scratch, TO_HV, row, bytes);
  if (p.boundaryY != PERIODIC && (j < 0 || j >= p.ny)) {
    memory.fill(toWater, 0, bytes);
    memory.fill(toHu, 0, bytes);
    memory.fill(toHv, 0, bytes);
    return;
  }
  const source = <usize>(sourceIndex(j, p.ny, p.boundaryY) * nx) << 2;
  const vector = madeOf(scratch, 0, bytes);
  for (let i = 0; i < nx; i += 4) {
    const at = FIRST + (<usize>i << 2);
    const cell = source + (<usize>i << 2);
    const count = nx - i;
    if (stage == 2) beforeMean(p, cell, count, vector);
    else loadVector(p, p.between + cell, count, vector);
    const limit = loadFirst(p.limits + cell, count, 0);
    const kept = leftOfMomenta(limit);
    v128.store(toWater + at, f32x4.mul(leftOfElevation(limit), v128.load(vector)));
    v128.store(toHu + at, f32x4.mul(kept, v128.load(vector, 16)));
    v128.store(toHv + at, f32x4.mul(kept, v128.load(vector, 32)));
  }
  const end = <usize>(4 + nx) << 2;
  for (let array = TO_WATER; array <= TO_HV; array++) {
    const values = vectorOf(scratch, array, row, bytes);
    f32.store(values + FIRST - 4, 0);
    f32.store(values + end, 0);
  }
}

/**
 * Writes what the near faces of the cells first … last and the slopes within the cells add to the sensitivities of four cells. Sides,
 * faces and shares are as in `changeFaces` of the tangent; `before` and `after` are the rows of sensitivities to the cells before and
 * after the faces.
 *
 * @param normal, tangential bytes from the sensitivity to water to those to both momenta
 */
function giveFromFaces(
  p: LinearCentralUpwind,
  left: usize,
  right: usize,
  faces: usize,
  first: i32,
  last: i32,
  before: usize,
  after: usize,
  normal: usize,
  tangential: usize,
  sharesBefore: usize,
  sharesAfter: usize,
  perLength: f32,
  into: usize,
): void {
  const bytes = rowBytes(p.nx);
  const ratio = splat(perLength);
  const halfGravity = splat(0.5 * p.gravity);
  const zero = splat(0);
  const half = splat(0.5);
  for (let i = first; i <= last; i += 4) {
    const at = FIRST + (<usize>i << 2);
    const face = faces + at;
    const l = left + at + FAR * bytes;
    const r = right + at;
    const a = v128.load(face + FASTEST * bytes);
    const b = v128.load(face + SLOWEST * bytes);
    const inverse = v128.load(face + INVERSE * bytes);
    const hLeft = v128.load(face + H_LEFT * bytes);
    const hRight = v128.load(face + H_RIGHT * bytes);
    const water = v128.load(face + FACE_WATER * bytes);
    const uLeft = v128.load(l + SIDE_NORMAL * bytes);
    const uRight = v128.load(r + SIDE_NORMAL * bytes);
    const isForward = f32x4.gt(water, zero);
    const share = f32x4.mul(ratio, sharesThrough(water, sharesBefore + at - FIRST, sharesAfter + at - FIRST));
    const normalBefore = v128.load(before + at + normal);
    const normalAfter = v128.load(after + at + normal);
    const throughWater = f32x4.mul(share, f32x4.sub(v128.load(after + at), v128.load(before + at)));
    const toAdvection = f32x4.mul(share, f32x4.sub(normalAfter, normalBefore));
    const throughTangential = f32x4.mul(
      share,
      f32x4.sub(v128.load(after + at + tangential), v128.load(before + at + tangential)),
    );
    const toBefore = f32x4.neg(f32x4.mul(ratio, normalBefore));
    const toAfter = f32x4.mul(ratio, normalAfter);
    const upwind = v128.bitselect(v128.load(l + SIDE_TANGENTIAL * bytes), v128.load(r + SIDE_TANGENTIAL * bytes), isForward);
    const toWater = multiplyAdd(throughTangential, upwind, throughWater);
    const toTangential = f32x4.mul(throughTangential, water);

    const weightLeft = f32x4.mul(a, inverse);
    const weightRight = f32x4.mul(f32x4.neg(b), inverse);
    const diffusion = f32x4.mul(a, weightRight);
    const square = f32x4.mul(inverse, inverse);
    const rise = f32x4.sub(hRight, hLeft);
    const depths = f32x4.add(hLeft, hRight);
    const qLeft = f32x4.mul(hLeft, uLeft);
    const qRight = f32x4.mul(hRight, uRight);
    const pressureRise = f32x4.mul(f32x4.mul(halfGravity, depths), rise);
    const toPressureRise = negatedMultiplyAdd(weightLeft, toAfter, f32x4.mul(weightRight, toBefore));
    const momenta = f32x4.sub(f32x4.mul(qLeft, uLeft), f32x4.mul(qRight, uRight));
    const toWeight = negatedMultiplyAdd(
      f32x4.add(toBefore, toAfter),
      pressureRise,
      multiplyAdd(toWater, f32x4.sub(qLeft, qRight), f32x4.mul(toAdvection, momenta)),
    );
    const toDiffusion = f32x4.neg(multiplyAdd(toWater, rise, f32x4.mul(toAdvection, f32x4.sub(qRight, qLeft))));
    const toQLeft = multiplyAdd(toAdvection, multiplyAdd(weightLeft, uLeft, diffusion), f32x4.mul(toWater, weightLeft));
    const toQRight = multiplyAdd(
      toAdvection,
      f32x4.sub(f32x4.mul(weightRight, uRight), diffusion),
      f32x4.mul(toWater, weightRight),
    );
    const toRise = f32x4.sub(f32x4.mul(f32x4.mul(halfGravity, depths), toPressureRise), f32x4.mul(toWater, diffusion));
    const toA = f32x4.mul(f32x4.mul(b, f32x4.sub(f32x4.mul(b, toDiffusion), toWeight)), square);
    const toB = f32x4.mul(f32x4.mul(a, negatedMultiplyAdd(a, toDiffusion, toWeight)), square);
    const toALeft = v128.and(toA, v128.load(face + FASTEST_LEFT * bytes));
    const toARight = v128.and(toA, v128.load(face + FASTEST_RIGHT * bytes));
    const toBLeft = v128.and(toB, v128.load(face + SLOWEST_LEFT * bytes));
    const toBRight = v128.and(toB, v128.load(face + SLOWEST_RIGHT * bytes));
    const advectedLeft = f32x4.mul(f32x4.mul(toAdvection, weightLeft), qLeft);
    const advectedRight = f32x4.mul(f32x4.mul(toAdvection, weightRight), qRight);
    const toULeft = f32x4.add(multiplyAdd(toQLeft, hLeft, advectedLeft), f32x4.add(toALeft, toBLeft));
    const toURight = f32x4.add(multiplyAdd(toQRight, hRight, advectedRight), f32x4.add(toARight, toBRight));
    const byRise = f32x4.mul(f32x4.mul(halfGravity, rise), toPressureRise);
    const toHLeft = multiplyAdd(
      v128.load(face + PER_DEPTH_LEFT * bytes),
      f32x4.sub(toALeft, toBLeft),
      f32x4.sub(multiplyAdd(toQLeft, uLeft, byRise), toRise),
    );
    const toHRight = multiplyAdd(
      v128.load(face + PER_DEPTH_RIGHT * bytes),
      f32x4.sub(toARight, toBRight),
      f32x4.add(multiplyAdd(toQRight, uRight, byRise), toRise),
    );
    const toEtaLeft = v128.and(toHLeft, v128.load(face + ABOVE_LEFT * bytes));
    const toEtaRight = v128.and(toHRight, v128.load(face + ABOVE_RIGHT * bytes));
    const toBed = f32x4.neg(f32x4.add(toEtaLeft, toEtaRight));
    const bedIsLeft = v128.load(face + BED_IS_LEFT * bytes);
    const groundedLeft = v128.load(left + at + (GROUNDED + FAR) * bytes);
    const groundedNear = v128.load(r + GROUNDED * bytes);
    const groundedFar = v128.load(r + (GROUNDED + FAR) * bytes);
    // The force of the surface's slope in the cell after the face.
    const nearDepth = f32x4.sub(v128.load(r), v128.load(r + SIDE_GROUND * bytes));
    const farDepth = f32x4.sub(v128.load(r + bytes), v128.load(r + (SIDE_GROUND + FAR) * bytes));
    const depth = f32x4.add(nearDepth, farDepth);
    const slope = f32x4.sub(v128.load(r + bytes), v128.load(r));
    const toForce = f32x4.neg(f32x4.mul(halfGravity, toAfter));
    const forceNear = f32x4.mul(toForce, f32x4.sub(negatedMultiplyAdd(groundedNear, slope, slope), depth));
    const forceFar = f32x4.mul(toForce, f32x4.add(negatedMultiplyAdd(groundedFar, slope, slope), depth));

    const to = into + at;
    const weightsLeft = left + at + WEIGHT_BEFORE * bytes;
    const weights = r + WEIGHT_BEFORE * bytes;
    const etaLeft = multiplyAdd(groundedLeft, v128.and(toBed, bedIsLeft), toEtaLeft);
    const etaRight = multiplyAdd(groundedNear, v128.andnot(toBed, bedIsLeft), f32x4.add(toEtaRight, forceNear));
    give(to, bytes, weightsLeft, weights, etaLeft, etaRight, forceFar, half);
    give(to + bytes, bytes, weightsLeft + 2 * bytes, weights + 2 * bytes, toULeft, toURight, zero, half);
    const tangentialLeft = v128.and(toTangential, isForward);
    const tangentialRight = v128.andnot(toTangential, isForward);
    give(to + 2 * bytes, bytes, weightsLeft + 4 * bytes, weights + 4 * bytes, tangentialLeft, tangentialRight, zero, half);
  }
}

/** Writes what sensitivities to the sides of cells add to one variable of the four cells around each face: left of the face, right of it, and at the far side of the cell after it. */
// @ts-ignore: decorator
@inline
function give(to: usize, bytes: usize, weightsLeft: usize, weights: usize, left: v128, right: v128, far: v128, half: v128): void {
  const slopeLeft = f32x4.mul(half, left);
  const beforeLeft = f32x4.mul(v128.load(weightsLeft), slopeLeft);
  const afterLeft = f32x4.mul(v128.load(weightsLeft + bytes), slopeLeft);
  const slope = f32x4.mul(half, f32x4.sub(far, right));
  const before = f32x4.mul(v128.load(weights), slope);
  const after = f32x4.mul(v128.load(weights + bytes), slope);
  v128.store(to, f32x4.neg(beforeLeft));
  v128.store(to + 3 * bytes, f32x4.sub(f32x4.add(left, f32x4.sub(beforeLeft, afterLeft)), before));
  v128.store(to + 6 * bytes, f32x4.add(f32x4.add(afterLeft, f32x4.add(right, far)), f32x4.sub(before, after)));
  v128.store(to + 9 * bytes, after);
}

/** Adds what the faces along x of row `row` have written to the sensitivities to its cells. */
function gatherAlongX(p: LinearCentralUpwind, row: i32, scratch: usize): void {
  const nx = p.nx;
  const bytes = rowBytes(nx);
  const given = madeOf(scratch, 0, bytes);
  // There are no faces beyond 0 … nx.
  const end = FIRST + (<usize>(nx + 1) << 2);
  for (let array: usize = 0; array < GIVEN; array++) {
    memory.fill(given + array * bytes, 0, FIRST);
    memory.fill(given + array * bytes + end, 0, 20);
  }
  for (let variable: usize = 0; variable < 3; variable++) {
    const total = madeOf(scratch, GIVEN + variable, bytes);
    const from = given + variable * bytes;
    for (let i = -2; i < nx + 2; i += 4) {
      const at = FIRST + (<usize>i << 2);
      const near = f32x4.add(v128.load(from + 6 * bytes + at), v128.load(from + 3 * bytes + at, 4));
      const apart = f32x4.add(v128.load(from + at, 8), v128.load(from + 9 * bytes + at - 4));
      v128.store(total + at, f32x4.add(near, apart));
    }
    foldRow(p, total, variable == 1);
    const to = vectorOf(scratch, TO_ETA + <i32>variable, row, bytes);
    for (let i = 0; i < nx; i += 4) {
      const at = FIRST + (<usize>i << 2);
      v128.store(to + at, f32x4.add(v128.load(to + at), v128.load(total + at)));
    }
  }
}

/** Adds the sums of the ghost cells of a row to those of the cells that they copy. */
function foldRow(p: LinearCentralUpwind, total: usize, isNormal: bool): void {
  for (let k = 0; k < 4; k++) {
    const i = k < 2 ? -1 - k : p.nx + k - 2;
    const to = total + (<usize>(4 + sourceIndex(i, p.nx, p.boundaryX)) << 2);
    const value = f32.load(total + (<usize>(4 + i) << 2));
    f32.store(to, f32.load(to) + (isNormal ? sourceSign(i, p.nx, p.boundaryX) * value : value));
  }
}

/** Adds what the faces below row j have written to the sensitivities to the two rows below and the two above, if they are of the block. */
function scatterAlongY(p: LinearCentralUpwind, j: i32, j0: i32, j1: i32, scratch: usize): void {
  const nx = p.nx;
  const bytes = rowBytes(nx);
  for (let slot = 0; slot < 4; slot++) {
    const target = j - 2 + slot;
    const isInside = p.boundaryY == PERIODIC || (target >= 0 && target < p.ny);
    const source = isInside ? target : sourceIndex(target, p.ny, p.boundaryY);
    if (source < j0 || source >= j1) continue;
    const sign = splat(isInside ? 1 : sourceSign(target, p.ny, p.boundaryY));
    const given = madeOf(scratch, <usize>(3 * slot), bytes) + FIRST;
    const toEta = vectorOf(scratch, TO_ETA, source - j0, bytes) + FIRST;
    const toU = vectorOf(scratch, TO_U, source - j0, bytes) + FIRST;
    const toV = vectorOf(scratch, TO_V, source - j0, bytes) + FIRST;
    for (let i = 0; i < nx; i += 4) {
      const at = <usize>i << 2;
      v128.store(toEta + at, f32x4.add(v128.load(toEta + at), v128.load(given + at)));
      v128.store(toV + at, multiplyAdd(sign, v128.load(given + bytes + at), v128.load(toV + at)));
      v128.store(toU + at, f32x4.add(v128.load(toU + at), v128.load(given + 2 * bytes + at)));
    }
  }
}

/** Writes the sensitivity to the cells of row j at the start of the stage. */
function writeRow(p: LinearCentralUpwind, stage: i32, j: i32, row: i32, scratch: usize): void {
  const nx = p.nx;
  const bytes = rowBytes(nx);
  const rotation = splat(p.rotation + p.rotationGrowth * <f32>j);
  const to = stage == 2 ? p.between : p.output;
  const vector = facesOf(scratch, bytes);
  const ofMean = vector + VECTOR;
  for (let i = 0; i < nx; i += 4) {
    const at = FIRST + (<usize>i << 2);
    const cell = (<usize>(j * nx) << 2) + (<usize>i << 2);
    const count = nx - i;
    const depth = v128.load(rowOf(scratch, DEPTH, row, bytes) + at);
    const wet = f32x4.gt(depth, splat(p.dryDepth));
    const toU = v128.load(vectorOf(scratch, TO_U, row, bytes) + at);
    const toV = v128.load(vectorOf(scratch, TO_V, row, bytes) + at);
    const u = v128.load(rowOf(scratch, U, row, bytes) + at);
    const v = v128.load(rowOf(scratch, V, row, bytes) + at);
    const carried = f32x4.div(multiplyAdd(u, toU, f32x4.mul(v, toV)), depth);
    const toEta = f32x4.sub(v128.load(vectorOf(scratch, TO_ETA, row, bytes) + at), v128.and(carried, wet));
    const x = v128.load(vectorOf(scratch, TO_HU, row, bytes) + at);
    const y = v128.load(vectorOf(scratch, TO_HV, row, bytes) + at);
    v128.store(vector, f32x4.add(v128.load(vectorOf(scratch, TO_WATER, row, bytes) + at), toEta));
    v128.store(vector, f32x4.add(negatedMultiplyAdd(rotation, y, x), v128.and(f32x4.div(toU, depth), wet)), 16);
    v128.store(vector, f32x4.add(multiplyAdd(rotation, x, y), v128.and(f32x4.div(toV, depth), wet)), 32);
    if (stage == 1) {
      beforeMean(p, cell, count, ofMean);
      addVector(vector, ofMean);
      changeByFriction(p, p.state + cell, p.bed + cell, count, true, vector);
    }
    storeVector(p, vector, to + cell, count);
  }
}

function adjointOfBlock(p: LinearCentralUpwind, j0: i32, j1: i32, scratch: usize): void {
  const nx = p.nx;
  const bytes = rowBytes(nx);
  const apart = <isize>bytes;
  const stage = p.stage;
  const rows = j1 - j0;
  const from = stage == 1 ? p.state : p.other;
  for (let row = -RINGS; row < rows + RINGS; row++) loadRow(stageOf(p), from, j0 + row, j0, stage, scratch);
  for (let row = -2; row <= rows + 1; row++) loadSensitivity(p, stage, j0 + row, j0, scratch);
  const momentum = vectorOf(scratch, TO_HU, 0, bytes) - vectorOf(scratch, TO_WATER, 0, bytes);
  const faces = facesOf(scratch, bytes);
  const given = madeOf(scratch, 0, bytes);
  const sides = xSidesOf(scratch, bytes);
  for (let row = 0; row < rows; row++) {
    for (let array = TO_ETA; array <= TO_V; array++) memory.fill(vectorOf(scratch, array, row, bytes), 0, bytes);
    const shares = sharesAt(p, j0 + row);
    const to = vectorOf(scratch, TO_WATER, row, bytes);
    sidesInRow(stageOf(p), scratch, row, -1, nx, 4, U, V, sides);
    facesInRow(stageOf(p), sides - 4, sides, 0, nx, faces);
    giveFromFaces(p, sides - 4, sides, faces, 0, nx, to - 4, to, momentum, 2 * momentum, shares - 4, shares, p.ratioX, given);
    gatherAlongX(p, row, scratch);
  }
  sidesInRow(stageOf(p), scratch, -2, 0, nx - 1, apart, V, U, ySidesOf(scratch, -2, bytes));
  for (let row = -1; row <= rows + 1; row++) {
    const below = ySidesOf(scratch, row - 1, bytes);
    const above = ySidesOf(scratch, row, bytes);
    sidesInRow(stageOf(p), scratch, row, 0, nx - 1, apart, V, U, above);
    const j = j0 + row;
    if (p.boundaryY != PERIODIC && (j < 0 || j > p.ny)) continue;
    // In a periodic basin the faces are those of the rows that the two come from.
    const after = p.boundaryY == PERIODIC ? sourceIndex(j, p.ny, PERIODIC) : j;
    const to = vectorOf(scratch, TO_WATER, row, bytes);
    facesInRow(stageOf(p), below, above, 0, nx - 1, faces);
    giveFromFaces(p, below, above, faces, 0, nx - 1, to - bytes, to, 2 * momentum, momentum, sharesAt(p, after - 1), sharesAt(p, after), p.ratioY, given);
    scatterAlongY(p, j, j0, j1, scratch);
  }
  for (let row = 0; row < rows; row++) writeRow(p, stage, j0 + row, row, scratch);
}

/** The adjoint of a stage, of a band of rows. */
export function centralUpwindAdjoint(p: LinearCentralUpwind, part: i32, scratch: usize): void {
  const first = part * p.rowsPerBand;
  const end = min(first + p.rowsPerBand, p.ny);
  for (let j = first; j < end; j += BLOCK_ROWS) adjointOfBlock(p, j, min(j + BLOCK_ROWS, end), scratch);
}
