/** How much memory this process may use: that of the machine, unless it was given less of it. */
import { totalmem } from 'node:os';

/** Variable with the memory of a Slurm task on this node, MiB. */
const SLURM_MEMORY = 'SLURM_MEM_PER_NODE';

/** @returns bytes */
export function availableMemory(environment: NodeJS.ProcessEnv = process.env): number {
  const bounds = [
    totalmem(),
    // Of a control group; 0 or beyond all machines if there is none.
    process.constrainedMemory(),
    Number(environment[SLURM_MEMORY] ?? 0) * 2 ** 20,
  ];
  return Math.min(...bounds.filter((bytes) => bytes > 0));
}
