// Standard normal numbers from counted streams (index.ts), pair by pair and in float64. A part is a run of positions.

import { StandardNormal } from './index';

const SEGMENT_WORDS: usize = 6;

const MULTIPLIER_0: u64 = 0xd2511f53;
const MULTIPLIER_1: u64 = 0xcd9e8d57;
const WEYL_0: u32 = 0x9e3779b9;
const WEYL_1: u32 = 0xbb67ae85;
const ROUNDS: i32 = 10;

/** 53 bits of two words as a number in [0, 1). */
// @ts-ignore: decorator
@inline
function uniform(high: u32, low: u32): f64 {
  return (<f64>(high >>> 5) * 67_108_864 + <f64>(low >>> 6)) / 9_007_199_254_740_992;
}

/** The positions from … to − 1 of a segment whose first number is at `first`, from blocks of Philox 4×32-10 [salmon2011]. */
function drawSegment(p: StandardNormal, words: usize, first: u32, from: u32, to: u32): void {
  const skipped = <u32>i32.load(words, 20);
  const key0 = i32.load(words);
  const key1 = i32.load(words, 4);
  let position = from;
  while (position < to) {
    const place = position - first + skipped;
    let c0: u32 = place >>> 1;
    let c1: u32 = 0;
    let c2: u32 = i32.load(words, 8);
    let c3: u32 = i32.load(words, 12);
    let k0: u32 = key0;
    let k1: u32 = key1;
    for (let round = 0; round < ROUNDS; round++) {
      const product0 = MULTIPLIER_0 * <u64>c0;
      const product1 = MULTIPLIER_1 * <u64>c2;
      c0 = <u32>(product1 >>> 32) ^ c1 ^ k0;
      c1 = <u32>product1;
      c2 = <u32>(product0 >>> 32) ^ c3 ^ k1;
      c3 = <u32>product0;
      k0 += WEYL_0;
      k1 += WEYL_1;
    }
    // 1 − u lies in (0, 1], so the logarithm is finite.
    const radius = Math.sqrt(-2 * Math.log(1 - uniform(c0, c1)));
    const angle = 2 * Math.PI * uniform(c2, c3);
    const target = p.output + (<usize>position << 2);
    if ((place & 1) == 0) {
      f32.store(target, <f32>(radius * Math.cos(angle)));
      position++;
      if (position < to) f32.store(target, <f32>(radius * Math.sin(angle)), 4);
      position++;
    } else {
      f32.store(target, <f32>(radius * Math.sin(angle)));
      position++;
    }
  }
}

export function standardNormal(p: StandardNormal, part: i32, scratch: usize): void {
  const start = <u32>(part * p.segment);
  const end = <u32>min((part + 1) * p.segment, p.length);
  for (let s = 0; s < p.segments; s++) {
    const words = p.streams + ((<usize>s * SEGMENT_WORDS) << 2);
    const first = <u32>i32.load(words, 16);
    const next = s + 1 < p.segments ? <u32>i32.load(words + (SEGMENT_WORDS << 2), 16) : <u32>p.length;
    const from = max<u32>(start, first);
    const to = min<u32>(end, next);
    if (from < to) drawSegment(p, words, first, from, to);
  }
}
