/** The list of runs as a file: JSON with scenarios, notes and results, or CSV with a line a method of each run. */
import { STATE_VARIABLES, unitOf } from '../../../engine/index.ts';
import type { MethodResult } from '../../../engine/index.ts';
import { formatCsv } from '../../format/csv.ts';
import type { DataTable } from '../../format/csv.ts';
import { differencesBetween, differenceText } from './differences.ts';
import { runTitle, stateOf } from './kept-run.ts';
import type { KeptRun } from './kept-run.ts';
import { resultsOf } from './run-results.ts';

interface RunList {
  readonly runs: readonly KeptRun[];
  readonly baselineRun: KeptRun | undefined;
}

/** What differs from the baseline; empty for the baseline itself, and without one. */
function differencesOf(run: KeptRun, { baselineRun }: RunList): readonly string[] {
  return baselineRun && baselineRun.id !== run.id ? differencesBetween(baselineRun, run).map(differenceText) : [];
}

/** @returns the text of a JSON file */
export function runsAsJson(list: RunList): string {
  const { runs, baselineRun } = list;
  const documents = runs.map((run) => ({
    number: run.number,
    title: runTitle(run),
    note: run.note,
    baseline: run.id === baselineRun?.id,
    differences: differencesOf(run, list),
    command: run.command.line,
    scenario: run.raw,
    seed: run.scenario.seed,
    backend: run.backend,
    versions: run.versions,
    state: stateOf(run),
    cycles: run.cycles,
    completedCycles: run.completed,
    everyCycles: run.stride,
    diverged: run.diverged,
    start: run.start,
    end: run.end,
    results: resultsOf(run),
  }));
  return `${JSON.stringify({ runs: documents }, null, 2)}\n`;
}

/** Variables that any of the runs has results of, those of the shallow-water model first. */
function variablesIn(results: readonly (readonly MethodResult[])[]): readonly string[] {
  const found = new Set(results.flat().flatMap(({ rmse }) => Object.keys(rmse.analysis)));
  return [...STATE_VARIABLES.filter((name) => found.has(name)), ...[...found].filter((name) => !isState(name))];
}

function isState(name: string): boolean {
  return STATE_VARIABLES.some((each) => each === name);
}

function withUnit(text: string, variable: string): string {
  const unit = unitOf(variable);
  return unit === '' ? text : `${text} (${unit})`;
}

/** @returns a row for each method of each run */
function runsTable(list: RunList): DataTable {
  const results = list.runs.map(resultsOf);
  const variables = variablesIn(results);
  const heads = variables.flatMap((variable) => [
    withUnit(`RMSE of ${variable}, forecast`, variable),
    withUnit(`RMSE of ${variable}, analysis`, variable),
    withUnit(`spread of ${variable}, analysis`, variable),
  ]);
  return {
    columns: [
      'run',
      'title',
      'note',
      'baseline',
      'scenario',
      'seed',
      'backend',
      'state',
      'cycles',
      'method',
      ...heads,
      'milliseconds per cycle',
      'differs from the baseline in',
    ],
    rows: list.runs.flatMap((run, index) =>
      results[index].map(({ method, rmse, spread, milliseconds }) => [
        run.number,
        runTitle(run),
        run.note,
        run.id === list.baselineRun?.id ? 'yes' : 'no',
        run.scenario.name,
        run.scenario.seed,
        run.backend.name,
        stateOf(run),
        run.completed,
        method,
        ...variables.flatMap((variable) => [
          rmse.forecast[variable] ?? null,
          rmse.analysis[variable] ?? null,
          spread.analysis[variable] || null,
        ]),
        milliseconds.forecast + milliseconds.analysis,
        differencesOf(run, list).join('; '),
      ]),
    ),
  };
}

/** @returns the text of a CSV file */
export function runsAsCsv(list: RunList): string {
  return formatCsv(runsTable(list));
}
