/** Occupancy, with results worked out by hand from NVIDIA's limits. */
import { expect, it } from 'vitest';
import { occupancy, PAPER_CARDS } from '../../../../engine/papers/letkf/index.ts';

const [old, newer] = PAPER_CARDS;

it.each([
  { limit: 'warps', threads: 256, registers: 16, sharedMemory: 0, expected: [1, 1] },
  { limit: 'blocks', threads: 32, registers: 8, sharedMemory: 0, expected: [8 / 32, 8 / 48] },
  // 3 blocks of 5120 registers in 16384, 6 in 32768.
  { limit: 'registers', threads: 256, registers: 20, sharedMemory: 0, expected: [24 / 32, 48 / 48] },
  // 4032 registers take 4096: 4 blocks in 16384. Six warps of 672, each takes 704: 7 blocks in 32768.
  { limit: 'units of registers', threads: 192, registers: 21, sharedMemory: 0, expected: [24 / 32, 42 / 48] },
  // An odd warp takes the registers of two on the older card: 2 × 32 × 60 = 3840 rounded up to 4096, 4 blocks.
  { limit: 'even warps', threads: 32, registers: 60, sharedMemory: 0, expected: [4 / 32, 8 / 48] },
  { limit: 'shared memory', threads: 128, registers: 10, sharedMemory: 6000, expected: [8 / 32, 32 / 48] },
  // 4097 bytes take 4608 and 4224: 3 blocks and 11.
  { limit: 'units of shared memory', threads: 128, registers: 10, sharedMemory: 4097, expected: [12 / 32, 32 / 48] },
  { limit: 'threads in a block', threads: 768, registers: 10, sharedMemory: 0, expected: [0, 1] },
  { limit: 'a block too large', threads: 512, registers: 40, sharedMemory: 0, expected: [0, 16 / 48] },
])('is limited by $limit', ({ expected, ...kernel }) => {
  expect([occupancy(old, kernel), occupancy(newer, kernel)]).toEqual(expected);
});
