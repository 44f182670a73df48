/** From what came of the cases to the document that a sweep leaves. */
import type { PlannedAxis } from './axes.ts';
import type { SweepPlan } from './plan.ts';
import type { MethodOutcome, SweepAxis, SweepCase, SweepResults } from './results.ts';
import type { CaseOutcome } from './run-cases.ts';

/** What came of a case, without its rows, which are in its folder. */
export type CaseSummary = Omit<CaseOutcome, 'rows' | 'variables'>;

/** What is kept of a case: with thousands of them, the measures that are asked for alone. */
export type KeptCase = Pick<SweepCase, 'state' | 'reason' | 'methods'>;

/** The record of a case that was not run yet. */
const WAITING: KeptCase = { state: 'waiting', reason: null, methods: [] };

function axisOf({ path, title }: PlannedAxis, index: number, plan: SweepPlan): SweepAxis {
  const values = new Map<string, unknown>();
  for (let first = 0; first < plan.count; first += plan.seeds.length) {
    const value = plan.valuesAt(first)[index];
    values.set(JSON.stringify(value), value);
  }
  return { path, title, values: [...values.values()] as SweepAxis['values'][number][] };
}

/** @returns what of a case the sweep's document has */
export function keepCase({ measures }: SweepPlan, { state, reason, methods }: CaseSummary): KeptCase {
  return {
    state,
    reason,
    methods: methods.map(({ method, state: ended, divergedAt, measures: measured }): MethodOutcome => ({
      method,
      state: ended,
      divergedAt,
      values: measures.map(({ name }) => measured[name] ?? null),
    })),
  };
}

/** @param keptOf what is kept of the case with that hash; undefined of one that waits */
export function assembleResults(plan: SweepPlan, keptOf: (hash: string) => KeptCase | undefined): SweepResults {
  const { name, scenario, origin, axes, seeds, methods, measures, count, hashes } = plan;
  return {
    format: 1,
    name,
    scenario: scenario as SweepResults['scenario'],
    backend: origin.backend,
    versions: origin.versions,
    axes: axes.map((axis, index) => axisOf(axis, index, plan)),
    seeds,
    methods,
    measures,
    cases: Array.from({ length: count }, (_, index) => ({
      hash: hashes[index],
      values: plan.valuesAt(index) as SweepCase['values'],
      seed: plan.seedAt(index),
      ...(keptOf(hashes[index]) ?? WAITING),
    })),
  };
}
