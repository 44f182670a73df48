/** The commands of the list of runs, and of each run in it. */
import { attempt } from '../../page/notices.ts';
import type { Command } from '../../page/commands.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import type { RunView } from '../../document/run-view.ts';
import { addRuns } from './add-run.ts';
import { runsAsCsv, runsAsJson } from './export-runs.ts';
import { runTitle } from './kept-run.ts';
import { runAgain } from './open-kept.ts';
import { runsOf } from './runs-state.ts';

async function addFolder(laboratory: Laboratory): Promise<void> {
  const folder = await laboratory.host.openFolder();
  if (folder) await addRuns(laboratory, [{ name: 'The run', content: Promise.resolve(folder) }]);
}

const FORMATS = {
  json: { type: 'application/json', text: runsAsJson },
  csv: { type: 'text/csv', text: runsAsCsv },
} as const;

async function saveList(laboratory: Laboratory, format: keyof typeof FORMATS): Promise<void> {
  const { host, notices } = laboratory;
  const runs = runsOf(laboratory);
  const { type, text } = FORMATS[format];
  const list = { runs: runs.runs.value, baselineRun: runs.baselineRun.value };
  const name = await host.save(`runs.${format}`, type, new TextEncoder().encode(text(list)));
  if (name !== undefined) notices.notify('information', `Saved ${name}`);
}

/** What can be done with the list. */
export function runListCommands(laboratory: Laboratory): readonly Command[] {
  const { frame } = laboratory;
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
