// Drops that fall on states (index.ts), four cells at a time. A part is a run of rows of one state. Work space: the drops that
// reach a row, each with its factor across and the address of its factors along.

import { loadFirst, multiplyAdd, storeFirst } from '../../compute/wasm/simd-library.as';
import { FallingDrops } from './index';

export function fallingDrops(p: FallingDrops, part: i32, scratch: usize): void {
  const s = part / p.segments;
  const begin = (part % p.segments) * p.segment;
  const end = min(begin + p.segment, p.ny);
  const level = f32.load(p.levels + (<usize>s << 2));
  const plane = p.ensemble + (<usize>(p.first + s) * <usize>p.stride << 2);
  for (let j = begin; j < end; j++) {
    const last = reaching(p, s, j, scratch);
    if (level == 0 && last == scratch) continue;
    const row = <usize>(j * p.nx) << 2;
    for (let i = 0; i < p.nx; i += 4) {
      const count = p.nx - i;
      const at = <usize>i << 2;
      let sum = f32x4.splat(0);
      for (let drop = scratch; drop < last; drop += 8) {
        sum = multiplyAdd(v128.load32_splat(drop), loadFirst(load<usize>(drop, 4) + at, count, 0), sum);
      }
      const fall = f32x4.mul(f32x4.splat(level), loadFirst(p.water + row + at, count, 0));
      const target = plane + row + at;
      storeFirst(target, f32x4.add(loadFirst(target, count, 0), f32x4.sub(sum, fall)), count);
    }
  }
}

/** Writes the drops of state s that reach row j. @returns the address behind the last of them */
function reaching(p: FallingDrops, s: i32, j: i32, scratch: usize): usize {
  for (let d = s * p.drops; d < (s + 1) * p.drops; d++) {
    const across = f32.load(p.across + (<usize>(d * p.ny + j) << 2));
    if (across == 0) continue;
    f32.store(scratch, across);
    store<usize>(scratch, p.along + (<usize>(d * p.nx) << 2), 4);
    scratch += 8;
  }
  return scratch;
}
