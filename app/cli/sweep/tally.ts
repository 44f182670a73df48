/** What came of a sweep's cases so far: kept small, and counted. */
import { keepCase } from '../../../engine/index.ts';
import type { CaseSummary, KeptCase, SweepPlan } from '../../../engine/index.ts';

export interface Tally {
  add(result: CaseSummary): void;
  readonly of: (hash: string) => KeptCase | undefined;
  /** Cases that are done, complete or failed. */
  readonly done: number;
  readonly failed: number;
  /** Share of all methods in all complete cases that diverged, 0 to 1. */
  readonly divergedShare: number;
}

export function createTally(plan: SweepPlan): Tally {
  const kept = new Map<string, KeptCase>();
  let failed = 0;
  let methods = 0;
  let diverged = 0;
  return {
    add(result) {
      if (kept.has(result.hash)) return;
      const own = keepCase(plan, result);
      kept.set(result.hash, own);
      if (own.state === 'failed') failed += 1;
      methods += own.methods.length;
      diverged += own.methods.filter(({ state }) => state === 'diverged').length;
    },
    of: (hash) => kept.get(hash),
    get done() {
      return kept.size;
    },
    get failed() {
      return failed;
    },
    get divergedShare() {
      return methods === 0 ? 0 : diverged / methods;
    },
  };
}
