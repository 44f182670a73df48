import { describe, expect, it, vi } from 'vitest';
import { createKernelMemory } from '../../../../engine/compute/wasm/memory.ts';
import { BackendError, LimitError } from '../../../../engine/index.ts';

const MEBIBYTE = 2 ** 20;

describe.each([{ shared: true }, { shared: false }])('the memory of kernels, shared: $shared', ({ shared }) => {
  it('hands out blocks that are aligned to a cache line and do not overlap', () => {
    const memory = createKernelMemory(shared);
    const sizes = [1, 64, 65, 1000, 4096, 7];
    const blocks = sizes.map((bytes, index) => ({ bytes, ...memory.allocate(`block ${index}`, bytes) }));
    const ordered = blocks.toSorted((a, b) => a.address - b.address);
    for (const [index, { address, bytes }] of ordered.entries()) {
      expect(address % 64).toBe(0);
      const next = ordered[index + 1]?.address ?? memory.memory.buffer.byteLength;
      expect(address + bytes).toBeLessThanOrEqual(next);
    }
  });

  it('leaves the first page to the constants of the module, and room behind the last block', () => {
    const memory = createKernelMemory(shared);
    const { address } = memory.allocate('all of a page', 65_536);
    expect(address).toBeGreaterThanOrEqual(65_536);
    expect(memory.memory.buffer.byteLength - (address + 65_536)).toBeGreaterThanOrEqual(64);
  });

  it('gives what was freed again, in one piece where pieces touch', () => {
    const memory = createKernelMemory(shared);
    const blocks = [0, 1, 2].map((index) => memory.allocate(`block ${index}`, MEBIBYTE));
    const before = memory.memory.buffer.byteLength;
    // The middle last, so that it joins both neighbours.
    for (const index of [0, 2, 1]) blocks[index].free();
    const whole = memory.allocate('as much as all three', 3 * MEBIBYTE);
    expect(whole.address).toBe(blocks[0].address);
    expect(memory.memory.buffer.byteLength).toBe(before);
  });

  it('takes a block back once, however often it is freed', () => {
    const memory = createKernelMemory(shared);
    const block = memory.allocate('block', 128);
    block.free();
    block.free();
    const [first, second] = [memory.allocate('first', 128), memory.allocate('second', 128)];
    expect(second.address).not.toBe(first.address);
  });

  it('says how much of a block somebody has had: the rest is zeros', () => {
    const memory = createKernelMemory(shared);
    const [first, second] = [memory.allocate('first', 4096), memory.allocate('second', 4096)];
    expect([first.usedBytes, second.usedBytes]).toEqual([0, 0]);
    const bytesOf = (address: number, length: number) => new Uint8Array(memory.memory.buffer, address, length);
    bytesOf(first.address, 8192).fill(1);
    first.free();
    expect(memory.allocate('first again', 64).usedBytes).toBe(64);
    second.free();
    // It begins where the second was, and ends in memory that is new.
    const large = memory.allocate('large', MEBIBYTE);
    expect(large.usedBytes).toBeGreaterThanOrEqual(4096);
    expect(large.usedBytes).toBeLessThan(8192);
    expect(bytesOf(large.address + large.usedBytes, MEBIBYTE - large.usedBytes).every((byte) => byte === 0)).toBe(true);
  });

  it('keeps what is in it when it grows', () => {
    const memory = createKernelMemory(shared);
    const { address } = memory.allocate('kept', 16);
    new Float32Array(memory.memory.buffer, address, 4).set([1, 2, 3, 4]);
    memory.allocate('large', 64 * MEBIBYTE);
    expect([...new Float32Array(memory.memory.buffer, address, 4)]).toEqual([1, 2, 3, 4]);
  });

  it('refuses what 32-bit addresses do not reach, by name, and continues', () => {
    const memory = createKernelMemory(shared);
    expect(() => memory.allocate('ensemble', 2 ** 32)).toThrow(LimitError);
    expect(() => memory.allocate('ensemble', 2 ** 32)).toThrow(/ensemble: 4294967296 bytes asked for/);
    expect(memory.allocate('small', 64).address).toBeGreaterThan(0);
  });
});

it('that no machine gives is refused with the next step', () => {
  const refuse = vi.fn(function refuse() {
    throw new RangeError('WebAssembly.Memory(): could not allocate memory');
  });
  vi.stubGlobal('WebAssembly', { ...WebAssembly, Memory: refuse });
  try {
    expect(() => createKernelMemory(true)).toThrow(BackendError);
    expect(() => createKernelMemory(true)).toThrow('raise the limit of this process (ulimit -v)');
  } finally {
    vi.unstubAllGlobals();
  }
});
