// Statistics that count or compare: ranks of the truth, wet cells, and innovations (rank-histogram.ts, wet-cells.ts,
// innovation-statistics.ts).

import { loadFirst, storeFirst } from '../../compute/wasm/simd-library.as';
import { RankHistogram, WetCells } from './wasm';
import { InnovationStatistics } from './index';

/** A step of a linear congruential generator of 32 bits. */
// @ts-ignore: decorator
@inline
function stepOf(word: u32): u32 {
  return word * 1_664_525 + 1_013_904_223;
}

/** 32 random bits for a counter and a key of two words: the first word of pcg3d [jarzynski2020]. */
function counted(counter: u32, key0: u32, key1: u32): u32 {
  let x = stepOf(counter);
  let y = stepOf(key0);
  let z = stepOf(key1);
  x += y * z;
  y += z * x;
  z += x * y;
  x ^= x >>> 16;
  y ^= y >>> 16;
  z ^= z >>> 16;
  return x + y * z;
}

/** A part is a scored variable. */
export function rankHistogram(p: RankHistogram, part: i32, scratch: usize): void {
  const cells = p.nx * p.ny;
  const variable = i32.load(p.scored + (<usize>part << 2)) * cells;
  const counts = p.counts + (<usize>(part * (p.members + 1)) << 2);
  const key0 = i32.load(p.key);
  const key1 = i32.load(p.key, 4);
  memory.fill(counts, 0, <usize>(p.members + 1) << 2);
  for (let y = 0; y < p.ny; y += p.strideY) {
    for (let x = 0; x < p.nx; x += p.strideX) {
      const cell = y * p.nx + x;
      if (f32.load(p.weight + (<usize>cell << 2)) == 0) continue;
      const i = variable + cell;
      const truth = f32.load(p.truth + (<usize>i << 2));
      let below = 0;
      let ties = 0;
      let at = p.ensemble + (<usize>i << 2);
      for (let l = 0; l < p.members; l++) {
        const value = f32.load(at);
        below += value < truth ? 1 : 0;
        ties += value == truth ? 1 : 0;
        at += <usize>p.state << 2;
      }
      const share = ties > 0 ? <i32>(counted(i, key0, key1) % <u32>(ties + 1)) : 0;
      const bin = counts + (<usize>(below + share) << 2);
      i32.store(bin, i32.load(bin) + 1);
    }
  }
}

/** Marks the wet cells of a run with 1, others with 0, and counts them. */
export function markWetCells(p: WetCells, part: i32, scratch: usize): void {
  const end = min((part + 1) * p.segment, p.cells);
  const dryDepth = f32x4.splat(p.dryDepth);
  let count = i32x4.splat(0);
  for (let cell = part * p.segment; cell < end; cell += 4) {
    const at = <usize>cell << 2;
    const left = end - cell;
    const bed = loadFirst(p.bed + at, left, 0);
    // Cells that there are not are dry.
    let wet = f32x4.gt(f32x4.sub(loadFirst(p.truth + at, left, -Infinity), bed), dryDepth);
    let member = p.ensemble + at;
    for (let l = 0; l < p.members && !i32x4.all_true(wet); l++) {
      wet = v128.or(wet, f32x4.gt(f32x4.sub(loadFirst(member, left, -Infinity), bed), dryDepth));
      member += <usize>p.state << 2;
    }
    count = i32x4.sub(count, wet);
    storeFirst(p.weight + at, v128.and(wet, f32x4.splat(1)), left);
  }
  const pairs = i32x4.extract_lane(count, 0) + i32x4.extract_lane(count, 1);
  i32.store(p.counts + (<usize>part << 2), pairs + i32x4.extract_lane(count, 2) + i32x4.extract_lane(count, 3));
}

export function weighWetCells(p: WetCells, part: i32, scratch: usize): void {
  const end = min((part + 1) * p.segment, p.cells);
  const share = f32x4.splat(p.share);
  for (let cell = part * p.segment; cell < end; cell += 4) {
    const at = p.weight + (<usize>cell << 2);
    storeFirst(at, f32x4.mul(share, loadFirst(at, end - cell, 0)), end - cell);
  }
}

// @ts-ignore: decorator
@inline
function real(base: usize, i: i32): f64 {
  return <f64>f32.load(base + (<usize>i << 2));
}

/** In one part: what is summed must be about the mean, which is known at the end. */
export function innovationStatistics(p: InnovationStatistics, part: i32, scratch: usize): void {
  let count = 0;
  let rejected = 0;
  let sum: f64 = 0;
  for (let j = 0; j < p.observations; j++) {
    if (real(p.inverseErrorStd, j) > 0) {
      count++;
      sum += real(p.innovation, j);
    } else if (real(p.originalInverseErrorStd, j) > 0) rejected++;
  }
  const mean = count > 0 ? sum / <f64>count : 0;
  let squares: f64 = 0;
  let normalised: f64 = 0;
  for (let j = 0; j < p.observations; j++) {
    const r = real(p.inverseErrorStd, j);
    if (!(r > 0)) continue;
    const d = real(p.innovation, j);
    squares += (d - mean) * (d - mean);
    normalised += (r * d * (r * d)) / (1 + r * r * real(p.backgroundVariance, j));
  }
  f32.store(p.report, <f32>count);
  f32.store(p.report, <f32>mean, 4);
  f32.store(p.report, <f32>(squares / <f64>max(1, count - 1)), 8);
  f32.store(p.report, <f32>(normalised / <f64>max(1, count)), 12);
  f32.store(p.report, <f32>rejected, 16);
}
