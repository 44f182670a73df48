/** The commands of the list of runs, and of each run in it; and the list as a file, JSON or CSV. */
import { attempt, saveFile } from '../../page/notices.ts';
import type { Command } from '../../page/commands.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import type { RunView } from '../../document/run-view.ts';
import { addRuns, runAgain } from './add-run.ts';
import { runTitle, stateOf, resultsOf, type KeptRun } from './kept-run.ts';
import { runsOf } from './runs-state.ts';
import { STATE_VARIABLES, unitOf, type MethodResult } from '../../../engine/index.ts';
import { formatCsv, type DataTable } from '../../format/tables.ts';
import { differencesBetween, differenceText } from './differences.ts';

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

async function addFolder(laboratory: Laboratory): Promise<void> {
  const folder = await laboratory.host.openFolder();
  if (folder) await addRuns(laboratory, [{ name: 'The run', content: Promise.resolve(folder) }]);
}

const FORMATS = {
  json: { type: 'application/json', text: runsAsJson },
  csv: { type: 'text/csv', text: runsAsCsv },
} as const;

async function saveList(laboratory: Laboratory, format: keyof typeof FORMATS): Promise<void> {
  const runs = runsOf(laboratory);
  const { type, text } = FORMATS[format];
  const list = { runs: runs.runs.value, baselineRun: runs.baselineRun.value };
  await saveFile(laboratory, `runs.${format}`, type, text(list));
}

/** What can be done with the list. */
export function runListCommands(laboratory: Laboratory): readonly Command[] {
  const {
    frame,
    overlays: { openOverlay },
  } = laboratory;
  const runs = runsOf(laboratory);
  const { baseline, onScreen, overlaidIds, removed } = runs;
  const isThere = (): boolean => runs.runs.value.length > 0;
  return [
    {
      id: 'view.runs',
      group: 'View',
      title: 'Runs panel',
      shortcuts: ['R'],
      keywords: 'list kept compare overlay baseline history notes',
      checked: () => frame.isPaneShown('runs'),
      run: () => frame.showOrHidePane('runs'),
    },
    {
      id: 'runs.table',
      group: 'View',
      title: 'Runs as a table…',
      keywords: 'filter sort list kept skill compare',
      run: () => openOverlay('runs'),
    },
    {
      id: 'runs.baseline',
      group: 'Run',
      title: 'This run as baseline',
      shortcuts: ['P'],
      keywords: 'pin compare reference',
      enabled: () => onScreen.value !== undefined,
      checked: () => onScreen.value !== undefined && baseline.value === onScreen.value,
      run: () => runs.pin(baseline.value === onScreen.value ? undefined : onScreen.value),
    },
    {
      id: 'runs.no-curves',
      group: 'Run',
      title: 'Take the curves of other runs away',
      keywords: 'overlay clear',
      enabled: () => overlaidIds.value.length > 0,
      run: () => {
        overlaidIds.value = [];
      },
    },
    {
      id: 'runs.bring-back',
      group: 'Run',
      title: 'Bring back the run that was removed',
      keywords: 'undo restore',
      enabled: () => removed.value !== undefined,
      run: () => void runs.bringBack(),
    },
    {
      id: 'runs.add',
      group: 'File',
      title: 'Add run folder to the list…',
      keywords: 'open compare import',
      run: () => attempt(laboratory, 'Adding the run', () => addFolder(laboratory)),
    },
    {
      id: 'runs.save-json',
      group: 'File',
      title: 'Save the list of runs as JSON…',
      keywords: 'export notes results',
      enabled: isThere,
      run: () => attempt(laboratory, 'Saving the list', () => saveList(laboratory, 'json')),
    },
    {
      id: 'runs.save-csv',
      group: 'File',
      title: 'Save the list of runs as CSV…',
      keywords: 'export notes results table',
      enabled: isThere,
      run: () => attempt(laboratory, 'Saving the list', () => saveList(laboratory, 'csv')),
    },
  ];
}

/** What can be done with each run. */
export function keptRunCommands(laboratory: Laboratory, view: RunView): readonly Command[] {
  const runs = runsOf(laboratory);
  const { baseline, onScreen, overlaidIds } = runs;
  return runs.runs.value.flatMap((run): Command[] => {
    const { id, number, note } = run;
    const name = `run ${number}: ${runTitle(run)}`;
    const about = { group: 'Run' as const, keywords: `list kept ${note}` };
    const isOther = (): boolean => id !== onScreen.value;
    return [
      {
        ...about,
        id: `runs.overlay.${id}`,
        title: `Curves of ${name}`,
        enabled: isOther,
        checked: () => overlaidIds.value.includes(id),
        run: () => runs.toggleOverlaid(id),
      },
      {
        ...about,
        id: `runs.baseline.${id}`,
        title: `Baseline: ${name}`,
        checked: () => baseline.value === id,
        run: () => runs.pin(baseline.value === id ? undefined : id),
      },
      { ...about, id: `runs.again.${id}`, title: `Run again ${name}`, run: () => void runAgain(view, run) },
    ];
  });
}
