/** Parts of a sweep, as tasks of a cluster run them: whole groups of cases, the same whichever process asks. */
import { groupCases } from '../../../engine/index.ts';
import type { SweepPlan } from '../../../engine/index.ts';
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
