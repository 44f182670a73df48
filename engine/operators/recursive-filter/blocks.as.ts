// Algorithm 2 [rf-gpu] on many blocks at a time: a block with its overlaps is a line by itself, gathered with zeros beyond the line
// it is cut from, and what is kept is put back. Blocks that are a point longer come first, so that those side by side are
// as long as each other.
//
// The adjoint gathers what is kept and puts back all of a block: its overlaps are other blocks' points, which are then added.

import { storeFirst } from '../../compute/wasm/simd-library.as';
import { Sweeps } from './wasm';
import { filter } from './sweeps-library.as';

// @ts-ignore: decorator
@inline
function startOf(p: Sweeps, block: i32): i32 {
  return block * p.tilePoints + min(block, p.longer);
}

/** Points of a block without its overlaps. */
// @ts-ignore: decorator
@inline
function sizeOf(p: Sweeps, block: i32): i32 {
  return p.tilePoints + i32(block < p.longer);
}

/** Points from one block to the next where overlaps are put back. */
// @ts-ignore: decorator
@inline
function apart(p: Sweeps): i32 {
  return p.tilePoints + i32(p.longer > 0) + 2 * p.halo;
}

/** Points beyond a block that are gathered, and that are put back. */
// @ts-ignore: decorator
@inline
function gathered(p: Sweeps): i32 {
  return p.transpose ? 0 : p.halo;
}

// @ts-ignore: decorator
@inline
function putBack(p: Sweeps): i32 {
  return p.transpose ? p.halo : 0;
}

/** Where point `from` of a block is put: in the output, or for the adjoint of blocks that overlap, in a place of the block's own. */
// @ts-ignore: decorator
@inline
function placeOf(p: Sweeps, line: i32, block: i32, from: i32): i32 {
  if (p.transpose == 0 || p.halo == 0) return line * p.length + from;
  return (line * p.tiles + block) * apart(p) + from - startOf(p, block) + p.halo;
}

/** At most twenty-eight of the `kinds` blocks from `firstBlock` on of each line, which are as long as each other; points are contiguous. */
function sweepTogether(p: Sweeps, firstBlock: i32, kinds: i32, first: i32, count: i32, scratch: usize): void {
  const points = sizeOf(p, firstBlock) + 2 * p.halo;
  memory.fill(scratch, 0, <usize>points * 112);
  for (let lane = 0; lane < count; lane++) {
    const line = (first + lane) / kinds;
    const block = firstBlock + ((first + lane) % kinds);
    const start = startOf(p, block);
    const from = max(0, start - gathered(p));
    const end = min(p.length, start + sizeOf(p, block) + gathered(p));
    let source = p.input + (<usize>(line * p.length + from) << 2);
    let column = scratch + (<usize>lane << 2) + <usize>(from - start + p.halo) * 112;
    for (let i = from; i < end; i++) {
      f32.store(column, f32.load(source));
      source += 4;
      column += 112;
    }
  }
  filter(p, 28, points, scratch);
  for (let lane = 0; lane < count; lane++) {
    const line = (first + lane) / kinds;
    const block = firstBlock + ((first + lane) % kinds);
    const start = startOf(p, block);
    const from = max(0, start - putBack(p));
    const end = min(p.length, start + sizeOf(p, block) + putBack(p));
    let target = p.output + (<usize>placeOf(p, line, block, from) << 2);
    let column = scratch + (<usize>lane << 2) + <usize>(from - start + p.halo) * 112;
    for (let i = from; i < end; i++) {
      f32.store(target, f32.load(column));
      target += 4;
      column += 112;
    }
  }
}

/** A part is twenty-eight blocks of lines. */
export function blocksAlongLines(p: Sweeps, part: i32, scratch: usize): void {
  const longerParts = (p.count * p.longer + 27) / 28;
  const isLonger = part < longerParts;
  const first = isLonger ? part * 28 : (part - longerParts) * 28;
  const kinds = isLonger ? p.longer : p.tiles - p.longer;
  sweepTogether(p, isLonger ? 0 : p.longer, kinds, first, min(28, p.count * kinds - first), scratch);
}

/** A part is `group` blocks of a single line, one after the other. */
export function groupsAlongLine(p: Sweeps, part: i32, scratch: usize): void {
  const end = min(p.tiles, (part + 1) * p.group);
  let block = part * p.group;
  while (block < end) {
    const count = min(28, (block < p.longer ? min(p.longer, end) : end) - block);
    sweepTogether(p, block, count, 0, count, scratch);
    block += count;
  }
}

/** A part is a block of twenty-eight adjacent lines, or of the rest of them in their plane of `step` lines. */
export function blocksAcrossLines(p: Sweeps, part: i32, scratch: usize): void {
  const groups = (p.step + 27) / 28;
  const block = (part / groups) % p.tiles;
  const plane = part / (groups * p.tiles);
  const x = (part % groups) * 28;
  const count = min(28, p.step - x);
  const start = startOf(p, block);
  const points = sizeOf(p, block) + 2 * p.halo;
  const bytes = <usize>p.step << 2;
  memory.fill(scratch, 0, <usize>points * 112);
  const from = max(0, start - gathered(p));
  const end = min(p.length, start + sizeOf(p, block) + gathered(p));
  let source = p.input + <usize>(plane * p.length + from) * bytes + (<usize>x << 2);
  let point = scratch + <usize>(from - start + p.halo) * 112;
  for (let i = from; i < end; i++) {
    memory.copy(point, source, <usize>count << 2);
    source += bytes;
    point += 112;
  }
  filter(p, 28, points, scratch);
  const kept = max(0, start - putBack(p));
  const keptEnd = min(p.length, start + sizeOf(p, block) + putBack(p));
  let target = p.output + <usize>placeOf(p, plane, block, kept) * bytes + (<usize>x << 2);
  point = scratch + <usize>(kept - start + p.halo) * 112;
  for (let i = kept; i < keptEnd; i++) {
    memory.copy(target, point, <usize>count << 2);
    target += bytes;
    point += 112;
  }
}

/** The points of a block: what all blocks put there, added in their order. A part is a block of a line, or of a plane of lines. */
export function addBlocks(p: Sweeps, part: i32, scratch: usize): void {
  const own = part % p.tiles;
  const line = part / p.tiles;
  const begin = startOf(p, own);
  const end = begin + sizeOf(p, own);
  const bytes = <usize>p.step << 2;
  const target = p.output + <usize>(line * p.length) * bytes;
  memory.fill(target + <usize>begin * bytes, 0, <usize>(end - begin) * bytes);
  let block = own;
  while (block > 0 && startOf(p, block) + p.halo > begin) block--;
  for (; block < p.tiles && startOf(p, block) - p.halo < end; block++) {
    const from = max(begin, startOf(p, block) - p.halo);
    const to = min(end, startOf(p, block) + sizeOf(p, block) + p.halo);
    let source = p.input + <usize>placeOf(p, line, block, from) * bytes;
    let sum = target + <usize>from * bytes;
    for (let left = (to - from) * p.step; left > 0; left -= 4) {
      if (left >= 4) v128.store(sum, f32x4.add(v128.load(sum), v128.load(source)));
      else for (let at: usize = 0; at < <usize>left << 2; at += 4) f32.store(sum + at, f32.load(sum + at) + f32.load(source + at));
      sum += 16;
      source += 16;
    }
  }
}
