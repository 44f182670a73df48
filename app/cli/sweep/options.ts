/** Options of `shoal sweep`. */
import type { BackendChoice } from '../../../engine/index.ts';
import type { CommonOptions } from '../context.ts';
import type { Chunk } from './chunk.ts';

export interface SweepOptions extends CommonOptions {
  readonly backend: BackendChoice;
  readonly out?: string;
  /** Processes; as many as the machine has cores if omitted. */
  readonly workers?: number;
  readonly resume?: boolean;
  /** Runs failed cases again. */
  readonly retry?: boolean;
  readonly dryRun?: boolean;
  /** The I-th of N parts of the plan. */
  readonly chunk?: Chunk;
  /** Writes the tables from the cases that are there. */
  readonly collect?: boolean;
  /** Through a cluster's Slurm. */
  readonly slurm?: boolean;
  /** Options of a job, each `name=value`. */
  readonly slurmOption?: readonly string[];
  /** Cases of a task. */
  readonly chunkSize?: number;
  /** Tasks that run at once, at most. */
  readonly atOnce?: number;
}
