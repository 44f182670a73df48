// The central-upwind scheme (index.ts has the equations), block of rows by block of rows, four cells at a time. Stage 1 reads the
// state and writes the other array; stage 2 reads that one and brings the state to the mean of Heun's method, in place: of the
// old state a cell needs itself alone.

import { loadFirst, multiplyAdd, storeFirst, unlessBelow } from '../../../compute/wasm/simd-library.as';
import {
  AT_REST,
  clearedReport,
  courantNumber,
  reportLargest,
  tell,
  tellNotFinite,
} from '../water-library.as';
import { ADVECTION, AFTER, BEFORE, BLOCK_ROWS, DEPTH, ETA, FIRST, FORCE, FRONT, SHARE, TANGENTIAL, U, V, WATER, X_FACES, Y_FACES, frictionFactor, hasFriction, loadRow, rowBytes, rowOf } from './block-library.as';
import { CentralUpwind } from './devices';
import { fluxesOfRow, slopesInRow } from './faces-library.as';

/** Share of the outflow that the cells −1 … nx of a row can give in a step. */
function sharesOfRow(p: CentralUpwind, scratch: usize, row: i32): void {
  const bytes = rowBytes(p.nx);
  const x = rowOf(scratch, X_FACES + WATER, row, bytes);
  const south = rowOf(scratch, Y_FACES + WATER, row, bytes);
  const north = rowOf(scratch, Y_FACES + WATER, row + 1, bytes);
  const depths = rowOf(scratch, DEPTH, row, bytes);
  const shares = rowOf(scratch, SHARE, row, bytes);
  const zero = f32x4.splat(0);
  const one = f32x4.splat(1);
  for (let i = -1; i <= p.nx; i += 4) {
    const at = FIRST + (<usize>i << 2);
    const alongX = f32x4.add(
      f32x4.pmax(v128.load(x + at, 4), zero),
      f32x4.pmax(f32x4.neg(v128.load(x + at)), zero),
    );
    const alongY = f32x4.add(
      f32x4.pmax(v128.load(north + at), zero),
      f32x4.pmax(f32x4.neg(v128.load(south + at)), zero),
    );
    const outflow = multiplyAdd(f32x4.splat(p.ratioX), alongX, f32x4.mul(f32x4.splat(p.ratioY), alongY));
    const h = v128.load(depths + at);
    v128.store(shares + at, v128.bitselect(f32x4.div(h, outflow), one, f32x4.gt(outflow, h)));
  }
}

/** Keeps the shares of the rows of a block, with those of the ring of cells around the basin. */
function keepShares(p: CentralUpwind, j0: i32, j1: i32, scratch: usize): void {
  const bytes = rowBytes(p.nx);
  const width = <usize>(p.nx + 2) << 2;
  const first = j0 == 0 ? -1 : j0;
  const last = j1 == p.ny ? j1 : j1 - 1;
  for (let j = first; j <= last; j++) {
    memory.copy(p.shares + <usize>(j + 1) * width, rowOf(scratch, SHARE, j - j0, bytes) + FIRST - 4, width);
  }
}

/** Largest speed that water of the cells `from` can have in the cells of elevation `eta`; 0 from dry ones. */
// @ts-ignore: decorator
@inline
function reach(p: CentralUpwind, fronts: usize, etas: usize, eta: v128): v128 {
  const front = v128.load(fronts);
  const fall = f32x4.pmax(f32x4.sub(v128.load(etas), eta), f32x4.splat(0));
  const speed = f32x4.sqrt(multiplyAdd(front, front, f32x4.mul(f32x4.splat(2 * p.gravity), fall)));
  return v128.and(speed, f32x4.gt(front, f32x4.splat(0)));
}

/** Factors that bring new speeds down to the largest that water from the cells or beside them can have (euler.ts). */
function slowdown(p: CentralUpwind, scratch: usize, row: i32, at: usize, speed: v128): v128 {
  const bytes = rowBytes(p.nx);
  const etas = rowOf(scratch, ETA, row, bytes) + at;
  const fronts = rowOf(scratch, FRONT, row, bytes) + at;
  const eta = v128.load(etas);
  const one = f32x4.splat(1);
  let fastest = v128.load(fronts);
  if (!v128.any_true(f32x4.gt(speed, fastest))) return one;
  fastest = f32x4.pmax(fastest, reach(p, fronts - 4, etas - 4, eta));
  fastest = f32x4.pmax(fastest, reach(p, fronts + 4, etas + 4, eta));
  fastest = f32x4.pmax(fastest, reach(p, fronts - bytes, etas - bytes, eta));
  fastest = f32x4.pmax(fastest, reach(p, fronts + bytes, etas + bytes, eta));
  return v128.bitselect(f32x4.div(fastest, speed), one, f32x4.gt(speed, fastest));
}

/** Whether any of the first `count` of four new cells may be wrong: not finite, or with waves that are nearly too fast. */
// @ts-ignore: decorator
@inline
function isSuspicious(p: CentralUpwind, eta: v128, depth: v128, hu: v128, hv: v128, count: i32): bool {
  const carried = f32x4.mul(depth, f32x4.sqrt(f32x4.mul(f32x4.splat(p.gravity), depth)));
  const slow = v128.and(
    f32x4.le(f32x4.add(f32x4.abs(hu), carried), f32x4.mul(f32x4.splat(p.fastX), depth)),
    f32x4.le(f32x4.add(f32x4.abs(hv), carried), f32x4.mul(f32x4.splat(p.fastY), depth)),
  );
  const sum = f32x4.add(eta, f32x4.add(hu, hv));
  const finite = f32x4.eq(f32x4.sub(sum, sum), f32x4.splat(0));
  const dry = f32x4.le(depth, f32x4.splat(p.dryDepth));
  const mask = count >= 4 ? 15 : (1 << count) - 1;
  return (i32x4.bitmask(v128.and(finite, v128.or(dry, slow))) & mask) != mask;
}

/** Euler's step of row j, and in stage 2 the mean with the old state. `from` is what was loaded. */
function updateRow(p: CentralUpwind, stage: i32, state: usize, from: usize, to: usize, j: i32, j0: i32, scratch: usize): bool {
  const nx = p.nx;
  const bytes = rowBytes(nx);
  const cells = <usize>(nx * p.ny) << 2;
  const row = j - j0;
  const place = <usize>(j * nx) << 2;
  const x = rowOf(scratch, X_FACES, row, bytes);
  const south = rowOf(scratch, Y_FACES, row, bytes);
  const shares = rowOf(scratch, SHARE, row, bytes);
  // From the flux of water to what else goes through a face.
  const next = rowOf(scratch, X_FACES + 1, row, bytes) - x;
  const advection = <usize>ADVECTION * next;
  const before = <usize>BEFORE * next;
  const after = <usize>AFTER * next;
  const tangential = <usize>TANGENTIAL * next;
  const force = <usize>FORCE * next;
  const ratioX = f32x4.splat(p.ratioX);
  const ratioY = f32x4.splat(p.ratioY);
  const rotation = f32x4.splat(p.rotation + p.rotationGrowth * <f32>j);
  const dryDepth = f32x4.splat(p.dryDepth);
  const atRest = f32x4.splat(AT_REST);
  const half = f32x4.splat(0.5);
  const zero = f32x4.splat(0);
  let suspicious = false;
  for (let i = 0; i < nx; i += 4) {
    const at = FIRST + (<usize>i << 2);
    const w = x + at;
    const s = south + at;
    const n = s + bytes;
    const c = shares + at;
    const own = v128.load(c);
    const waterWest = v128.load(w);
    const waterEast = v128.load(w, 4);
    const waterSouth = v128.load(s);
    const waterNorth = v128.load(n);
    const west = v128.bitselect(v128.load(c - 4), own, f32x4.gt(waterWest, zero));
    const east = v128.bitselect(own, v128.load(c, 4), f32x4.gt(waterEast, zero));
    const below = v128.bitselect(v128.load(c - bytes), own, f32x4.gt(waterSouth, zero));
    const above = v128.bitselect(own, v128.load(c + bytes), f32x4.gt(waterNorth, zero));
    const water = multiplyAdd(
      ratioX,
      f32x4.sub(f32x4.mul(east, waterEast), f32x4.mul(west, waterWest)),
      f32x4.mul(ratioY, f32x4.sub(f32x4.mul(above, waterNorth), f32x4.mul(below, waterSouth))),
    );
    const advectionX = f32x4.sub(
      f32x4.mul(east, v128.load(w + advection, 4)),
      f32x4.mul(west, v128.load(w + advection)),
    );
    const pressureX = f32x4.add(
      f32x4.sub(v128.load(w + before, 4), v128.load(w + after)),
      v128.load(w + force),
    );
    const shearX = f32x4.sub(
      f32x4.mul(above, v128.load(n + tangential)),
      f32x4.mul(below, v128.load(s + tangential)),
    );
    const alongX = multiplyAdd(ratioX, f32x4.add(advectionX, pressureX), f32x4.mul(ratioY, shearX));
    const advectionY = f32x4.sub(
      f32x4.mul(above, v128.load(n + advection)),
      f32x4.mul(below, v128.load(s + advection)),
    );
    const pressureY = f32x4.add(
      f32x4.sub(v128.load(n + before), v128.load(s + after)),
      v128.load(s + force),
    );
    const shearY = f32x4.sub(
      f32x4.mul(east, v128.load(w + tangential, 4)),
      f32x4.mul(west, v128.load(w + tangential)),
    );
    const alongY = multiplyAdd(ratioY, f32x4.add(advectionY, pressureY), f32x4.mul(ratioX, shearY));

    const cell = place + (<usize>i << 2);
    const count = nx - i;
    const bed = loadFirst(p.bed + cell, count, 0);
    let eta = loadFirst(from + cell, count, 0);
    let least = f32x4.mul(atRest, f32x4.sub(eta, bed));
    eta = unlessBelow(least, eta);
    let hu = unlessBelow(least, loadFirst(from + cell + cells, count, 0));
    let hv = unlessBelow(least, loadFirst(from + cell + 2 * cells, count, 0));
    if (stage == 1 && hasFriction(p)) {
      const factor = frictionFactor(p, f32x4.sub(eta, bed), hu, hv);
      hu = f32x4.mul(factor, hu);
      hv = f32x4.mul(factor, hv);
    }
    eta = f32x4.pmax(f32x4.sub(eta, water), bed);
    let depth = f32x4.sub(eta, bed);
    let wet = f32x4.gt(depth, dryDepth);
    least = f32x4.mul(atRest, depth);
    const newU = v128.and(unlessBelow(least, f32x4.add(f32x4.sub(hu, alongX), f32x4.mul(rotation, hv))), wet);
    const newV = v128.and(unlessBelow(least, f32x4.sub(f32x4.sub(hv, alongY), f32x4.mul(rotation, hu))), wet);
    const speed = v128.and(f32x4.div(f32x4.sqrt(multiplyAdd(newU, newU, f32x4.mul(newV, newV))), depth), wet);
    const slowing = slowdown(p, scratch, row, at, speed);
    hu = f32x4.mul(slowing, newU);
    hv = f32x4.mul(slowing, newV);
    if (p.limits != 0) {
      const limit = v128.bitselect(v128.and(slowing, wet), f32x4.splat(-1), f32x4.gt(eta, bed));
      storeFirst(p.limits + cell, limit, count);
    }
    if (stage == 2) {
      let oldEta = loadFirst(state + cell, count, 0);
      least = f32x4.mul(atRest, f32x4.sub(oldEta, bed));
      oldEta = unlessBelow(least, oldEta);
      let oldU = unlessBelow(least, loadFirst(state + cell + cells, count, 0));
      let oldV = unlessBelow(least, loadFirst(state + cell + 2 * cells, count, 0));
      if (hasFriction(p)) {
        const factor = frictionFactor(p, f32x4.sub(oldEta, bed), oldU, oldV);
        oldU = f32x4.mul(factor, oldU);
        oldV = f32x4.mul(factor, oldV);
      }
      eta = f32x4.mul(half, f32x4.add(oldEta, eta));
      depth = f32x4.sub(eta, bed);
      wet = f32x4.gt(depth, dryDepth);
      hu = v128.and(f32x4.mul(half, f32x4.add(oldU, hu)), wet);
      hv = v128.and(f32x4.mul(half, f32x4.add(oldV, hv)), wet);
      if (p.limits == 0 && hasFriction(p)) {
        const factor = frictionFactor(p, depth, hu, hv);
        hu = f32x4.mul(factor, hu);
        hv = f32x4.mul(factor, hv);
      }
      if (isSuspicious(p, eta, depth, hu, hv, count)) suspicious = true;
    }
    storeFirst(to + cell, eta, count);
    storeFirst(to + cell + cells, hu, count);
    storeFirst(to + cell + 2 * cells, hv, count);
  }
  return suspicious;
}

/** A stage of the rows j0 … j1 − 1 of a member. @returns whether one of them is suspicious after the last stage */
function stageOfBlock(p: CentralUpwind, stage: i32, state: usize, other: usize, j0: i32, j1: i32, scratch: usize): bool {
  const nx = p.nx;
  const apart = <isize>rowBytes(nx);
  const from = stage == 1 ? state : other;
  // A stage that is followed for its derivative leaves the state as it is.
  const to = stage == 1 ? other : p.limits == 0 ? state : p.mean;
  const rows = j1 - j0;
  for (let row = -3; row < rows + 3; row++) loadRow(p, from, j0 + row, j0, stage, scratch);
  for (let row = -1; row <= rows; row++) {
    slopesInRow(p, scratch, row, -2, nx + 1, 4, U, V);
    fluxesOfRow(p, scratch, row, row, 4, -1, nx + 1, U, V, X_FACES);
  }
  slopesInRow(p, scratch, -2, -1, nx, apart, V, U);
  for (let row = -1; row <= rows + 1; row++) {
    slopesInRow(p, scratch, row, -1, nx, apart, V, U);
    fluxesOfRow(p, scratch, row, row - 1, 0, -1, nx, V, U, Y_FACES);
  }
  for (let row = -1; row <= rows; row++) sharesOfRow(p, scratch, row);
  if (p.limits != 0) keepShares(p, j0, j1, scratch);
  let suspicious = false;
  for (let j = j0; j < j1; j++) {
    if (updateRow(p, stage, state, from, to, j, j0, scratch)) suspicious = true;
  }
  return suspicious;
}

/** A stage of the rows j0 … j1 − 1 of a member, block by block. */
function stageOfRows(p: CentralUpwind, stage: i32, state: usize, other: usize, j0: i32, j1: i32, scratch: usize): bool {
  let suspicious = false;
  for (let j = j0; j < j1; j += BLOCK_ROWS) {
    if (stageOfBlock(p, stage, state, other, j, min(j + BLOCK_ROWS, j1), scratch)) suspicious = true;
  }
  return suspicious;
}

/** Looks at rows cell by cell (basin.ts). @returns whether something is wrong, and reports the first such cell */
function examine(p: CentralUpwind, member: usize, j0: i32, j1: i32, step: i32, report: usize): bool {
  const cells = <usize>(p.nx * p.ny) << 2;
  for (let cell = j0 * p.nx; cell < j1 * p.nx; cell++) {
    const place = <usize>cell << 2;
    const at = member + place;
    if (tellNotFinite(at, cells, step, cell, report)) return true;
    const depth = <f64>f32.load(at) - <f64>f32.load(p.bed + place);
    if (depth <= <f64>p.dryDepth) continue;
    const courant = courantNumber(at, cells, depth, p.gravity, p.seconds, p.dx, p.dy);
    if (courant > <f64>p.courant) {
      tell(report, step, cell, p.courantKind, 0, <f32>courant);
      return true;
    }
  }
  return false;
}

/** All steps of a member. */
export function centralUpwindMember(p: CentralUpwind, member: i32, scratch: usize): void {
  const bytes = <usize>(p.nx * p.ny) * 12;
  const state = p.state + <usize>member * bytes;
  const other = p.other + <usize>member * bytes;
  const report = clearedReport(p.reports, member);
  for (let step = 0; step < p.steps; step++) {
    stageOfRows(p, 1, state, other, 0, p.ny, scratch);
    const suspicious = stageOfRows(p, 2, state, other, 0, p.ny, scratch);
    if (suspicious && examine(p, state, 0, p.ny, step, report)) break;
  }
}

/** One stage of a band of rows of a member. */
export function centralUpwindStage(p: CentralUpwind, part: i32, scratch: usize): void {
  const member = <usize>(part / p.bands);
  const j0 = (part % p.bands) * p.rowsPerBand;
  const j1 = min(j0 + p.rowsPerBand, p.ny);
  const bytes = <usize>(p.nx * p.ny) * 12;
  const state = p.state + member * bytes;
  const report = clearedReport(p.reports, part);
  const suspicious = stageOfRows(p, p.stage, state, p.other + member * bytes, j0, j1, scratch);
  if (suspicious) examine(p, state, j0, j1, 0, report);
}

/** One stage of a band of rows of one state, which keeps its limits: stage 1 goes from `state` to `other`, stage 2 to the mean. */
export function centralUpwindFollow(p: CentralUpwind, part: i32, scratch: usize): void {
  const j0 = part * p.rowsPerBand;
  stageOfRows(p, p.stage, p.state, p.other, j0, min(j0 + p.rowsPerBand, p.ny), scratch);
}

/** The largest wave rate of a band of rows, 1/s, into the first word of the part's report; 0 where it is dry. */
export function centralUpwindWaveRate(p: CentralUpwind, part: i32, scratch: usize): void {
  const j0 = (part % p.bands) * p.rowsPerBand;
  const end = min(j0 + p.rowsPerBand, p.ny) * p.nx;
  const cells = <usize>(p.nx * p.ny) << 2;
  const home = p.state + <usize>(part / p.bands) * 3 * cells;
  const gravity = f32x4.splat(p.gravity);
  let largest = f32x4.splat(0);
  for (let cell = j0 * p.nx; cell < end; cell += 4) {
    const place = <usize>cell << 2;
    const at = home + place;
    const count = end - cell;
    const depth = f32x4.sub(loadFirst(at, count, 0), loadFirst(p.bed + place, count, 0));
    const u = f32x4.div(f32x4.abs(loadFirst(at + cells, count, 0)), depth);
    const v = f32x4.div(f32x4.abs(loadFirst(at + 2 * cells, count, 0)), depth);
    const c = f32x4.sqrt(f32x4.mul(gravity, depth));
    const rate = f32x4.max(
      f32x4.div(f32x4.add(u, c), f32x4.splat(p.dx)),
      f32x4.div(f32x4.add(v, c), f32x4.splat(p.dy)),
    );
    // Negated, so that a depth that is no number has a rate that is none.
    const dry = v128.and(f32x4.le(depth, f32x4.splat(p.dryDepth)), v128.not(f32x4.ne(depth, depth)));
    const inRow = count >= 4 ? rate : v128.and(rate, i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(count)));
    largest = f32x4.max(largest, v128.andnot(inRow, dry));
  }
  reportLargest(p.reports, part, largest);
}
