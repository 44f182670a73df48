/**
 * Takes the run on screen into the list as soon as it has a cycle, and follows it: a cycle costs a note of what is there, the
 * list is brought up to date once a second. What takes its place on screen leaves it in the list: a run that repeats it continues
 * under its entry, any other has one of its own; so has a run that was gone back in and changed.
 */
import { batch, effect, untracked } from '@preact/signals';
import type { PageRunInfo } from '../../document/run/page-run.ts';
import type { RunCommand } from '../../document/run/command-line.ts';
import type { RunView } from '../../document/run-view.ts';
import { thinnedTo } from '../../document/run/kept-rows.ts';
import { versionsHere } from '../../page/versions-here.ts';
import { completedCycles, type KeptRun, type RunRows } from './kept-run.ts';
import type { Runs } from './runs-state.ts';
import { sameRun } from './differences.ts';

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

export interface RecordOptions {
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
      // What was gone back from is kept as it was.
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
