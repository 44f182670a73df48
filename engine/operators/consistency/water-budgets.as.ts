// Budgets of water (water-budgets.ts), a row of cells of one state at a time: first what its means are, then the sums about them.

@unmanaged
class WaterBudgets {
  nx: i32;
  ny: i32;
  periodicX: i32;
  periodicY: i32;
  perDx: f32;
  perDy: f32;
  gravity: f32;
  /** In the middle, and its change from row to row. */
  f: f32;
  betaDy: f32;
  isElevation: i32;
  dryDepth: f32;
  truth: usize;
  forecast: usize;
  analysis: usize;
  bed: usize;
  /** [3][2], mean elevation of the surface and what is shallow. */
  levels: usize;
  /** [3][ny][7], float64 */
  sums: usize;
}

// @ts-ignore: decorator
@inline
function stateOf(p: WaterBudgets, index: i32): usize {
  return index == 0 ? p.truth : index == 1 ? p.forecast : p.analysis;
}

// @ts-ignore: decorator
@inline
function depthAt(p: WaterBudgets, state: usize, at: usize): f32 {
  return p.isElevation ? f32.load(state + at) - f32.load(p.bed + at) : f32.load(state + at);
}

/** As differenceWeight in geostrophic-balance: of the derivative at j, how it takes its neighbour j + offset, in cells. */
// @ts-ignore: decorator
@inline
function differenceWeight(j: i32, offset: i32, n: i32, periodic: i32): f32 {
  if (periodic || (j > 0 && j < n - 1)) return 0.5 * <f32>offset;
  if (n == 1) return 0;
  if (j == 0) return offset == 1 ? 1 : offset == 0 ? -1 : 0;
  return offset == 0 ? 1 : offset == -1 ? -1 : 0;
}

/** Adds a neighbour to the slopes of η, of the momentum along the axis and of the velocity across it. */
function addNeighbour(
  p: WaterBudgets,
  slopes: usize,
  state: usize,
  at: usize,
  weight: f32,
  along: usize,
  across: usize,
  shallow: f32,
  level: f32,
  own: f32,
): void {
  const h = depthAt(p, state, at);
  const isWet = h > p.dryDepth;
  const eta = isWet ? h + f32.load(p.bed + at) - level : own;
  f32.store(slopes, f32.load(slopes) + weight * eta);
  if (isWet) f32.store(slopes, f32.load(slopes, 4) + weight * f32.load(state + along + at), 4);
  if (h > shallow) f32.store(slopes, f32.load(slopes, 8) + (weight * f32.load(state + across + at)) / h, 8);
}

/** Sums over a row of a state: of wet cells, elevation and depth. */
export function waterLevels(p: WaterBudgets, part: i32, scratch: usize): void {
  const state = stateOf(p, part / p.ny);
  const row = (part % p.ny) * p.nx;
  let wet: f64 = 0;
  let elevation: f64 = 0;
  let depth: f64 = 0;
  for (let i = 0; i < p.nx; i++) {
    const at = <usize>(row + i) << 2;
    const h = depthAt(p, state, at);
    if (!(h > p.dryDepth)) continue;
    wet += 1;
    elevation += <f64>(h + f32.load(p.bed + at));
    depth += <f64>h;
  }
  const target = p.sums + <usize>(part * 7 * 8);
  f64.store(target, wet);
  f64.store(target, elevation, 8);
  f64.store(target, depth, 16);
}

export function waterBudgets(p: WaterBudgets, part: i32, scratch: usize): void {
  const index = part / p.ny;
  const j = part % p.ny;
  const state = stateOf(p, index);
  const plane = <usize>(p.nx * p.ny) << 2;
  const level = f32.load(p.levels + (<usize>index << 3));
  const shallow = f32.load(p.levels + (<usize>index << 3), 4);
  const f = p.f + p.betaDy * (<f32>j - 0.5 * <f32>(p.ny - 1));
  const target = p.sums + <usize>(part * 7 * 8);
  memory.fill(target, 0, 7 * 8);
  for (let i = 0; i < p.nx; i++) {
    const at = <usize>(j * p.nx + i) << 2;
    const h = depthAt(p, state, at);
    if (!(h > p.dryDepth)) continue;
    const eta = h + f32.load(p.bed + at) - level;
    memory.fill(scratch, 0, 12);
    for (let d = -1; d <= 1; d++) {
      const weight = differenceWeight(i, d, p.nx, p.periodicX);
      if (weight == 0) continue;
      const x = <usize>(j * p.nx + ((i + d + p.nx) % p.nx)) << 2;
      addNeighbour(p, scratch, state, x, weight, plane, 2 * plane, shallow, level, eta);
    }
    const gx = p.gravity * f32.load(scratch) * p.perDx;
    const hux = f32.load(scratch, 4) * p.perDx;
    const vx = f32.load(scratch, 8) * p.perDx;
    memory.fill(scratch, 0, 12);
    for (let d = -1; d <= 1; d++) {
      const weight = differenceWeight(j, d, p.ny, p.periodicY);
      if (weight == 0) continue;
      const y = <usize>(((j + d + p.ny) % p.ny) * p.nx + i) << 2;
      addNeighbour(p, scratch, state, y, weight, 2 * plane, plane, shallow, level, eta);
    }
    const gy = p.gravity * f32.load(scratch) * p.perDy;
    const hvy = f32.load(scratch, 4) * p.perDy;
    const uy = f32.load(scratch, 8) * p.perDy;
    const u = f32.load(state + plane + at) / h;
    const v = f32.load(state + 2 * plane + at) / h;
    const turning = vx - uy + f;
    add(target, 0, h);
    add(target, 1, 0.5 * (h * (u * u + v * v) + p.gravity * eta * eta));
    if (h > shallow) add(target, 2, (0.5 * turning * turning) / h);
    add(target, 3, abs(hux + hvy));
    const ax = gx - f * v;
    const ay = gy + f * u;
    add(target, 4, h * (ax * ax + ay * ay));
    add(target, 5, h * (gx * gx + gy * gy));
    add(target, 6, 1);
  }
}

// @ts-ignore: decorator
@inline
function add(target: usize, row: i32, value: f32): void {
  const at = target + (<usize>row << 3);
  f64.store(at, f64.load(at) + <f64>value);
}
