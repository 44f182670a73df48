// Scores of an ensemble against the truth (scores.ts), four cells at a time: a part is a run of cells of one variable; its sums
// are float64, and are added up in the order of the parts. And what counts or compares (index.ts): ranks of the truth, wet cells,
// innovations.

import { loadFirst, multiplyAdd, storeFirst, accumulate, total } from '../../compute/wasm/simd-library.as';
import { InnovationStatistics, RankHistogram, WetCells } from './index';
import { Scores } from './scores-parameters';

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

// @ts-ignore: decorator
@inline
function variableOf(p: Scores, part: i32): usize {
  return <usize>(i32.load(p.scored + (<usize>(part / p.segments) << 2)) * p.cells);
}

/** Cells of a block: those of a cache line, which is read once. Members are far apart, often at distances that share a place in the cache. */
const BLOCK: i32 = 16;

/** Bytes of a block's numbers of one member. */
const BLOCK_BYTES: usize = 64;

/** x_l − t of the cells of a block, [members][16]; the cells of the variable end at `end`. */
function gatherErrors(p: Scores, variable: usize, cell: i32, end: i32, errors: usize): void {
  const place = (variable + <usize>cell) << 2;
  const bytes = <usize>min(BLOCK, end - cell) << 2;
  let member = p.ensemble + place;
  for (let l = 0; l < p.members; l++) {
    for (let at: usize = 0; at < bytes; at += 16) {
      const count = <i32>((bytes - at) >> 2);
      v128.store(errors + at, f32x4.sub(loadFirst(member + at, count, 0), loadFirst(p.truth + place + at, count, 0)));
    }
    member += <usize>p.state << 2;
    errors += BLOCK_BYTES;
  }
}

/** Σ weight (e − m)² over the errors of the cells, which are in the scratch memory. */
function squaresAbout(p: Scores, errors: usize, start: i32, end: i32, m: f64): f64 {
  const mean = f32x4.splat(<f32>m);
  let squares = f64x2.splat(0);
  for (let cell = start; cell < end; cell += 4) {
    const weight = loadFirst(p.weight + (<usize>cell << 2), end - cell, 0);
    const departure = f32x4.sub(v128.load(errors + (<usize>(cell - start) << 2)), mean);
    squares = accumulate(squares, f32x4.mul(weight, f32x4.mul(departure, departure)));
  }
  return total(squares);
}

/**
 * With e = x̄ − t: Σ weight e², Σ weight Σ (x_l − x̄)²/(k − 1), Σ weight, Σ weight e, and Σ weight (e − m)² about the mean error m
 * of the part.
 */
export function ensembleScores(p: Scores, part: i32, scratch: usize): void {
  const start = (part % p.segments) * p.segment;
  const end = min(start + p.segment, p.cells);
  const variable = variableOf(p, part);
  const perMember = f32x4.splat(1 / <f32>p.members);
  const perFreedom = f32x4.splat(p.members == 1 ? 0 : 1 / <f32>(p.members - 1));
  const block = scratch + (<usize>p.segment << 2);
  let squares = f64x2.splat(0);
  let variances = f64x2.splat(0);
  let shares = f64x2.splat(0);
  let errors = f64x2.splat(0);
  for (let cell = start; cell < end; cell += 4) {
    const within = (cell - start) & (BLOCK - 1);
    if (within == 0) gatherErrors(p, variable, cell, end, block);
    const first = block + (<usize>within << 2);
    const last = first + <usize>p.members * BLOCK_BYTES;
    const weight = loadFirst(p.weight + (<usize>cell << 2), end - cell, 0);
    // Differences first: the mean error x̄ − t, and anomalies x_l − x̄ = (x_l − t) − (x̄ − t).
    let sum = f32x4.splat(0);
    for (let at = first; at < last; at += BLOCK_BYTES) sum = f32x4.add(sum, v128.load(at));
    const error = f32x4.mul(sum, perMember);
    v128.store(scratch + (<usize>(cell - start) << 2), error);
    let variance = f32x4.splat(0);
    for (let at = first; at < last; at += BLOCK_BYTES) {
      const anomaly = f32x4.sub(v128.load(at), error);
      variance = multiplyAdd(anomaly, anomaly, variance);
    }
    squares = accumulate(squares, f32x4.mul(weight, f32x4.mul(error, error)));
    variances = accumulate(variances, f32x4.mul(weight, f32x4.mul(perFreedom, variance)));
    shares = accumulate(shares, weight);
    errors = accumulate(errors, f32x4.mul(weight, error));
  }
  const share = total(shares);
  const target = p.sums + <usize>part * 40;
  f64.store(target, total(squares));
  f64.store(target, total(variances), 8);
  f64.store(target, share, 16);
  f64.store(target, total(errors), 24);
  f64.store(target, share > 0 ? squaresAbout(p, scratch, start, end, total(errors) / share) : 0, 32);
}

/** From so many members on they are sorted, which takes fewer operations than all pairs: of 256, a sixth. */
const MANY_MEMBERS: i32 = 48;

/** Puts the smaller of two members of a block first, cell by cell. */
// @ts-ignore: decorator
@inline
function exchange(first: usize, second: usize): void {
  const a = v128.load(first);
  const b = v128.load(second);
  const c = v128.load(first, 16);
  const d = v128.load(second, 16);
  const e = v128.load(first, 32);
  const f = v128.load(second, 32);
  const g = v128.load(first, 48);
  const h = v128.load(second, 48);
  v128.store(first, f32x4.pmin(a, b));
  v128.store(second, f32x4.pmax(a, b));
  v128.store(first, f32x4.pmin(c, d), 16);
  v128.store(second, f32x4.pmax(c, d), 16);
  v128.store(first, f32x4.pmin(e, f), 32);
  v128.store(second, f32x4.pmax(e, f), 32);
  v128.store(first, f32x4.pmin(g, h), 48);
  v128.store(second, f32x4.pmax(g, h), 48);
}

/** The members of a block in ascending order, cell by cell: merge exchange [knuth1998, section 5.2.2, algorithm M]. */
function sortMembers(errors: usize, count: i32): void {
  for (let run = 1, shift = 1; run < count; run <<= 1, shift++) {
    for (let apart = run; apart >= 1; apart >>= 1) {
      for (let first = apart & (run - 1); first + apart < count; first += 2 * apart) {
        const end = min(first + apart, count - apart);
        for (let i = first; i < end; i++) {
          // Two runs are merged, not what is on either side of them.
          if (i >> shift != (i + apart) >> shift) continue;
          exchange(errors + <usize>i * BLOCK_BYTES, errors + <usize>(i + apart) * BLOCK_BYTES);
        }
      }
    }
  }
}

/** Σ over pairs of differences of sorted values: the outermost two are the ends of most. */
function pairsOfSorted(values: usize, count: i32): v128 {
  let sum = f32x4.splat(0);
  let low = values;
  let high = values + <usize>(count - 1) * BLOCK_BYTES;
  for (let pairs = count - 1; pairs > 0; pairs -= 2) {
    sum = multiplyAdd(f32x4.splat(<f32>pairs), f32x4.sub(v128.load(high), v128.load(low)), sum);
    low += BLOCK_BYTES;
    high -= BLOCK_BYTES;
  }
  return sum;
}

/** Σ over pairs of differences of values in any order. */
function pairsOf(values: usize, count: i32): v128 {
  let sum = f32x4.splat(0);
  const end = values + <usize>count * BLOCK_BYTES;
  for (let at = values; at < end; at += BLOCK_BYTES) {
    const value = v128.load(at);
    let apart = f32x4.splat(0);
    for (let other = values; other < at; other += BLOCK_BYTES) {
      apart = f32x4.add(apart, f32x4.abs(f32x4.sub(value, v128.load(other))));
    }
    sum = f32x4.add(sum, apart);
  }
  return sum;
}

/** Σ weight Σ |x_l − t| and Σ weight Σ over pairs |x_l − x_m|. */
export function crps(p: Scores, part: i32, scratch: usize): void {
  const start = (part % p.segments) * p.segment;
  const end = min(start + p.segment, p.cells);
  const variable = variableOf(p, part);
  const isMany = p.members >= MANY_MEMBERS;
  const bytes = <usize>p.members * BLOCK_BYTES;
  const zero = f32x4.splat(0);
  let distances = f64x2.splat(0);
  let dispersions = f64x2.splat(0);
  for (let cell = start; cell < end; cell += 4) {
    const within = (cell - start) & (BLOCK - 1);
    if (within == 0) {
      gatherErrors(p, variable, cell, end, scratch);
      if (isMany) sortMembers(scratch, p.members);
    }
    const errors = scratch + (<usize>within << 2);
    const weight = loadFirst(p.weight + (<usize>cell << 2), end - cell, 0);
    // What counts nothing may be anything.
    const counts = f32x4.ne(weight, zero);
    if (!v128.any_true(counts)) continue;
    let distance = zero;
    for (let at = errors; at < errors + bytes; at += BLOCK_BYTES) {
      distance = f32x4.add(distance, f32x4.abs(v128.load(at)));
    }
    const dispersion = isMany ? pairsOfSorted(errors, p.members) : pairsOf(errors, p.members);
    distances = accumulate(distances, v128.and(f32x4.mul(weight, distance), counts));
    dispersions = accumulate(dispersions, v128.and(f32x4.mul(weight, dispersion), counts));
  }
  const target = p.sums + (<usize>part << 4);
  f64.store(target, total(distances));
  f64.store(target, total(dispersions), 8);
}
