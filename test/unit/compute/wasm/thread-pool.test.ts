/** The pool on kernels of its own: one marks its part, one breaks down. */
import { compileString } from 'assemblyscript/asc';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createKernelMemory } from '../../../../engine/compute/wasm/memory.ts';
import { createThreadPool } from '../../../../engine/compute/wasm/thread-pool.ts';
import type { ThreadPool } from '../../../../engine/compute/wasm/thread-pool.ts';
import { BackendError } from '../../../../engine/index.ts';
import { startKernelThread } from '../../../setup/kernel-threads.ts';

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
`;

let module: WebAssembly.Module;
beforeAll(async () => {
  const { binary, error } = await compileString(SOURCE, {
    optimizeLevel: 3,
    runtime: 'stub',
    enable: ['threads'],
    importMemory: true,
    sharedMemory: true,
    initialMemory: 1,
    maximumMemory: 65_536,
  });
  if (error || !binary) throw error ?? new Error('nothing was compiled');
  module = await WebAssembly.compile(binary);
});

const PARTS = 200;
const pools: ThreadPool[] = [];
afterEach(() => {
  for (const pool of pools.splice(0)) pool.dispose();
});

function open(threads: number) {
  const memory = createKernelMemory(true);
  const pool = createThreadPool(module, memory, threads, startKernelThread);
  pools.push(pool);
  pool.reserveScratch(8);
  const target = memory.allocate('marks', 4 * PARTS).address;
  return { pool, target, marks: () => [...new Int32Array(memory.memory.buffer, target, PARTS)] };
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

  it('says so when a kernel breaks down', () => {
    const { pool, target } = open(threads);
    expect(() => pool.run(pool.kernelNamed('breakDown'), target, PARTS)).toThrow(BackendError);
  });

  it('has no kernel that the module has not', () => {
    expect(() => open(threads).pool.kernelNamed('nothing')).toThrow('no kernel nothing');
  });
});
