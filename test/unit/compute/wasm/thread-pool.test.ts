/** The pool on kernels of its own: one marks its part, some break down, and one copies blocks. */
import { compileString } from 'assemblyscript/asc';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createKernelMemory } from '../../../../engine/compute/wasm/memory.ts';
import type { KernelMemory, MemoryBlock } from '../../../../engine/compute/wasm/memory.ts';
import { createThreadPool } from '../../../../engine/compute/wasm/thread-pool.ts';
import type { KernelThread, ThreadPool } from '../../../../engine/compute/wasm/thread-pool.ts';
import { BackendError, LimitError } from '../../../../engine/index.ts';
import { startKernelThread, startLateThread } from '../../../setup/kernel-threads.ts';
import { isNightly } from '../../../setup/nightly.ts';
import { stream as testStream } from '../../../../engine/check/measures.ts';

const SOURCE = `
export function mark(target: usize, part: i32, scratch: usize): void {
  // Long enough that others come in time to take parts.
  let sum: f64 = 0;
  for (let i = 0; i < 20000; i++) sum += 1 / <f64>(i + 1);
  f64.store(scratch, sum);
  atomic.add<i32>(target + (<usize>part << 2), f64.load(scratch) > 1 ? 1 : 0);
}
export function breakDown(target: usize, part: i32, scratch: usize): void {
  unreachable();
}
export function tellWorkSpace(target: usize, part: i32, scratch: usize): void {
  i32.store(target, <i32>scratch);
}
/** In every thread but the one with the work space that is given. */
export function breakDownElsewhere(own: usize, part: i32, scratch: usize): void {
  if (scratch != own) unreachable();
  let sum: f64 = 0;
  for (let i = 0; i < 20000; i++) sum += 1 / <f64>(i + 1);
  f64.store(scratch, sum);
}
function deeper(at: usize, depth: i32): i32 {
  const before = i32.load(at);
  i32.store(at, depth);
  return deeper(at, depth + 1) + before * i32.load(at);
}
export function overflow(target: usize, part: i32, scratch: usize): void {
  i32.store(scratch, deeper(scratch, part));
}
/** Words: source, target, bytes of a part, and where each part reports the work space that it had. */
export function copyBlock(p: usize, part: i32, scratch: usize): void {
  const bytes = <usize>i32.load(p, 8);
  const at = <usize>part * bytes;
  memory.copy(scratch, <usize>i32.load(p) + at, bytes);
  let sum: f64 = 0;
  for (let i = 0; i < 5000; i++) sum += 1 / <f64>(i + 1);
  memory.copy(<usize>i32.load(p, 4) + at, scratch, bytes);
  i32.store(<usize>i32.load(p, 12) + (<usize>part << 2), sum > 1 ? <i32>scratch : 0);
}
`;

let module: WebAssembly.Module;
beforeAll(async () => {
  const { binary, error } = await compileString(SOURCE, {
    optimizeLevel: 3,
    runtime: 'stub',
    enable: ['threads', 'bulk-memory'],
    importMemory: true,
    sharedMemory: true,
    initialMemory: 1,
    maximumMemory: 65_536,
  });
  if (error || !binary) throw error ?? new Error('nothing was compiled');
  module = await WebAssembly.compile(binary);
});

const PARTS = 200;
/** Pools of each size that are tried at random. */
const POOLS = isNightly ? 10 : 1;
/** Bytes of a copied part. */
const BLOCK_BYTES = 4096;
/** How long a thread that starts may take until it takes a part, on a busy machine. */
const STARTED_MILLISECONDS = 60_000;

const pools: ThreadPool[] = [];
afterEach(() => {
  for (const pool of pools.splice(0)) pool.dispose();
});

function open(threads: number, start: () => KernelThread = startKernelThread) {
  const memory = createKernelMemory(true);
  const pool = createThreadPool(module, memory, threads, start);
  pools.push(pool);
  pool.reserveScratch(8);
  const target = memory.allocate('marks', 4 * PARTS).address;
  return { pool, memory, target, marks: () => [...new Int32Array(memory.memory.buffer, target, PARTS)] };
}

function thrownBy(run: () => void): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}

/** Has blocks copied, from new memory to new memory. @returns how many threads took part */
function copyBlocks(pool: ThreadPool, memory: KernelMemory, parts: number, bytes: number): number {
  pool.reserveScratch(bytes);
  const words = parts * (bytes / 4);
  const [source, target, threads, parameters] = [4 * words, 4 * words, 4 * parts, 16].map((size, index) =>
    memory.allocate(`copied ${index}`, size),
  );
  const view = (block: MemoryBlock, length: number) => new Int32Array(memory.memory.buffer, block.address, length);
  const first = source.address ^ parts;
  const given = view(source, words);
  for (let w = 0; w < words; w++) given[w] = first + w;
  view(target, words).fill(-1);
  view(parameters, 4).set([source.address, target.address, bytes, threads.address]);
  pool.run(pool.kernelNamed('copyBlock'), parameters.address, parts);
  expect(view(target, words).findIndex((word, w) => word !== first + w)).toBe(-1);
  const took = new Set(view(threads, parts));
  for (const block of [source, target, threads, parameters]) block.free();
  return took.size;
}

describe.each([1, 2, 3])('a pool of %i threads', (threads) => {
  it('does every part of a task once, task after task', () => {
    const { pool, target, marks } = open(threads);
    const kernel = pool.kernelNamed('mark');
    for (let task = 1; task <= 20; task++) {
      pool.run(kernel, target, PARTS);
      expect(marks().every((count) => count === task)).toBe(true);
    }
  });

  it('does no more than it is asked for', () => {
    const { pool, target, marks } = open(threads);
    pool.run(pool.kernelNamed('mark'), target, 3);
    expect(marks().slice(0, 5)).toEqual([1, 1, 1, 0, 0]);
  });

  it('says which kernel breaks down, in which part and thread, and why, and continues', () => {
    const { pool, target, marks } = open(threads);
    const broken = thrownBy(() => pool.run(pool.kernelNamed('breakDown'), target, PARTS));
    expect(broken).toBeInstanceOf(BackendError);
    expect(broken.message).toMatch(
      /broke down: breakDown, part \d+ of 200, thread \d of \d: RuntimeError: unreachable; --backend/,
    );
    expect(broken.cause).toMatchObject({ stack: expect.stringMatching(/unreachable[^]*wasm/) });
    pool.run(pool.kernelNamed('mark'), target, PARTS);
    expect(marks().every((count) => count === 1)).toBe(true);
  });

  it('says so too when a kernel calls itself without end', () => {
    const { pool, target } = open(threads);
    const broken = thrownBy(() => pool.run(pool.kernelNamed('overflow'), target, PARTS));
    expect(broken).toBeInstanceOf(BackendError);
    expect(broken.message).toContain('Maximum call stack');
  });

  it('keeps the work space that it has if there is no room for more', () => {
    const { pool, memory, target, marks } = open(threads);
    expect(() => pool.reserveScratch(2 ** 32)).toThrow(LimitError);
    // Whoever comes next does not get the work space: a part writes into its own.
    const next = memory.allocate('next', 64).address;
    const words = new Int32Array(memory.memory.buffer, next, 16).fill(7);
    pool.run(pool.kernelNamed('mark'), target, PARTS);
    expect(marks().every((count) => count === 1)).toBe(true);
    expect([...words]).toEqual(Array<number>(16).fill(7));
  });

  it('has no kernel that the module does not have', () => {
    expect(() => open(threads).pool.kernelNamed('nothing')).toThrow('no kernel nothing');
  });
});

it('wakes threads that have gone to sleep', () => {
  const { pool, memory } = open(2);
  const end = performance.now() + STARTED_MILLISECONDS;
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let task = 0; task < 5; task++) {
    let took = 1;
    while (took < 2 && performance.now() < end) {
      Atomics.wait(pause, 0, 0, 3);
      took = copyBlocks(pool, memory, PARTS, BLOCK_BYTES);
    }
    expect(took).toBe(2);
  }
});

describe('a thread that is late', () => {
  it('reports a breakdown in its own words', () => {
    const { pool, memory, target } = open(2);
    // A single part is done by the owner.
    pool.run(pool.kernelNamed('tellWorkSpace'), target, 1);
    const own = new Int32Array(memory.memory.buffer, target, 1)[0];
    const end = performance.now() + STARTED_MILLISECONDS;
    let broken: Error | undefined;
    while (!broken && performance.now() < end) {
      try {
        pool.run(pool.kernelNamed('breakDownElsewhere'), own, PARTS);
      } catch (error) {
        broken = error as Error;
      }
    }
    expect(broken?.message).toMatch(
      /breakDownElsewhere, part \d+ of 200, thread 2 of 2: RuntimeError: unreachable; --backend/,
    );
    expect(broken?.cause).toMatchObject({ stack: expect.stringMatching(/unreachable[^]*wasm/) });
  });

  it('sees the memory that was added while it received what it works with', () => {
    let provoked = false;
    for (let attempt = 0; attempt < 5 && !provoked; attempt++) {
      const late = startLateThread(0, 1_000_000);
      const { pool, memory } = open(2, () => late);
      late.waitUntilReceiving();
      // A little later, so that it has the memory itself, and not yet all that comes before it.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
      const before = memory.pages();
      memory.allocate('added', 65_536 * before);
      expect(memory.pages()).toBeGreaterThan(before);
      provoked = !late.hasReceived();
      const end = performance.now() + STARTED_MILLISECONDS;
      let took = 1;
      while (took < 2 && performance.now() < end) took = copyBlocks(pool, memory, PARTS, BLOCK_BYTES);
      expect(took).toBe(2);
    }
    expect(provoked, 'memory was added in time').toBe(true);
  });
});

/** Tasks of all sizes while threads start, memory grows and work space is made larger. */
it.each([2, 3, 4])('%i threads that start at any time do what is asked of them', (threads) => {
  const draw = testStream('thread-pool', threads);
  let most = 0;
  for (let pools = 0; pools < POOLS; pools++) {
    const { pool, memory } = open(threads, () => startLateThread(draw.integer(200), draw.integer(20_000)));
    const held: MemoryBlock[] = [];
    const begun = performance.now();
    const isLate = (): boolean => performance.now() > begun + (most > 1 ? 1000 : STARTED_MILLISECONDS);
    for (let task = 0; !isLate(); task++) {
      const took = copyBlocks(pool, memory, 2 + draw.integer(60), 64 << draw.integer(8));
      most = Math.max(took, most);
      if (task % 3 === 0) held.push(memory.allocate(`held ${task}`, 1 + draw.integer(1 << 20)));
      if (task % 5 === 0) held.splice(draw.integer(held.length), 1)[0].free();
    }
    pool.dispose();
  }
  expect(most).toBeGreaterThan(1);
});
