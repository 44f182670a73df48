/**
 * What the stored cycles of an opened run have of its probes: truth, means and members in their cells, of all cycles, also those
 * that memory has no room for. A plane is packed as a whole, so that it takes as long as to read them all: it is done cycle by cycle,
 * beside the page, for as long as a probe is pinned, and whatever has been read is there at once.
 */
import { effect, signal, untracked } from '@preact/signals';
import type { StoredCell } from '../../../engine/index.ts';
import { PlaybackEnded, type RecordedCycles, type RecordedSource } from './recorded-cycles.ts';

/** Shortest interval between reports of what was read, ms: each time the charts are drawn. */
const TELL_MILLISECONDS = 250;

/** What has been read so far. */
export interface StoredCellSeries {
  /** By cell y·nx + x, of each by cycle. */
  readonly cells: ReadonlyMap<number, ReadonlyMap<number, StoredCell>>;
  /** Cycles that have to be read for these cells, and that were, those that cannot be read among them. */
  readonly wanted: number;
  readonly done: number;
  /** Those that cannot be read. */
  readonly unreadable: number;
}

const NOTHING: StoredCellSeries = { cells: new Map(), wanted: 0, done: 0, unreadable: 0 };

function within(place: number, cells: number): number {
  return Math.min(cells - 1, Math.max(0, Math.round(place)));
}

/** @returns the index y·nx + x of the nearest cell to a place */
export function cellAt(
  { x, y }: { readonly x: number; readonly y: number },
  { nx, ny }: { readonly nx: number; readonly ny: number },
): number {
  return within(y, ny) * nx + within(x, nx);
}

/** @param cells of the pinned probes, followed */
export function createStoredCells(
  { source, cycles, loaded, isReadAhead }: Pick<RecordedCycles, 'source' | 'cycles' | 'loaded' | 'isReadAhead'>,
  cells: () => readonly number[],
  now: () => number = () => performance.now(),
) {
  const series = signal(NOTHING);
  let of: RecordedSource | undefined;
  let wantedCells: readonly number[] = [];
  const known = new Map<number, Map<number, StoredCell>>();
  const unreadable = new Set<number>();
  let isReading = false;

  /** Whether a cycle is to be read: cycles in memory without members need no reading. */
  function isWanted(cycle: number): boolean {
    if (!of || unreadable.has(cycle)) return false;
    return of.members.length > 0 || !loaded.peek().some((snapshot) => snapshot.cycle === cycle);
  }
  const missingIn = (cycle: number): number[] => wantedCells.filter((cell) => !known.get(cell)?.has(cycle));
  const nextCycle = (): number | undefined =>
    isReadAhead.peek() ? cycles.peek().find((cycle) => isWanted(cycle) && missingIn(cycle).length > 0) : undefined;

  function tell(): void {
    const all =
      wantedCells.length === 0 ? [] : cycles.peek().filter((cycle) => isWanted(cycle) || unreadable.has(cycle));
    const done = all.filter((cycle) => unreadable.has(cycle) || missingIn(cycle).length === 0).length;
    series.value = {
      cells: new Map(wantedCells.map((cell) => [cell, new Map(known.get(cell))])),
      wanted: all.length,
      done,
      unreadable: unreadable.size,
    };
  }

  function take(asked: readonly number[], cycle: number, found: readonly StoredCell[]): void {
    found.forEach((each, index) => {
      const ofCell = known.get(asked[index]) ?? new Map<number, StoredCell>();
      known.set(asked[index], ofCell.set(cycle, each));
    });
  }

  async function readAll(): Promise<void> {
    if (isReading) return;
    isReading = true;
    let told = now();
    for (let cycle = nextCycle(); cycle !== undefined; cycle = nextCycle()) {
      const [from, asked] = [of, missingIn(cycle)];
      if (!from) break;
      try {
        const found = await from.readCells(cycle, asked);
        if (from === of) take(asked, cycle, found);
      } catch (error) {
        if (from !== of) continue;
        if (error instanceof PlaybackEnded) break;
        unreadable.add(cycle);
      }
      if (now() - told < TELL_MILLISECONDS) continue;
      told = now();
      tell();
    }
    isReading = false;
    tell();
  }

  const dispose = effect(() => {
    const [next, isDue, there] = [source.value, isReadAhead.value, new Set(cycles.value)];
    const asked = [...new Set(cells())];
    untracked(() => {
      if (next !== of) {
        of = next;
        known.clear();
        unreadable.clear();
      }
      wantedCells = next ? asked : [];
      for (const [cell, ofCell] of known) {
        if (!wantedCells.includes(cell)) known.delete(cell);
        // The run has computed it again.
        for (const cycle of ofCell.keys()) if (!there.has(cycle)) ofCell.delete(cycle);
      }
      if (isDue && wantedCells.length > 0) void readAll();
      else if (series.peek() !== NOTHING) tell();
    });
  });

  return { series, dispose };
}
