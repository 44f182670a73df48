/** The runs as a table: a row for each, which can be filtered by words and sorted by any column. Pure functions. */
import { comparedVariables, unitOf } from '../../../engine/index.ts';
import { methodStyles, type MethodStyle } from '../../document/views/method-style.ts';
import { variantTitles } from '../../document/views/variant-titles.ts';
import { resultRows } from '../../figures/results.ts';
import { momentText, resultsOf, runTitle, summaryOf, type KeptRun } from './kept-run.ts';

export const RUN_COLUMNS = [
  { id: 'number', title: 'Run', isNumber: true, help: 'In the order in which runs came into the list' },
  { id: 'scenario', title: 'Scenario', isNumber: false, help: 'The name that was given, or the scenario’s title' },
  { id: 'start', title: 'Begun', isNumber: false, help: 'When the run began' },
  { id: 'methods', title: 'Methods', isNumber: false, help: 'Methods of the run' },
  { id: 'cycles', title: 'Cycles', isNumber: true, help: 'Cycles that were computed' },
  { id: 'seed', title: 'Seed', isNumber: true, help: 'Seed of the random numbers' },
  { id: 'best', title: 'Best', isNumber: false, help: 'The method with the least error of the analysis' },
  { id: 'error', title: 'RMSE', isNumber: true, help: 'Error of its analysis, mean over the cycles after the spin-up' },
  { id: 'skill', title: 'Skill (%)', isNumber: true, help: 'Share of the free run’s error that is gone' },
] as const;

export type RunColumn = (typeof RUN_COLUMNS)[number]['id'];

export interface RunOrder {
  readonly column: RunColumn;
  readonly descending: boolean;
}

export interface RunTableRow {
  readonly run: KeptRun;
  readonly title: string;
  readonly methods: readonly MethodStyle[];
  /** Undefined of a run in which no method has an error. */
  readonly best: MethodStyle | undefined;
  /** What the error is of, with its unit. */
  readonly variable: string;
  readonly unit: string;
  /** RMSE of the analysis of the best method; NaN if there is none. */
  readonly error: number;
  /** Per cent; NaN without a free run. */
  readonly skill: number;
}

function rowOf(run: KeptRun): RunTableRow {
  const [variable] = comparedVariables(run.scenario);
  const results = resultsOf(run);
  const { headline } = summaryOf(run);
  const diverged = new Map(run.diverged.map(({ method, cycle }) => [method, cycle]));
  const finite = resultRows(results, variable, diverged, headline).filter(
    ({ analysis, label }) => Number.isFinite(analysis) && !diverged.has(label),
  );
  const found = finite.reduce<(typeof finite)[number] | undefined>(
    (best, row) => (best === undefined || row.analysis < best.analysis ? row : best),
    undefined,
  );
  const methods = methodStyles(run.methods, variantTitles(run.scenario));
  return {
    run,
    title: runTitle(run),
    methods,
    best: methods.find(({ label }) => label === found?.label),
    variable,
    unit: unitOf(variable),
    error: found?.analysis ?? Number.NaN,
    skill: 100 * (found?.skill ?? Number.NaN),
  };
}

/** Runs of the list are never changed: the row of each is made once. */
const rows = new WeakMap<KeptRun, RunTableRow>();

/** @returns the row of each run, in their order */
export function tableRows(runs: readonly KeptRun[]): readonly RunTableRow[] {
  return runs.map((run) => {
    const row = rows.get(run) ?? rowOf(run);
    rows.set(run, row);
    return row;
  });
}

/** Words of a row that a filter looks at: also those that the table shows of the time. */
function textOf({ run, title, methods }: RunTableRow): string {
  const { number, scenario, note, backend, start } = run;
  const names = methods.flatMap((method) => [method.title, method.label]);
  return [number, title, scenario.name, `seed ${scenario.seed}`, note, backend.name, start, momentText(start), ...names]
    .join(' ')
    .toLowerCase();
}

/** @returns the rows in which every word of a query is found */
export function filterRows(all: readonly RunTableRow[], query: string): readonly RunTableRow[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter((row) => {
    const text = textOf(row);
    return words.every((word) => text.includes(word));
  });
}

function keyOf(row: RunTableRow, column: RunColumn): number | string {
  switch (column) {
    case 'number':
      return row.run.number;
    case 'scenario':
      return row.title.toLowerCase();
    case 'start':
      return row.run.start;
    case 'methods':
      return row.methods.map(({ title }) => title).join(', ');
    case 'cycles':
      return row.run.completed;
    case 'seed':
      return row.run.scenario.seed;
    case 'best':
      return row.best?.title ?? '';
    case 'error':
      return row.error;
    case 'skill':
      return row.skill;
    default:
      return column satisfies never;
  }
}

function compare(a: number | string, b: number | string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b), 'en', { numeric: true });
}

function isMissing(key: number | string): boolean {
  return key === '' || Number.isNaN(key);
}

/** @returns the rows in an order; those without a number come last, those that are alike by their numbers */
export function sortRows(all: readonly RunTableRow[], { column, descending }: RunOrder): readonly RunTableRow[] {
  const sign = descending ? -1 : 1;
  return [...all].sort((a, b) => {
    const [left, right] = [keyOf(a, column), keyOf(b, column)];
    if (isMissing(left) || isMissing(right)) return Number(isMissing(left)) - Number(isMissing(right));
    return sign * compare(left, right) || a.run.number - b.run.number;
  });
}
