/**
 * Runs into the list from folders, without taking the place of the run on screen, and out of it: again, as settings, as a command.
 */
import type { DroppedFolder } from '../../host/host.ts';
import { cyclesOf, describeProblem, ScenarioError, formatScenario } from '../../../engine/index.ts';
import type { CycleDiagnostics } from '../../../engine/index.ts';
import type { OpenedRun } from '../reading/read-run.ts';
import { commandLine } from '../../document/run/command-line.ts';
import { attempt, reasonOf, saveFile } from '../../page/notices.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import { completedCycles, runTitle, type KeptRun, type RunRows } from './kept-run.ts';
import { sameRun } from './differences.ts';
import { readerOf } from '../reading/worker-reader.ts';
import { runsOf } from './runs-state.ts';
import { copyRunCommand } from '../../document/run/run-command.ts';
import type { RunView } from '../../document/run-view.ts';
import { openingOf } from '../opening/open-scenario.ts';

/** Problems of a folder that are reported. */
const MOST_PROBLEMS = 5;

function byMethod(rows: readonly CycleDiagnostics[]): RunRows {
  const found = new Map<string, CycleDiagnostics[]>();
  for (const row of rows) {
    const list = found.get(row.method);
    if (list) list.push(row);
    else found.set(row.method, [row]);
  }
  return found;
}

/** @returns the run of a folder as the list keeps it */
function runFromFolder({ record, parsed, rows, divergences, files, times }: OpenedRun): Omit<KeptRun, 'id' | 'number'> {
  const { scenario, raw } = parsed;
  const { methods, backend, versions } = record;
  const name = `${scenario.name}.shoal.json`;
  const found = byMethod(rows);
  const shown = {
    origin: { name, kind: 'run' as const },
    original: scenario,
    running: scenario,
    backend: backend.name,
  };
  return {
    name: '',
    note: '',
    scenario,
    raw: raw as KeptRun['raw'],
    files,
    command: { line: commandLine(shown), needs: name },
    methods,
    backend: { name: backend.name, adapter: backend.adapter },
    versions,
    rows: found,
    diverged: divergences.map(({ method, cycle }) => ({ method, cycle })),
    cycles: cyclesOf(scenario),
    completed: completedCycles(found),
    stride: 1,
    start: times.start,
    end: times.end,
  };
}

function problemsOf(error: unknown): string[] {
  const lines = error instanceof ScenarioError ? error.problems.map(describeProblem) : [reasonOf(error)];
  return [...lines.slice(0, MOST_PROBLEMS), ...(lines.length > MOST_PROBLEMS ? ['and more'] : [])];
}

function titlesOf(list: readonly KeptRun[]): string[] {
  return list.map((run) => `Run ${run.number}: ${runTitle(run)}`);
}

/** Adds each, and says what was added and what cannot be. @returns the entries, new ones and those that were there */
export async function addRuns(
  laboratory: Laboratory,
  folders: readonly DroppedFolder[],
  newId: () => string = () => crypto.randomUUID(),
): Promise<readonly KeptRun[]> {
  const { notify } = laboratory.notices;
  const [reader, runs] = [readerOf(laboratory), runsOf(laboratory)];
  const added: KeptRun[] = [];
  const known: KeptRun[] = [];
  // Whoever waits for the first must not leave the failure of another one unheard.
  const given = await Promise.allSettled(folders.map(({ content }) => content));
  for (const [index, { name }] of folders.entries()) {
    try {
      const found = given[index];
      if (found.status === 'rejected') throw found.reason;
      const run = runFromFolder(await reader.run(found.value.files));
      if (run.completed === 0) throw new Error('the run has no complete cycle');
      const same = runs.runs.value.find((each) => each.completed >= run.completed && sameRun(each, run));
      if (same) {
        known.push(same);
        continue;
      }
      const entry = { ...run, id: newId(), number: runs.nextNumber() };
      added.push(entry);
      runs.put(entry);
    } catch (error) {
      notify('error', `${name || 'The run'} cannot be added to the list`, { lines: problemsOf(error) });
    }
  }
  if (added.length > 0) {
    notify('information', added.length === 1 ? 'Added a run to the list' : `Added ${added.length} runs to the list`, {
      lines: titlesOf(added),
    });
  }
  if (known.length > 0) notify('information', 'In the list already', { lines: titlesOf(known) });
  return [...added, ...known];
}

/** The name that its file would have. */
function fileNameOf({ scenario }: KeptRun): string {
  return `${scenario.name}.shoal.json`;
}

/** Computes the run again, from its scenario and its files. @returns whether it was opened */
export async function runAgain(run: RunView, kept: KeptRun): Promise<boolean> {
  const file = {
    name: fileNameOf(kept),
    bytes: new TextEncoder().encode(formatScenario(kept.raw)),
    siblings: (name: string) => Promise.resolve(kept.files[name]),
  };
  return openingOf(run).openFile(file, 'run');
}

/** Whether its settings can be those of the draft: not if they name files, which are beside another scenario. */
export function hasOwnSettings({ files }: KeptRun): boolean {
  return Object.keys(files).length === 0;
}

/** Puts its settings into the draft, as one step that can be undone; what was changed while it ran is not among them. */
export function takeSettings(
  { frame }: Pick<Laboratory, 'frame'>,
  { scenario }: Pick<RunView, 'scenario'>,
  kept: KeptRun,
): void {
  const { interventions: _interventions, ...settings } = kept.raw;
  scenario.editDraft(settings, `take the settings of run ${kept.number}`);
  frame.showPane('settings');
}

/** Copies the line that repeats it on the command line. */
export async function copyKeptCommand(laboratory: Pick<Laboratory, 'host' | 'notices'>, kept: KeptRun): Promise<void> {
  const save = (): Promise<void> =>
    attempt(laboratory, 'Saving', () =>
      saveFile(laboratory, fileNameOf(kept), 'application/json', formatScenario(kept.raw)),
    );
  await copyRunCommand(laboratory, kept.command, () => void save());
}

/** Takes it out of the list, and says how it comes back. */
export function removeRun(laboratory: Laboratory, kept: KeptRun): void {
  const { notices } = laboratory;
  const runs = runsOf(laboratory);
  runs.remove(kept.id);
  notices.notify('information', `Removed run ${kept.number}`, {
    lines: [runTitle(kept)],
    actions: [{ title: 'Undo', run: () => void runs.bringBack() }],
  });
}
