/** Occupancy of a multiprocessor: the warps that fit on it at once, as a share of those that it can hold [letkf-gpu]. */

/** What a multiprocessor has, and in which units it gives it away: NVIDIA's published limits of a compute capability. */
interface Multiprocessor {
  readonly name: string;
  /** Threads that a block can have. */
  readonly threadsPerBlock: number;
  readonly warps: number;
  readonly blocks: number;
  readonly registers: number;
  readonly registerUnit: number;
  /** Whether registers are given to whole blocks with an even number of warps, rather than to each warp. */
  readonly registersByBlock: boolean;
  /** Bytes. */
  readonly sharedMemory: number;
  readonly sharedUnit: number;
}

/** The paper's two cards. */
export const PAPER_CARDS: readonly Multiprocessor[] = [
  {
    name: 'GTX 260 (1.3)',
    threadsPerBlock: 512,
    warps: 32,
    blocks: 8,
    registers: 16_384,
    registerUnit: 512,
    registersByBlock: true,
    sharedMemory: 16_384,
    sharedUnit: 512,
  },
  {
    name: 'GTX 460 (2.1)',
    threadsPerBlock: 1024,
    warps: 48,
    blocks: 8,
    registers: 32_768,
    registerUnit: 64,
    registersByBlock: false,
    sharedMemory: 49_152,
    sharedUnit: 128,
  },
];

const WARP = 32;

export interface Kernel {
  /** Threads in a block. */
  readonly threads: number;
  /** Registers of a thread, at least 1. */
  readonly registers: number;
  /** Bytes of shared memory of a block. */
  readonly sharedMemory: number;
}

function roundUp(value: number, unit: number): number {
  return unit * Math.ceil(value / unit);
}

/** @returns the share of warps that are resident, from 0, where not even one block fits, to 1 */
export function occupancy(card: Multiprocessor, { threads, registers, sharedMemory }: Kernel): number {
  if (threads > card.threadsPerBlock) return 0;
  const warps = Math.ceil(threads / WARP);
  const ofBlock = card.registersByBlock
    ? roundUp(roundUp(warps, 2) * WARP * registers, card.registerUnit)
    : warps * roundUp(WARP * registers, card.registerUnit);
  const blocks = Math.min(
    card.blocks,
    Math.floor(card.warps / warps),
    Math.floor(card.registers / ofBlock),
    sharedMemory === 0 ? Infinity : Math.floor(card.sharedMemory / roundUp(sharedMemory, card.sharedUnit)),
  );
  return (blocks * warps) / card.warps;
}
