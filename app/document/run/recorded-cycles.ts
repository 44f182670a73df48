/**
 * Cycles of the run on screen that are stored in a file and are read as they are wanted. Those that were read are kept within a stated
 * bound of memory: while there is room all of them are read ahead, one after the other; then what was shown longest ago goes.
 */
import { batch, computed, signal } from '@preact/signals';
import { snapshotBytes } from './history.ts';
import type { Snapshot, StoredCell } from '../../../engine/index.ts';

/** The worker is there no more, or what reads HDF5 for it: nothing more can be read. */
export class PlaybackEnded extends Error {
  override readonly name = 'PlaybackEnded';
}

/** Memory of the planes that were read, bytes: 128 MiB. The cycle on screen stays even above it. */
const RECORDED_BYTES = 128 * 2 ** 20;

export interface RecordedSource {
  /** Ascending. */
  readonly cycles: readonly number[];
  /** Every so many cycles the run kept one. */
  readonly every: number;
  /** Members that were kept beside the means. */
  readonly members: readonly number[];
  /** Name of the file. */
  readonly file: string;
  read(cycle: number): Promise<Snapshot>;
  /** Truth, means and members at cells, index y·nx + x. */
  readCells(cycle: number, cells: readonly number[]): Promise<readonly StoredCell[]>;
  /** Called with a cycle that cannot be read, and why. */
  onFailure(cycle: number, error: unknown): void;
  close(): void;
}

interface Read {
  readonly snapshot: Snapshot;
  readonly bytes: number;
}

const NO_CYCLES: readonly number[] = [];
const NO_SNAPSHOTS: readonly Snapshot[] = [];

/** @param limitBytes that the planes may take */
export function createRecordedCycles(limitBytes = RECORDED_BYTES) {
  const source = signal<RecordedSource | undefined>(undefined);
  /** Ascending; without those that turned out to be unreadable, and those that the run has computed again. */
  const cycles = signal(NO_CYCLES);
  /** Those that cannot be read. */
  const unreadable = signal(NO_CYCLES);
  /** Whether all that there is room for has been read ahead. */
  const isReadAhead = signal(false);
  /** In memory, ascending. */
  const loaded = signal(NO_SNAPSHOTS);
  /** The same by cycle; what was used last comes last. */
  const read = new Map<number, Read>();
  const underway = new Map<number, Promise<Snapshot | undefined>>();
  let bytes = 0;
  /** On screen. */
  let pinned: number | undefined;
  const known = computed<ReadonlySet<number>>(() => new Set(cycles.value));

  const tellLoaded = (): void => {
    loaded.value = [...read.values()].map(({ snapshot }) => snapshot).sort((a, b) => a.cycle - b.cycle);
  };
  const drop = (cycle: number): void => {
    bytes -= read.get(cycle)?.bytes ?? 0;
    read.delete(cycle);
  };
  const take = (snapshot: Snapshot): void => {
    const size = snapshotBytes(snapshot);
    drop(snapshot.cycle);
    read.set(snapshot.cycle, { snapshot, bytes: size });
    bytes += size;
    for (const cycle of read.keys()) {
      if (bytes <= limitBytes) break;
      if (cycle !== snapshot.cycle && cycle !== pinned) drop(cycle);
    }
    tellLoaded();
  };

  async function readFrom(of: RecordedSource, cycle: number): Promise<Snapshot | undefined> {
    try {
      const snapshot = await of.read(cycle);
      // Of a run that has left the screen, or of a cycle that was computed again, it is of no use.
      if (of !== source.peek() || !known.peek().has(cycle)) return undefined;
      take(snapshot);
      return snapshot;
    } catch (error) {
      if (of !== source.peek()) return undefined;
      batch(() => {
        cycles.value = cycles.peek().filter((each) => each !== cycle);
        unreadable.value = [...unreadable.peek(), cycle].sort((a, b) => a - b);
      });
      of.onFailure(cycle, error);
      return undefined;
    } finally {
      underway.delete(cycle);
    }
  }

  /** @returns the cycle; undefined where it is not recorded, or cannot be read, which was reported then */
  function bring(cycle: number): Promise<Snapshot | undefined> {
    const there = at(cycle);
    const of = source.peek();
    if (there || !of || !known.peek().has(cycle)) return Promise.resolve(there);
    const reading = underway.get(cycle) ?? readFrom(of, cycle);
    underway.set(cycle, reading);
    return reading;
  }

  /** @returns the cycle where it is in memory, which it stays a while then */
  function at(cycle: number): Snapshot | undefined {
    const found = read.get(cycle);
    if (!found) return undefined;
    read.delete(cycle);
    read.set(cycle, found);
    return found.snapshot;
  }

  /** Reads while there is room. */
  async function readAhead(of: RecordedSource): Promise<void> {
    let largest = 0;
    for (const cycle of of.cycles) {
      if (of !== source.peek() || bytes + largest > limitBytes) return;
      if (read.has(cycle)) continue;
      const snapshot = await bring(cycle);
      if (snapshot) largest = Math.max(largest, snapshotBytes(snapshot));
    }
  }

  function clear(): void {
    const before = source.peek();
    batch(() => {
      source.value = undefined;
      isReadAhead.value = false;
      cycles.value = NO_CYCLES;
      unreadable.value = NO_CYCLES;
      read.clear();
      underway.clear();
      bytes = 0;
      pinned = undefined;
      loaded.value = NO_SNAPSHOTS;
    });
    before?.close();
  }

  return {
    source,
    cycles,
    unreadable,
    isReadAhead,
    loaded,
    has: (cycle: number): boolean => known.value.has(cycle),
    at,
    bring,
    /** Keeps the cycle that is on screen in memory; undefined where it is none of these. */
    pin(cycle: number | undefined): void {
      pinned = cycle;
    },
    attach(next: RecordedSource): void {
      clear();
      batch(() => {
        source.value = next;
        cycles.value = next.cycles;
      });
      void readAhead(next).then(() => {
        if (next === source.peek()) isReadAhead.value = true;
      });
    },
    /** The run has computed a cycle itself: what was recorded of it and of later ones is of another course. */
    dropFrom(first: number): void {
      if ((cycles.peek().at(-1) ?? -Infinity) < first) return;
      batch(() => {
        cycles.value = cycles.peek().filter((cycle) => cycle < first);
        unreadable.value = unreadable.peek().filter((cycle) => cycle < first);
        for (const cycle of read.keys()) if (cycle >= first) drop(cycle);
        tellLoaded();
      });
      if (cycles.peek().length === 0) clear();
    },
    clear,
  };
}

export type RecordedCycles = ReturnType<typeof createRecordedCycles>;
