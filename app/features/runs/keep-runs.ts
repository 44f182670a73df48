/** The list of runs at work in a page: it follows the run on screen, is brought back and stored, and is drawn over the charts. */
import { reasonOf, type Notices } from '../../page/notices.ts';
import { nextTask } from '../../page/render-pace.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import { commandOfRun } from '../../document/run/command-line.ts';
import type { RunView } from '../../document/run-view.ts';
import { runTitle, type KeptRun } from './kept-run.ts';
import { recordRun } from './add-run.ts';
import type { RunStore, StoredEntry } from './stored-runs.ts';
import { megabytes, runsOf, type Runs } from './runs-state.ts';
import { chartsOf } from '../../figures/chart-state.ts';
import { effect, untracked, computed } from '@preact/signals';
import { blockKey, BLOCK_ROWS, readStoredRuns, recordKey, storedForm } from './stored-runs.ts';
import { modelGrid, modelKindDefinition } from '../../../engine/index.ts';
import type { OverlaidRun, OverlaidSource } from '../../document/lines/overlaid.ts';
import { methodStyles } from '../../document/views/method-style.ts';
import { shortName } from './differences.ts';

/** Without the dots between dashes that branches have; as many as runs can be overlaid. */
const RUN_DASHES = ['3 3', '14 3', '1 4'] as const;

interface Titled {
  readonly run: KeptRun;
  readonly title: string;
  readonly dash: string;
}

/** Each with a title of its own. */
function titledRuns(overlaid: readonly KeptRun[], beside: KeptRun | undefined): readonly Titled[] {
  const titles = overlaid.map((run) => shortName(run, beside));
  return overlaid.map((run, index) => {
    const isTwice = titles.indexOf(titles[index]) !== titles.lastIndexOf(titles[index]);
    return { run, title: isTwice ? `Run ${run.number}` : titles[index], dash: RUN_DASHES[index % RUN_DASHES.length] };
  });
}

function drawn({ run, title, dash }: Titled): OverlaidRun {
  return {
    id: run.id,
    title,
    dash,
    diagnostics: run.rows,
    styles: methodStyles(run.methods),
    diverged: new Map(run.diverged.map(({ method, cycle }) => [method, cycle])),
    cells: { ...modelGrid(run.scenario), isRing: modelKindDefinition(run.scenario.model).world === 'ring' },
  };
}

/** @returns those that are overlaid, as the charts have them: the same ones as long as nothing of them has changed */
function overlaidSource({ overlaidRuns, runOnScreen }: Pick<Runs, 'overlaidRuns' | 'runOnScreen'>): OverlaidSource {
  let known: readonly { readonly titled: Titled; readonly run: OverlaidRun }[] = [];
  let last: readonly OverlaidRun[] = [];
  const all = computed(() => {
    known = titledRuns(overlaidRuns.value, runOnScreen.value).map((titled) => {
      const found = known.find(
        (each) =>
          each.titled.run === titled.run && each.titled.title === titled.title && each.titled.dash === titled.dash,
      );
      return found ?? { titled, run: drawn(titled) };
    });
    const next = known.map(({ run }) => run);
    if (next.length !== last.length || next.some((run, index) => run !== last[index])) last = next;
    return last;
  });
  return () => all.value;
}

/** Milliseconds from a change until it is written. */
const DELAY = 3000;

/** What of a run is in the storage. */
interface Written {
  readonly run: KeptRun;
  readonly isBaseline: boolean;
  /** Blocks that are full and need not be written again, of a run with this many rows. */
  readonly full: number;
  readonly blocks: number;
}

/**
 * Brings the list of the last sitting back, and from then on writes what changes of it: a run some seconds after it changed, its
 * full blocks of rows once. A page that is closed meanwhile loses those seconds and no more.
 */
interface RememberOptions {
  /** Lets the page do something else. */
  readonly yieldToEventLoop: () => Promise<void>;
  /** Calls back later. @returns what keeps it from that */
  readonly wait?: (work: () => void, milliseconds: number) => () => void;
}

function waitHere(work: () => void, milliseconds: number): () => void {
  const timer = setTimeout(work, milliseconds);
  return () => clearTimeout(timer);
}

function rowCount({ rows }: KeptRun): number {
  return [...rows.values()].reduce((sum, { length }) => sum + length, 0);
}

/** Whether what was written of a run is the beginning of what it is now: it continued, and no part of it was replaced. */
function goesOn(before: KeptRun, now: KeptRun): boolean {
  return (
    before.stride === now.stride &&
    [...before.rows].every(([label, rows]) => now.rows.get(label)?.[rows.length - 1] === rows.at(-1))
  );
}

/** @returns ends the writing; what still waits to be written is written by `settled` */
export function rememberRuns(
  runs: Runs,
  { notify }: Pick<Notices, 'notify'>,
  store: RunStore,
  { yieldToEventLoop, wait = waitHere }: RememberOptions,
): { readonly read: Promise<void>; readonly settled: () => Promise<void>; readonly stop: () => void } {
  const written = new Map<string, Written>();
  let stopWaiting: (() => void) | undefined;
  let writing = Promise.resolve();
  let isRefused = false;

  async function writeRun(run: KeptRun, isBaseline: boolean): Promise<void> {
    const before = written.get(run.id);
    const form = storedForm(run, isBaseline);
    const first = before && goesOn(before.run, run) ? before.full : 0;
    const blocks: StoredEntry[] = [];
    for (let block = first; block < form.blocks; block += 1) {
      blocks.push([blockKey(run.id, block), form.block(block)]);
      await yieldToEventLoop();
    }
    // All of it or nothing.
    await store.put([...blocks, form.record]);
    const surplus = Array.from({ length: Math.max(0, (before?.blocks ?? 0) - form.blocks) }, (_, n) => form.blocks + n);
    if (surplus.length > 0) await store.remove(surplus.map((block) => blockKey(run.id, block)));
    const full = Math.floor(rowCount(run) / BLOCK_ROWS);
    written.set(run.id, { run, isBaseline, full, blocks: form.blocks });
  }

  async function forget(id: string, { blocks }: Written): Promise<void> {
    written.delete(id);
    await store.remove([recordKey(id), ...Array.from({ length: blocks }, (_, block) => blockKey(id, block))]);
  }

  async function write(): Promise<void> {
    const now = runs.runs.peek();
    const baseline = runs.baseline.peek();
    for (const [id, known] of written) if (!now.some((run) => run.id === id)) await forget(id, known);
    for (const run of now) {
      const known = written.get(run.id);
      const isBaseline = run.id === baseline;
      if (known?.run !== run || known.isBaseline !== isBaseline) await writeRun(run, isBaseline);
    }
  }

  /** One after the other. */
  function writeNow(): Promise<void> {
    stopWaiting?.();
    stopWaiting = undefined;
    writing = writing.then(write).catch((error: unknown) => {
      if (isRefused) return;
      isRefused = true;
      const reason = reasonOf(error);
      notify('warning', 'The list of runs is kept until this window is closed', {
        lines: [`It cannot be stored: ${reason}`],
      });
    });
    return writing;
  }

  async function readAll(): Promise<void> {
    try {
      const { runs: found, baseline, broken, problems } = await readStoredRuns(store, yieldToEventLoop);
      if (broken.length > 0) await store.remove(broken);
      if (problems.length > 0)
        notify('warning', 'Some runs of the list cannot be read and are omitted', { lines: problems });
      for (const run of found) {
        const blocks = Math.ceil(rowCount(run) / BLOCK_ROWS);
        const full = Math.floor(rowCount(run) / BLOCK_ROWS);
        written.set(run.id, { run, isBaseline: run.id === baseline, full, blocks });
      }
      runs.adopt(found, baseline);
    } catch {
      // A browser that keeps nothing has no list of earlier runs.
    }
  }

  const read = readAll();
  const stop = effect(() => {
    void [runs.runs.value, runs.baseline.value];
    untracked(() => {
      stopWaiting ??= wait(() => {
        stopWaiting = undefined;
        void read.then(writeNow);
      }, DELAY);
    });
  });
  return {
    read,
    settled: async () => {
      await read;
      await writeNow();
    },
    stop() {
      stop();
      stopWaiting?.();
    },
  };
}

/** @returns what ends it; it writes what still waits to be written */
export function keepRuns(laboratory: Laboratory, run: RunView, store: RunStore): () => Promise<void> {
  const { notices } = laboratory;
  const runs = runsOf(laboratory);
  const withdraw = chartsOf(run).overlay(overlaidSource(runs));
  const stopTelling = runs.onDropped((dropped: KeptRun) => {
    notices.notify('information', 'The list of runs is full', {
      lines: [
        `Run ${dropped.number}, ${runTitle(dropped)}, has left it: ${megabytes(runs.limitBytes)} MB are the most. Runs that are pinned stay.`,
      ],
    });
  });
  const remembered = rememberRuns(runs, notices, store, { yieldToEventLoop: nextTask });
  let stopRecording: (() => void) | undefined;
  let isOver = false;
  // What is on screen may repeat a run of an earlier sitting, and continue under its entry.
  void remembered.read.then(() => {
    if (isOver) return;
    stopRecording = recordRun(runs, run, {
      commandOf: (info) => commandOfRun(laboratory, run, info) ?? { line: '', needs: undefined },
    });
  });
  return async () => {
    isOver = true;
    stopRecording?.();
    stopTelling();
    withdraw();
    remembered.stop();
    await remembered.settled();
  };
}
