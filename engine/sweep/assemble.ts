/** From what came of the cases to the document that a sweep leaves. */
import type { PlannedAxis } from './axes.ts';
import type { SweepPlan } from './plan.ts';
import type { MethodOutcome, SweepAxis, SweepCase, SweepResults } from './results.ts';
import type { CaseOutcome } from './run-cases.ts';

/** What is kept of a case to be told of: its rows are in its folder. */
export type CaseResult = Omit<CaseOutcome, 'rows' | 'variables'>;

function axisOf({ path, title }: PlannedAxis, index: number, plan: SweepPlan): SweepAxis {
  const values = new Map<string, unknown>();
  for (let first = 0; first < plan.count; first += plan.seeds.length) {
    const value = plan.valuesAt(first)[index];
    values.set(JSON.stringify(value), value);
  }
  return { path, title, values: [...values.values()] as SweepAxis['values'][number][] };
}

/** @returns a case as the sweep's document has it. @param outcome undefined of one that waits */
export function caseOf(plan: SweepPlan, index: number, outcome: CaseResult | undefined): SweepCase {
  const place = {
    hash: plan.hashes[index],
    values: plan.valuesAt(index) as SweepCase['values'],
    seed: plan.seedAt(index),
  };
  if (!outcome) return { ...place, state: 'waiting', reason: null, methods: [] };
  const { state, reason, methods } = outcome;
  return {
    ...place,
    state,
    reason,
    methods: methods.map(({ method, state: ended, divergedAt, measures }): MethodOutcome => ({
      method,
      state: ended,
      divergedAt,
      values: plan.measures.map(({ name }) => measures[name] ?? null),
    })),
  };
}

/** @param outcomeOf what came of the case with that hash; undefined of one that waits */
export function assembleResults(plan: SweepPlan, outcomeOf: (hash: string) => CaseResult | undefined): SweepResults {
  const { name, scenario, origin, axes, seeds, methods, measures, count } = plan;
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
    cases: Array.from({ length: count }, (_, index) => caseOf(plan, index, outcomeOf(plan.hashes[index]))),
  };
}
