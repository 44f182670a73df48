// The observations in reach of any of four neighbouring grid points of a row, one a lane.

import { Letkf } from './wasm';
import { at, Workspace } from './workspace-library.as';
import { gaspariCohn, shortest } from '../localisation/taper-library.as';

/** The first of the bins within reach of an interval of coordinates in the lower half, and how many there are in the upper. */
function binsWithinReach(low: f32, high: f32, reach: f32, cells: i32, bins: i32, periodic: i32): i64 {
  const first = <i32>floor<f32>(((low - reach) * <f32>bins) / <f32>cells);
  const last = <i32>floor<f32>(((high + reach) * <f32>bins) / <f32>cells);
  if (!periodic) {
    const from = min(bins - 1, max(0, first));
    return <i64>from | (<i64>(min(bins - 1, max(0, last)) - from + 1) << 32);
  }
  if (last - first + 1 >= bins) return <i64>bins << 32;
  const from = ((first % bins) + bins) % bins;
  return <i64>from | (<i64>(last - first + 1) << 32);
}

/** Lists the observations in reach of any of four grid points, and counts those of each. Returns how many are listed. */
export function findLocal(p: Letkf, w: Workspace, x: i32, y: i32): i32 {
  const last = <f32>(p.nx - 1);
  const xs = f32x4.min(f32x4.add(f32x4.splat(<f32>x), f32x4(0, 1, 2, 3)), f32x4.splat(last));
  const ys = f32x4.splat(<f32>y);
  const columns = binsWithinReach(<f32>x, min<f32>(<f32>(x + 3), last), p.reachX, p.nx, p.binsX, p.periodicX);
  const rows = binsWithinReach(<f32>y, <f32>y, p.reachY, p.ny, p.binsY, p.periodicY);
  const scale = f32x4.splat(p.inverseHalfWidth);
  let inReach = i32x4.splat(0);
  let count = 0;
  for (let r = 0; r < <i32>(rows >> 32); r++) {
    const row = ((<i32>rows + r) % p.binsY) * p.binsX;
    for (let c = 0; c < <i32>(columns >> 32); c++) {
      const bin = p.binStart + (<usize>(row + ((<i32>columns + c) % p.binsX)) << 2);
      const end = i32.load(bin, 4);
      for (let slot = i32.load(bin); slot < end; slot++) {
        const known = at(p.slots, slot);
        if (f32.load(known, 12) == 0) continue;
        let dx = f32x4.sub(v128.load32_splat(known), xs);
        let dy = f32x4.sub(v128.load32_splat(known, 4), ys);
        if (p.periodicX) dx = shortest(dx, <f32>p.nx);
        if (p.periodicY) dy = shortest(dy, <f32>p.ny);
        dy = f32x4.mul(dy, f32x4.splat(p.aspect));
        const distance = f32x4.sqrt(f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy)));
        const weight = gaspariCohn(f32x4.mul(distance, scale));
        const positive = f32x4.gt(weight, f32x4.splat(0));
        if (!v128.any_true(positive)) continue;
        inReach = i32x4.sub(inReach, positive);
        i32.store(w.listed + (<usize>count << 2), slot);
        v128.store(at(w.roots, count), f32x4.sqrt(f32x4.max(weight, f32x4.splat(0))));
        count++;
      }
    }
  }
  v128.store(w.counts, inReach);
  return count;
}

/** Reports the first of four grid points that has too many observations. Returns whether there is one. */
export function tooMany(p: Letkf, w: Workspace, cell: i32, lanes: i32, report: usize): bool {
  for (let lane = 0; lane < min(lanes, 4); lane++) {
    if (i32.load(w.counts + (<usize>lane << 2)) <= p.localCapacity) continue;
    i32.store(report, cell + lane);
    return true;
  }
  return false;
}
