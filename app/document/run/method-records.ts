/**
 * What the methods of a run have given cycle by cycle: which of them diverged, and their diagnostics, in bounded memory. The newest
 * cycles are complete; older ones lose their long lists (ranks by spread, spectra, iterations), and the oldest are thinned to every
 * second cycle, every fourth, and so on. All rows are in Blobs, which the browser keeps outside the page's heap and moves to the disk:
 * in blocks of cycles, as the lines of `diagnostics.csv`.
 */
import { formatDiagnostics, parseDiagnostics, withWarning } from '../../../engine/index.ts';
import type { CycleDiagnostics, MethodDivergence } from '../../../engine/index.ts';
import { computed, signal } from '@preact/signals';

/** Cycles that a block covers. */
export const BLOCK_CYCLES = 128;

interface Block {
  /** Its first cycle, a multiple of `BLOCK_CYCLES`. */
  readonly from: number;
  readonly text: Blob;
  /** Rows of this cycle and later ones have been replaced. */
  readonly before: number;
}

interface RowArchive {
  /** Adds rows of cycles that are not earlier than those before. */
  add(rows: readonly CycleDiagnostics[]): void;
  /** Forgets a cycle and all after it. */
  dropFrom(first: number): void;
  /** @returns the rows of the block that a cycle is in */
  blockOf(cycle: number): Promise<readonly CycleDiagnostics[]>;
  /** @returns all rows, in the order in which they were added */
  all(): Promise<readonly CycleDiagnostics[]>;
  clear(): void;
}

function startOf(cycle: number): number {
  return cycle - (cycle % BLOCK_CYCLES);
}

function blockFrom(from: number, rows: readonly CycleDiagnostics[]): Block {
  const variables = Object.keys(rows[0].rmse.analysis);
  return { from, text: new Blob([formatDiagnostics(variables, rows)]), before: Infinity };
}

async function rowsOf({ text, before }: Block): Promise<readonly CycleDiagnostics[]> {
  return parseDiagnostics(await text.text(), 'the rows of the run').filter(({ cycle }) => cycle < before);
}

function createRowArchive(): RowArchive {
  let blocks: Block[] = [];
  /** Rows of the newest block, until a later one begins. */
  let open: CycleDiagnostics[] = [];
  const close = (): void => {
    if (open.length > 0) blocks.push(blockFrom(startOf(open[0].cycle), open));
    open = [];
  };
  return {
    add(rows) {
      for (const row of rows) {
        if (open.length > 0 && startOf(row.cycle) !== startOf(open[0].cycle)) close();
        open.push(row);
      }
    },
    dropFrom(first) {
      open = open.filter(({ cycle }) => cycle < first);
      blocks = blocks
        .filter(({ from }) => from < first)
        .map((block) => ({ ...block, before: Math.min(block.before, first) }));
    },
    async blockOf(cycle) {
      const from = startOf(cycle);
      // A run that was continued inside a block has several with the same start.
      const found = await Promise.all(blocks.filter((block) => block.from === from).map(rowsOf));
      return [...found.flat(), ...open.filter((row) => startOf(row.cycle) === from)];
    },
    async all() {
      const now = open;
      const found = await Promise.all(blocks.map(rowsOf));
      return [...found.flat(), ...now];
    },
    clear() {
      blocks = [];
      open = [];
    },
  };
}

/** By method label, in cycle order. */
type Rows = ReadonlyMap<string, readonly CycleDiagnostics[]>;

interface KeptRows {
  readonly rows: Rows;
  /** Every so many cycles one is kept, beside the newest. */
  readonly stride: number;
}

/** The newest cycles, which are complete and not thinned. */
export const COMPLETE_CYCLES = 256;
/** Cycles that are kept at most, beside the newest. */
export const MOST_CYCLES = 2048;

const NO_ROWS: KeptRows = { rows: new Map(), stride: 1 };

/** @returns a row without its long lists */
function slimRow(row: CycleDiagnostics): CycleDiagnostics {
  const { consistency, minimisation } = row;
  return {
    ...row,
    minimisation: minimisation && {
      ...minimisation,
      cost: minimisation.cost.slice(-1),
      backgroundCost: minimisation.backgroundCost.slice(-1),
      observationCost: minimisation.observationCost.slice(-1),
      residual: minimisation.residual.slice(-1),
      ritzValues: [],
    },
    consistency: consistency && { ...consistency, sampled: {}, spectra: undefined },
  };
}

function newestOf(rows: Rows): number {
  return Math.max(-1, ...[...rows.values()].map((each) => each.at(-1)?.cycle ?? -1));
}

/** Rows that have become old become slim once, when their cycle leaves the newest ones. */
function slimmed(rows: readonly CycleDiagnostics[], from: number, to: number): readonly CycleDiagnostics[] {
  return rows.map((row) => (row.cycle >= from && row.cycle < to ? slimRow(row) : row));
}

/** @returns the rows with others in place of those of the same cycles and later ones */
function withRows({ rows: known, stride }: KeptRows, added: readonly CycleDiagnostics[]): KeptRows {
  if (added.length === 0) return { rows: known, stride };
  const before = newestOf(known);
  const next = new Map(known);
  for (const method of new Set(added.map((row) => row.method))) {
    const sorted = added.filter((row) => row.method === method).sort((a, b) => a.cycle - b.cycle);
    const kept = (next.get(method) ?? []).filter((each) => each.cycle < sorted[0].cycle);
    next.set(method, [...kept, ...sorted]);
  }
  return bounded({ rows: next, stride }, before);
}

/** @param before the newest cycle when it was bounded last */
function bounded({ rows, stride: known }: KeptRows, before: number): KeptRows {
  const newest = newestOf(rows);
  const complete = newest - COMPLETE_CYCLES + 1;
  let stride = known;
  while (Math.max(0, complete) / stride > MOST_CYCLES) stride *= 2;
  const isKept = ({ cycle }: CycleDiagnostics): boolean => cycle >= complete || cycle % stride === 0;
  const from = before - COMPLETE_CYCLES + 1;
  return {
    stride,
    rows: new Map([...rows].map(([label, list]) => [label, slimmed(list.filter(isKept), from, complete)])),
  };
}

/** @returns the rows with complete ones of some cycles in their place */
function withComplete(rows: Rows, complete: readonly CycleDiagnostics[]): Rows {
  if (complete.length === 0) return rows;
  return new Map(
    [...rows].map(([label, list]) => {
      const own = complete.filter(({ method }) => method === label);
      const cycles = new Set(own.map(({ cycle }) => cycle));
      const others = list.filter(({ cycle }) => !cycles.has(cycle));
      return [label, [...others, ...own].sort((a, b) => a.cycle - b.cycle)];
    }),
  );
}

/**
 * The rows at every `stride`-th cycle, of which means are taken: the newest cycles would weigh more otherwise.
 *
 * @returns the rows numbered without gaps, as what follows cycles of a run expects them
 */
export function evenly(rows: Rows, stride: number): Rows {
  if (stride === 1) return rows;
  return new Map(
    [...rows].map(([label, list]) => [
      label,
      list.filter(({ cycle }) => cycle % stride === 0).map((row) => ({ ...row, cycle: row.cycle / stride })),
    ]),
  );
}

/** @returns the rows at every `stride`-th cycle, with their own numbers */
export function thinnedTo(rows: Rows, stride: number): Rows {
  if (stride === 1) return rows;
  return new Map([...rows].map(([label, list]) => [label, list.filter(({ cycle }) => cycle % stride === 0)]));
}

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
