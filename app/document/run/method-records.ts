/** What the methods of a run have given cycle by cycle: their diagnostics, and which of them diverged. */
import { computed, signal } from '@preact/signals';
import { withWarning, type CycleDiagnostics, type MethodDivergence } from '../../../engine/index.ts';
import { COMPLETE_CYCLES, NO_ROWS, withComplete, withRows, type Rows } from './kept-rows.ts';
import { createRowArchive } from './row-archive.ts';

const NONE: readonly CycleDiagnostics[] = [];

/** @returns rows by method label, each method's in cycle order */
function byMethod(rows: readonly CycleDiagnostics[]): Rows {
  const found = new Map<string, CycleDiagnostics[]>();
  for (const row of rows) {
    const list = found.get(row.method) ?? [];
    found.set(row.method, list);
    list.push(row);
  }
  return found;
}

export function createMethodRecords() {
  const archive = createRowArchive();
  const kept = signal(NO_ROWS);
  /** Rows that were read again because their cycles are looked at. */
  const readAgain = signal(NONE);
  /** By method label, in cycle order; of a long run without the lists of older cycles, and thinned. */
  const diagnostics = computed<Rows>(() => withComplete(kept.value.rows, readAgain.value));
  /** Every so many cycles `diagnostics` has one, beside the newest. */
  const rowStride = computed(() => kept.value.stride);
  /** Methods that diverged, in the order in which they did. */
  const divergences = signal<readonly MethodDivergence[]>([]);
  /** By method label the cycle in which it diverged: a gap in what is stored is not taken for an end. */
  const divergedMethods = computed<ReadonlyMap<string, number>>(
    () => new Map(divergences.value.map(({ method, cycle }) => [method, cycle])),
  );
  /** Which cycle was asked for last. */
  let wanted = -1;

  /** What was warned of, each once, with how often. */
  const warnings = signal<readonly string[]>([]);

  /** @returns the rows of a cycle, by method label */
  function rowsAt(cycle: number): ReadonlyMap<string, CycleDiagnostics> {
    const found = new Map<string, CycleDiagnostics>();
    for (const [method, rows] of diagnostics.value) {
      const row = rows.find((each) => each.cycle === cycle);
      if (row) found.set(method, row);
    }
    return found;
  }

  /** Reads an older cycle again, complete; a newer request makes this one void. */
  async function bring(cycle: number): Promise<void> {
    wanted = cycle;
    const newest = Math.max(-1, ...[...kept.peek().rows.values()].map((rows) => rows.at(-1)?.cycle ?? -1));
    const isComplete = cycle < 0 || cycle > newest - COMPLETE_CYCLES;
    if (readAgain.peek().some((row) => row.cycle === cycle)) return;
    const rows = isComplete ? NONE : await archive.blockOf(cycle);
    if (wanted === cycle && (rows.length > 0 || readAgain.peek().length > 0)) readAgain.value = rows;
  }

  /** Stores diagnostics in place of those of the same cycles and later ones. */
  function addDiagnostics(rows: readonly CycleDiagnostics[]): void {
    if (rows.length === 0) return;
    const sorted = [...rows].sort((a, b) => a.cycle - b.cycle);
    forgetFrom(sorted[0].cycle);
    archive.add(sorted);
    kept.value = withRows(kept.value, sorted);
  }

  /** Forgets rows that are read again or archived, from a cycle on. */
  function forgetFrom(first: number): void {
    archive.dropFrom(first);
    if (readAgain.peek().some(({ cycle }) => cycle >= first)) {
      readAgain.value = readAgain.peek().filter(({ cycle }) => cycle < first);
    }
  }

  /** A method diverged, in this cycle or, if the run is computed again, as before. */
  function addDivergence(divergence: MethodDivergence): void {
    const others = divergences.value.filter(({ method }) => method !== divergence.method);
    divergences.value = [...others, divergence];
  }

  function addWarning(message: string): void {
    warnings.value = withWarning(warnings.value, message);
  }

  /** Forgets a cycle and all that came after it. */
  function dropFrom(first: number): void {
    forgetFrom(first);
    const { rows, stride } = kept.value;
    const before = new Map([...rows].map(([method, list]) => [method, list.filter((row) => row.cycle < first)]));
    kept.value = { rows: before, stride };
    divergences.value = divergences.value.filter((each) => each.cycle < first);
  }

  function clear(): void {
    archive.clear();
    kept.value = NO_ROWS;
    readAgain.value = NONE;
    divergences.value = [];
    warnings.value = [];
  }

  return {
    diagnostics,
    rowStride,
    divergences,
    divergedMethods,
    warnings,
    rowsAt,
    bring,
    /** All rows of the run, complete, by method label. */
    allRows: async (): Promise<Rows> => byMethod(await archive.all()),
    addDiagnostics,
    addDivergence,
    addWarning,
    dropFrom,
    clear,
  };
}
