/**
 * All rows of a run in Blobs, which the browser keeps outside the page's heap and moves to the disk: memory stays flat however
 * long a run is. Rows are written in blocks of cycles, as the lines of `diagnostics.csv`.
 */
import { formatDiagnostics, parseDiagnostics, type CycleDiagnostics } from '../../../engine/index.ts';

/** Cycles that a block covers. */
export const BLOCK_CYCLES = 128;

interface Block {
  /** Its first cycle, a multiple of `BLOCK_CYCLES`. */
  readonly from: number;
  readonly text: Blob;
  /** Rows of this cycle and later ones have been replaced. */
  readonly before: number;
}

export interface RowArchive {
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

export function createRowArchive(): RowArchive {
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
