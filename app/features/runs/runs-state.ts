/**
 * The list of runs of one page: those of this sitting, of earlier ones, and of opened folders. It is bounded: if there is no
 * room the oldest run goes that is neither the baseline nor on screen, and those whose curves are shown go last.
 */
import { batch, computed, signal } from '@preact/signals';
import { runBytes, thinned, type KeptRun } from './kept-run.ts';
import { type Laboratory, slot } from '../../page/laboratory.ts';

/** Bytes that all runs of the list may take: 64 MiB. */
const LIST_BYTES = 64 * 2 ** 20;
export const MOST_RUNS = 100;
/** Share of the bound that the rows of one run may take. */
const MOST_SHARE = 0.5;
/** Runs whose curves are shown at once: more could not be distinguished. */
export const MOST_OVERLAID = 3;
/** Letters. */
export const LONGEST_NAME = 80;
export const LONGEST_NOTE = 4000;

export interface RunsOptions {
  readonly limitBytes?: number;
  readonly mostRuns?: number;
}

/** Letters of one line, cut if there are too many. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST_NAME);
}

export function createRuns({ limitBytes = LIST_BYTES, mostRuns = MOST_RUNS }: RunsOptions = {}) {
  /** Oldest first. */
  const runs = signal<readonly KeptRun[]>([]);
  const onScreen = signal<string | undefined>(undefined);
  const baseline = signal<string | undefined>(undefined);
  /** Runs whose curves are shown, the one that was chosen last at the end. */
  const overlaidIds = signal<readonly string[]>([]);
  /** What was removed last, with what it was, so that it can come back. */
  const removed = signal<{ readonly run: KeptRun; readonly isBaseline: boolean } | undefined>(undefined);
  /** Runs that went for want of room, in this sitting. */
  const dropped = signal(0);
  /** The run whose details are open. */
  const opened = signal<string | undefined>(undefined);

  const bytes = computed(() => runs.value.reduce((sum, run) => sum + runBytes(run), 0));
  const baselineRun = computed(() => runs.value.find(({ id }) => id === baseline.value));
  const runOnScreen = computed(() => runs.value.find(({ id }) => id === onScreen.value));
  /** Runs whose curves are drawn over the charts: never the one that is drawn there itself. */
  const overlaidRuns = computed(() =>
    overlaidIds.value.flatMap((id) => (id === onScreen.value ? [] : runs.value.filter((run) => run.id === id))),
  );

  const listeners = new Set<(run: KeptRun) => void>();

  /** @param listener called with each run that is removed for want of room @returns what ends that */
  function onDropped(listener: (run: KeptRun) => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  function forget(id: string): void {
    runs.value = runs.value.filter((run) => run.id !== id);
    overlaidIds.value = overlaidIds.value.filter((each) => each !== id);
    if (baseline.value === id) baseline.value = undefined;
    if (opened.value === id) opened.value = undefined;
  }

  /** The run that is missed least; undefined where all have to stay. */
  function leastMissed(): KeptRun | undefined {
    const others = runs.value.filter(({ id }) => id !== baseline.value && id !== onScreen.value);
    return others.find(({ id }) => !overlaidIds.value.includes(id)) ?? others[0];
  }

  function makeRoom(): void {
    while (bytes.value > limitBytes || runs.value.length > mostRuns) {
      const last = leastMissed();
      if (!last) return;
      forget(last.id);
      dropped.value += 1;
      for (const listener of listeners) listener(last);
    }
  }

  /** Puts a run into the list, in place of the one with its id. */
  function put(run: KeptRun): void {
    const kept = thinned(run, MOST_SHARE * limitBytes);
    batch(() => {
      const isThere = runs.value.some(({ id }) => id === kept.id);
      runs.value = isThere ? runs.value.map((each) => (each.id === kept.id ? kept : each)) : [...runs.value, kept];
      makeRoom();
    });
  }

  /** Takes runs of earlier sittings into the list, before any of this one. The curves of the baseline stay away until asked for. */
  function adopt(earlier: readonly KeptRun[], baselineId: string | undefined): void {
    batch(() => {
      runs.value = [...earlier];
      baseline.value = earlier.some(({ id }) => id === baselineId) ? baselineId : undefined;
      makeRoom();
    });
  }

  /** The number of the next run that comes into the list. */
  function nextNumber(): number {
    return Math.max(0, removed.value?.run.number ?? 0, ...runs.value.map(({ number }) => number)) + 1;
  }

  function change(id: string, changes: Partial<Pick<KeptRun, 'name' | 'note'>>): void {
    runs.value = runs.value.map((run) => (run.id === id ? { ...run, ...changes } : run));
  }

  /** Takes a run out of the list; the last one can be brought back. The one on screen stays. */
  function remove(id: string): void {
    const run = runs.value.find((each) => each.id === id);
    if (!run || id === onScreen.value) return;
    batch(() => {
      removed.value = { run, isBaseline: baseline.value === id };
      forget(id);
    });
  }

  /** Brings back what was removed last, at its place. @returns whether there was anything */
  function bringBack(): boolean {
    if (!removed.value) return false;
    const { run, isBaseline } = removed.value;
    batch(() => {
      removed.value = undefined;
      runs.value = [...runs.value, run].sort((a, b) => a.number - b.number);
      if (isBaseline && baseline.value === undefined) baseline.value = run.id;
      makeRoom();
    });
    return true;
  }

  /** Shows the curves of a run, or no more. If there are too many, those that were chosen first go; the baseline's stay. */
  function toggleOverlaid(id: string): void {
    const others = overlaidIds.value.filter((each) => each !== id);
    if (others.length < overlaidIds.value.length) {
      overlaidIds.value = others;
      return;
    }
    const next = [...others, id];
    const first = next.find((each) => each !== baseline.value && each !== id);
    overlaidIds.value = next.length > MOST_OVERLAID ? next.filter((each) => each !== first) : next;
  }

  /** Makes a run the one that others are compared with, and shows its curves; undefined for none. */
  function pin(id: string | undefined): void {
    batch(() => {
      const before = baseline.value;
      baseline.value = id;
      if (before !== undefined) overlaidIds.value = overlaidIds.value.filter((each) => each !== before);
      if (id !== undefined && !overlaidIds.value.includes(id)) toggleOverlaid(id);
    });
  }

  return {
    limitBytes,
    runs,
    onScreen,
    baseline,
    overlaidIds,
    removed,
    dropped,
    opened,
    bytes,
    baselineRun,
    runOnScreen,
    overlaidRuns,
    onDropped,
    put,
    adopt,
    nextNumber,
    remove,
    bringBack,
    toggleOverlaid,
    pin,
    rename: (id: string, name: string) => change(id, { name: oneLine(name) }),
    setNote: (id: string, note: string) => change(id, { note: note.slice(0, LONGEST_NOTE) }),
  };
}

export type Runs = ReturnType<typeof createRuns>;

/** @returns the runs that a page keeps */
export const runsOf = slot<Laboratory, Runs>(() => createRuns());

const MEGABYTE = 2 ** 20;

/** @returns megabytes of 2²⁰ bytes: `3.1`, `64` if nothing is left over, `< 0.1` of little */
export function megabytes(bytes: number): string {
  const value = bytes / MEGABYTE;
  if (Number.isInteger(value)) return String(value);
  return value < 0.1 ? '< 0.1' : value.toFixed(1);
}

/** @returns `12 runs, 3.1 of 64 MB` */
export function listWords(count: number, bytes: number, limit: number): string {
  return `${count} ${count === 1 ? 'run' : 'runs'}, ${megabytes(bytes)} of ${megabytes(limit)} MB`;
}

/** @returns `60 cycles`, `12 of 60 cycles`, and of a long run whose rows were thinned, which of them are kept */
export function cyclesWords({ completed, cycles, stride }: Pick<KeptRun, 'completed' | 'cycles' | 'stride'>): string {
  const far = completed >= cycles ? `${cycles} cycles` : `${completed} of ${cycles} cycles`;
  return stride === 1 ? far : `${far}, one in ${stride} kept`;
}
