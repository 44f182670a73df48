/** The means of a kept run over its cycles after the spin-up, as the table of the methods has them. */
import { gatherSummary, summaryTerms } from '../../../engine/index.ts';
import type { MethodResult, RunSummary } from '../../../engine/index.ts';
import type { KeptRun, RunRows } from './kept-run.ts';

/** Summaries of rows that no longer change: gathered once. */
const summaries = new WeakMap<RunRows, RunSummary>();

/** @returns the table of a run's rows, and its errors by cycles */
export function summaryOf({ rows, scenario }: Pick<KeptRun, 'rows' | 'scenario'>): RunSummary {
  const known = summaries.get(rows);
  if (known) return known;
  const terms = summaryTerms(scenario);
  const reached = [...rows.values()].some((list) => (list.at(-1)?.cycle ?? -1) >= terms.spinup);
  // Of a run that is still within its spin-up, all cycles count.
  const summary = gatherSummary([...rows.values()].flat(), reached ? terms : { ...terms, spinup: 0 });
  summaries.set(rows, summary);
  return summary;
}

/** @returns a row for each method of the run, in its order */
export function resultsOf(run: Pick<KeptRun, 'rows' | 'scenario' | 'methods'>): readonly MethodResult[] {
  return summaryOf(run).results(run.methods);
}
