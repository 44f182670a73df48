/** Results of a scenario over seeds, as if each seed had come out as a test says. */
import { assembleResults, keepCase } from '../../engine/index.ts';
import type { SweepPlan, SweepResults } from '../../engine/index.ts';

/** What one method has with one seed: measures by name; null of one that diverged. */
export type SeedOutcomes = Readonly<Record<string, Readonly<Record<string, number>> | null>>;

/** @param of a seed: its methods; why it failed; undefined if it was not run yet */
export function resultsOverSeeds(
  plan: SweepPlan,
  of: (seed: number) => SeedOutcomes | string | undefined,
): SweepResults {
  const kept = plan.hashes.map((hash, index) => {
    const found = of(plan.seedAt(index));
    if (found === undefined) return undefined;
    if (typeof found === 'string') return keepCase(plan, { hash, state: 'failed', reason: found, methods: [] });
    const methods = Object.entries(found).map(([method, measures]) => ({
      method,
      kind: method,
      members: 1,
      state: measures === null ? ('diverged' as const) : ('complete' as const),
      divergedAt: measures === null ? 3 : null,
      measures: measures ?? {},
    }));
    return keepCase(plan, { hash, state: 'complete', reason: null, methods });
  });
  return assembleResults(plan, (hash) => kept[plan.hashes.indexOf(hash)]);
}
