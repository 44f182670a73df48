/**
 * Runs into the list and out of it: the one on screen, as soon as it has a cycle; those of folders, which do not take its place;
 * again, as settings, as a command.
 */
import type { DroppedFolder } from '../../host/host.ts';
import { cyclesOf, describeProblem, ScenarioError, formatScenario } from '../../../engine/index.ts';
import type { CycleDiagnostics } from '../../../engine/index.ts';
import type { OpenedRun } from '../reading/reading-service.ts';
import { commandLine, copyRunCommand, type RunCommand } from '../../document/run/command-line.ts';
import { attempt, reasonOf, saveFile } from '../../page/notices.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import { completedCycles, runTitle, type KeptRun, type RunRows } from './kept-run.ts';
import { sameRun } from './differences.ts';
import { readerOf } from '../reading/worker-reader.ts';
import { runsOf, type Runs } from './runs-state.ts';
import type { RunView } from '../../document/run-view.ts';
import { openingOf } from '../opening/open-scenario.ts';
import { batch, effect, untracked } from '@preact/signals';
import type { PageRunInfo } from '../../document/run/page-run.ts';
import { thinnedTo } from '../../document/run/method-records.ts';
import { versionsHere } from '../../page/versions-here.ts';

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

/** Milliseconds from one entry to the next, at least; of lists that take long to be made, so many times as long as it took. */
const INTERVAL = 1000;
const SHARE = 50;

/** What calls back later; tests turn their own. */
interface Timer {
  readonly now: () => number;
  readonly wait: (work: () => void, milliseconds: number) => () => void;
}

const pageTimer: Timer = {
  now: () => performance.now(),
  wait(work, milliseconds) {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** What was on screen at one moment. */
interface Moment {
  readonly number: number;
  readonly info: PageRunInfo;
  readonly rows: RunRows;
  /** Every so many cycles one is kept. */
  readonly stride: number;
  readonly diverged: KeptRun['diverged'];
  readonly raw: KeptRun['raw'];
  readonly files: KeptRun['files'];
  readonly start: string;
  readonly end: string;
}

/** The entry of the run on screen. */
interface Entry {
  readonly id: string;
  /** Whether it began with this run: then it follows what is changed on the way. */
  readonly isOwn: boolean;
  /** Completed cycles of the run at the last update of the entry. */
  readonly completed: number;
}

interface RecordOptions {
  readonly timer?: Timer;
  readonly newId?: () => string;
  /** @returns the command that repeats the run on screen */
  readonly commandOf: (info: PageRunInfo) => RunCommand;
}

/** @returns rows with those of earlier cycles, which a run does not have that continued after its page broke down */
function withEarlier(known: RunRows, rows: RunRows): RunRows {
  const isWhole = [...rows.values()].every(([first]) => first === undefined || first.cycle === 0);
  if (isWhole) return rows;
  return new Map(
    [...rows].map(([label, list]) => {
      const from = list[0]?.cycle ?? 0;
      return [label, [...(known.get(label) ?? []).filter(({ cycle }) => cycle < from), ...list]];
    }),
  );
}

/** @returns what ends it */
export function recordRun(
  runs: Runs,
  { course, edits, controller, clock }: Pick<RunView, 'course' | 'edits' | 'controller' | 'clock'>,
  { timer = pageTimer, newId = () => crypto.randomUUID(), commandOf }: RecordOptions,
): () => void {
  let moment: Moment | undefined;
  /** Whether the list lacks the latest state. */
  let isBehind = false;
  let entry: Entry | undefined;
  let command: { readonly info: PageRunInfo; readonly found: RunCommand } | undefined;
  let stopWaiting: (() => void) | undefined;
  let next = -Infinity;

  const commandFor = (info: PageRunInfo): RunCommand => {
    if (command?.info.scenario !== info.scenario) command = { info, found: commandOf(info) };
    return command.found;
  };

  function keptFrom({ info, rows, stride, raw, files, diverged, start, end }: Moment): Omit<KeptRun, 'id' | 'number'> {
    const { scenario, methods, cycles, backend } = info;
    return {
      name: '',
      note: '',
      scenario,
      raw,
      files,
      command: commandFor(info),
      methods,
      backend: { name: backend.name, adapter: backend.adapter },
      versions: versionsHere(),
      rows: thinnedTo(rows, stride),
      diverged,
      cycles,
      completed: completedCycles(rows),
      stride,
      start,
      end,
    };
  }

  /** The entry that a run continues under; undefined where it has to have a new one. */
  function entryFor(
    run: Omit<KeptRun, 'id' | 'number'>,
  ): { readonly known: KeptRun; readonly isOwn: boolean } | undefined {
    const known = entry && runs.runs.value.find(({ id }) => id === entry?.id);
    if (known && sameRun(known, run)) return { known, isOwn: entry?.isOwn === true };
    // Changed on the way, from where it had come to: it is the same run that continues.
    if (known && entry?.isOwn && run.completed >= entry.completed) return { known, isOwn: true };
    const same = runs.runs.value.findLast((each) => sameRun(each, run));
    return same && { known: same, isOwn: false };
  }

  function flush(): void {
    stopWaiting?.();
    stopWaiting = undefined;
    if (!moment || !isBehind) return;
    isBehind = false;
    const began = timer.now();
    const run = keptFrom(moment);
    const found = entryFor(run);
    batch(() => {
      if (found) {
        const { known, isOwn } = found;
        const { id, number, name, note } = known;
        const repeats = sameRun(known, run);
        const rows = repeats ? withEarlier(known.rows, run.rows) : run.rows;
        entry = { id, isOwn, completed: run.completed };
        // What is on screen does not go for want of room.
        runs.onScreen.value = id;
        // What repeats a run has nothing to add to it before it has come as far.
        if (run.completed >= known.completed || !repeats) runs.put({ ...run, rows, id, number, name, note });
      } else {
        entry = { id: newId(), isOwn: true, completed: run.completed };
        runs.onScreen.value = entry.id;
        runs.put({ ...run, id: entry.id, number: runs.nextNumber() });
      }
    });
    next = began + Math.max(INTERVAL, SHARE * (timer.now() - began));
  }

  function look(): void {
    const number = course.runNumber.value;
    const info = course.info.value;
    const rows = course.diagnostics.value;
    const stride = course.rowStride.value;
    const diverged = course.divergences.value;
    const isOver = course.status.value === 'ended' || course.status.value === 'failed';
    untracked(() => {
      if (moment && moment.number !== number) {
        flush();
        moment = undefined;
        entry = undefined;
        runs.onScreen.value = undefined;
      }
      const raw = edits.runFile.value;
      if (!info || !raw || completedCycles(rows) === 0) return;
      // The cycles before the user went back are kept first, as they were.
      if (moment && completedCycles(rows) < completedCycles(moment.rows)) flush();
      const { start, end } = clock.runTimes();
      const { files } = controller;
      moment = { number, info, rows, stride, diverged, raw, files, start, end };
      isBehind = true;
      if (entry === undefined || isOver) flush();
      else stopWaiting ??= timer.wait(flush, Math.max(0, next - timer.now()));
    });
  }

  const stop = effect(look);
  return () => {
    stop();
    stopWaiting?.();
  };
}
