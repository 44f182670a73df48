/** Options of `shoal sweep`. */
import type { BackendChoice, SweepPlan } from '../../../engine/index.ts';
import type { CommonOptions } from '../context.ts';
import { groupCases } from '../../../engine/index.ts';
import { UsageError } from '../failure.ts';

/** The I-th of N parts. */
export interface Chunk {
  /** From 1. */
  readonly part: number;
  readonly of: number;
}

/** @returns groups of indices of cases, by which a plan is divided */
export function groupsOf(plan: SweepPlan): readonly (readonly number[])[] {
  return groupCases(plan, Array(plan.count).keys());
}

/** @returns indices of the cases of a part, ascending. @param groups of the whole plan. @throws UsageError */
export function casesOfChunk(groups: readonly (readonly number[])[], { part, of }: Chunk): readonly number[] {
  if (part > of) throw new UsageError(`--chunk ${part}/${of}: allowed: parts from 1 to ${of}`);
  const first = Math.floor(((part - 1) * groups.length) / of);
  const last = Math.floor((part * groups.length) / of);
  return groups
    .slice(first, last)
    .flat()
    .sort((a, b) => a - b);
}

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
