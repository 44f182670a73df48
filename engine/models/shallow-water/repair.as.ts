// The repair of states (repair.ts), four cells at a time. A part is a run of cells of one member.

import { loadFirst, storeFirst } from '../../compute/wasm/simd-library.as';
import { Repair, SpeedLimit } from './repair';

export function repair(p: Repair, part: i32, scratch: usize): void {
  const cells = <usize>p.cells << 2;
  const start = (part % p.segments) * p.segment;
  const end = min(start + p.segment, p.cells);
  const member = p.state + <usize>(part / p.segments) * 3 * cells;
  const floor = f32x4.splat(p.floor);
  const dryDepth = f32x4.splat(p.dryDepth);
  for (let cell = start; cell < end; cell += 4) {
    const count = end - cell;
    const place = <usize>cell << 2;
    const at = member + place;
    const ground = p.bed == 0 ? f32x4.splat(0) : loadFirst(p.bed + place, count, 0);
    const least = f32x4.add(ground, floor);
    const surface = loadFirst(at, count, 0);
    const raised = f32x4.lt(surface, least);
    const repaired = v128.bitselect(least, surface, raised);
    const dry = f32x4.le(f32x4.sub(repaired, ground), dryDepth);
    // Most water needs nothing.
    if (!v128.any_true(v128.or(raised, dry))) continue;
    storeFirst(at, repaired, count);
    storeFirst(at + cells, v128.andnot(loadFirst(at + cells, count, 0), dry), count);
    storeFirst(at + 2 * cells, v128.andnot(loadFirst(at + 2 * cells, count, 0), dry), count);
  }
}

// The speed limit of an analysis , cell by cell: nearly every cell is done with the first comparison. A part is a run of
// rows of one member.

/** The index beside i on an axis of n cells; itself where the axis ends. */
function beside(i: i32, step: i32, n: i32, periodic: i32): i32 {
  const next = i + step;
  if (next >= 0 && next < n) return next;
  return periodic ? (next + n) % n : i;
}

function speedSquared(hu: f32, hv: f32, depth: f32): f32 {
  const u = hu / depth;
  const v = hv / depth;
  return u * u + v * v;
}

/** Square of the speed that water of a cell has in the forecast, or as a front; 0 where it is dry. `plane` is of bytes. */
function front(p: SpeedLimit, member: usize, plane: usize, cell: usize): f32 {
  const ground = load<f32>(p.bed + cell);
  const forecast = p.forecast + member + cell;
  const before = load<f32>(forecast) - ground;
  const depth = max(before, load<f32>(p.state + member + cell) - ground);
  if (depth <= p.dryDepth) return 0;
  const ritter = <f32>4 * p.gravity * depth;
  if (before <= p.dryDepth) return ritter;
  return max(ritter, speedSquared(load<f32>(forecast + plane), load<f32>(forecast + 2 * plane), before));
}

/** Square of the speed that water of the cell `near` can have where the surface is at `surface`. */
function reach(p: SpeedLimit, member: usize, plane: usize, near: usize, surface: f32): f32 {
  const own = front(p, member, plane, near);
  if (own == 0) return 0;
  const height = max(load<f32>(p.forecast + member + near), load<f32>(p.state + member + near)) - surface;
  return own + <f32>2 * p.gravity * max(height, <f32>0);
}

export function speedLimit(p: SpeedLimit, part: i32, scratch: usize): void {
  const nx = p.nx;
  const ny = p.ny;
  const plane = <usize>(nx * ny) << 2;
  const member = <usize>(part / p.segments) * 3 * plane;
  const first = (part % p.segments) * p.rows;
  const end = min(first + p.rows, ny);
  for (let y = first; y < end; y++) {
    for (let x = 0; x < nx; x++) {
      const cell = <usize>(y * nx + x) << 2;
      const at = p.state + member + cell;
      const surface = load<f32>(at);
      const depth = surface - load<f32>(p.bed + cell);
      if (depth <= p.dryDepth) continue;
      const hu = load<f32>(at + plane);
      const hv = load<f32>(at + 2 * plane);
      const speed = speedSquared(hu, hv, depth);
      let fastest = front(p, member, plane, cell);
      if (speed <= fastest) continue;
      for (let step = -1; step <= 1; step += 2) {
        const alongX = <usize>(y * nx + beside(x, step, nx, p.periodicX)) << 2;
        const alongY = <usize>(beside(y, step, ny, p.periodicY) * nx + x) << 2;
        fastest = max(fastest, reach(p, member, plane, alongX, surface));
        fastest = max(fastest, reach(p, member, plane, alongY, surface));
      }
      if (speed <= fastest) continue;
      const factor = sqrt(fastest / speed);
      store<f32>(at + plane, factor * hu);
      store<f32>(at + 2 * plane, factor * hv);
    }
  }
}
