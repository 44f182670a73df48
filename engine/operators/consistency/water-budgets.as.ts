// Budgets of water (water-budgets.ts), a row of cells of one state at a time: first what its means are, then the sums about them.
// Four cells of a row together where all have neighbours to both sides; the others, at its ends, in lane 0 of four.

import { WaterBudgets } from './water-budgets';

// @ts-ignore: decorator
@inline
function stateOf(p: WaterBudgets, index: i32): usize {
  return index == 0 ? p.truth : index == 1 ? p.forecast : p.analysis;
}

/** Weight of the neighbour j + offset in a derivative at j, in cells: as differenceWeight in geostrophic-balance. */
// @ts-ignore: decorator
@inline
function differenceWeight(j: i32, offset: i32, n: i32, periodic: i32): f32 {
  if (periodic || (j > 0 && j < n - 1)) return 0.5 * <f32>offset;
  if (n == 1) return 0;
  if (j == 0) return offset == 1 ? 1 : offset == 0 ? -1 : 0;
  return offset == 0 ? 1 : offset == -1 ? -1 : 0;
}

/** Four cells, or one and three of nothing: reading four at the end of a plane would read beyond it. */
// @ts-ignore: decorator
@inline
function load(at: usize, four: bool): v128 {
  return four ? v128.load(at) : v128.load32_zero(at);
}

// @ts-ignore: decorator
@inline
function depthAt(p: WaterBudgets, state: usize, at: usize, four: bool): v128 {
  const level = load(state + at, four);
  return p.isElevation ? f32x4.sub(level, load(p.bed + at, four)) : level;
}

/** The sums of four numbers of float32 in two of float64. */
// @ts-ignore: decorator
@inline
function addPairs(sums: v128, v: v128): v128 {
  const high = v128.shuffle<i32>(v, v, 2, 3, 2, 3);
  return f64x2.add(sums, f64x2.add(f64x2.promote_low_f32x4(v), f64x2.promote_low_f32x4(high)));
}

/** Adds two of float64, as one, to a number. */
// @ts-ignore: decorator
@inline
function addTo(target: usize, sums: v128): void {
  f64.store(target, f64.load(target) + (f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1)));
}

/** Adds neighbours to the slopes of η, of the momentum along the axis and of the velocity across it. */
// @ts-ignore: decorator
@inline
function addNeighbours(
  p: WaterBudgets,
  slopes: usize,
  state: usize,
  at: usize,
  four: bool,
  weight: v128,
  along: usize,
  across: usize,
  shallow: v128,
  level: v128,
  own: v128,
): void {
  const h = depthAt(p, state, at, four);
  const wet = f32x4.gt(h, f32x4.splat(p.dryDepth));
  const eta = v128.bitselect(f32x4.sub(f32x4.add(h, load(p.bed + at, four)), level), own, wet);
  const momentum = v128.and(load(state + along + at, four), wet);
  const velocity = v128.and(f32x4.div(load(state + across + at, four), h), f32x4.gt(h, shallow));
  v128.store(slopes, f32x4.add(v128.load(slopes), f32x4.mul(weight, eta)));
  v128.store(slopes, f32x4.add(v128.load(slopes, 16), f32x4.mul(weight, momentum)), 16);
  v128.store(slopes, f32x4.add(v128.load(slopes, 32), f32x4.mul(weight, velocity)), 32);
}

/** Sums over a row of a state: of wet cells, elevation and depth. */
export function waterLevels(p: WaterBudgets, part: i32, scratch: usize): void {
  const state = stateOf(p, part / p.ny);
  const row = (part % p.ny) * p.nx;
  const dry = f32x4.splat(p.dryDepth);
  let wet = f64x2.splat(0);
  let elevation = wet;
  let depth = wet;
  for (let i = 0; i < p.nx; ) {
    const at = <usize>(row + i) << 2;
    const four = i + 4 <= p.nx;
    const h = depthAt(p, state, at, four);
    // Of a single cell the other three are dry.
    const isWet = f32x4.gt(h, dry);
    wet = addPairs(wet, v128.and(f32x4.splat(1), isWet));
    elevation = addPairs(elevation, v128.and(f32x4.add(h, load(p.bed + at, four)), isWet));
    depth = addPairs(depth, v128.and(h, isWet));
    i += four ? 4 : 1;
  }
  const target = p.sums + <usize>(part * 7 * 8);
  memory.fill(target, 0, 24);
  addTo(target, wet);
  addTo(target + 8, elevation);
  addTo(target + 16, depth);
}

export function waterBudgets(p: WaterBudgets, part: i32, scratch: usize): void {
  const index = part / p.ny;
  const j = part % p.ny;
  const target = p.sums + <usize>(part * 7 * 8);
  memory.fill(target, 0, 7 * 8);
  const last = p.nx - 1;
  addBudget(p, target, index, j, 0, false, scratch);
  let i = 1;
  for (; i + 4 <= last; i += 4) addBudget(p, target, index, j, i, true, scratch);
  for (; i <= last; i++) addBudget(p, target, index, j, i, false, scratch);
}

/** Adds four cells from i on, or the i-th alone. */
// @ts-ignore: decorator
@inline
function addBudget(p: WaterBudgets, target: usize, index: i32, j: i32, i: i32, four: bool, slopes: usize): void {
  const state = stateOf(p, index);
  const at = <usize>(j * p.nx + i) << 2;
  const h = depthAt(p, state, at, four);
  const dry = f32x4.splat(p.dryDepth);
  let wet = f32x4.gt(h, dry);
  if (!four) wet = v128.and(wet, i32x4(-1, 0, 0, 0));
  if (!v128.any_true(wet)) return;
  const plane = <usize>(p.nx * p.ny) << 2;
  const level = f32x4.splat(f32.load(p.levels + (<usize>index << 3)));
  const shallow = f32x4.splat(f32.load(p.levels + (<usize>index << 3), 4));
  const gravity = f32x4.splat(p.gravity);
  const f = f32x4.splat(p.f + p.betaDy * (<f32>j - 0.5 * <f32>(p.ny - 1)));
  const eta = f32x4.sub(f32x4.add(h, load(p.bed + at, four)), level);
  memory.fill(slopes, 0, 96);
  for (let d = -1; d <= 1; d++) {
    const weight = differenceWeight(i, d, p.nx, p.periodicX);
    if (weight == 0) continue;
    const x = <usize>(j * p.nx + (four ? i + d : (i + d + p.nx) % p.nx)) << 2;
    addNeighbours(p, slopes, state, x, four, f32x4.splat(weight), plane, 2 * plane, shallow, level, eta);
  }
  for (let d = -1; d <= 1; d++) {
    const weight = differenceWeight(j, d, p.ny, p.periodicY);
    if (weight == 0) continue;
    const y = <usize>(((j + d + p.ny) % p.ny) * p.nx + i) << 2;
    addNeighbours(p, slopes + 48, state, y, four, f32x4.splat(weight), 2 * plane, plane, shallow, level, eta);
  }
  const perDx = f32x4.splat(p.perDx);
  const perDy = f32x4.splat(p.perDy);
  const gx = f32x4.mul(f32x4.mul(gravity, v128.load(slopes)), perDx);
  const gy = f32x4.mul(f32x4.mul(gravity, v128.load(slopes, 48)), perDy);
  const divergence = f32x4.add(f32x4.mul(v128.load(slopes, 16), perDx), f32x4.mul(v128.load(slopes, 64), perDy));
  const turning = f32x4.add(
    f32x4.sub(f32x4.mul(v128.load(slopes, 32), perDx), f32x4.mul(v128.load(slopes, 80), perDy)),
    f,
  );
  const u = f32x4.div(load(state + plane + at, four), h);
  const v = f32x4.div(load(state + 2 * plane + at, four), h);
  const half = f32x4.splat(0.5);
  const motion = f32x4.mul(h, f32x4.add(f32x4.mul(u, u), f32x4.mul(v, v)));
  const raised = f32x4.mul(f32x4.mul(gravity, eta), eta);
  const enstrophy = f32x4.div(f32x4.mul(half, f32x4.mul(turning, turning)), h);
  const ax = f32x4.sub(gx, f32x4.mul(f, v));
  const ay = f32x4.add(gy, f32x4.mul(f, u));
  const unbalanced = f32x4.mul(h, f32x4.add(f32x4.mul(ax, ax), f32x4.mul(ay, ay)));
  const pressure = f32x4.mul(h, f32x4.add(f32x4.mul(gx, gx), f32x4.mul(gy, gy)));
  addRow(target, h, wet);
  addRow(target + 8, f32x4.mul(half, f32x4.add(motion, raised)), wet);
  addRow(target + 16, enstrophy, v128.and(wet, f32x4.gt(h, shallow)));
  addRow(target + 24, f32x4.abs(divergence), wet);
  addRow(target + 32, unbalanced, wet);
  addRow(target + 40, pressure, wet);
  addRow(target + 48, f32x4.splat(1), wet);
}

/** Adds those of the chosen cells. */
// @ts-ignore: decorator
@inline
function addRow(target: usize, terms: v128, chosen: v128): void {
  addTo(target, addPairs(f64x2.splat(0), v128.and(terms, chosen)));
}
