/**
 * The stored cycles of a session, within a stated bound of memory. When it is full, older cycles thin out: the newest stay
 * complete, the past stays reachable in ever larger strides, and the first is never dropped.
 */
import type { MethodSnapshot, Plane, Snapshot, StatePlanes } from './session.ts';

/** Memory of the stored planes, bytes: 512 MiB. */
export const DEFAULT_HISTORY_BYTES = 512 * 2 ** 20;

export interface HistoryOptions {
  /** Bytes that the planes may take; default `DEFAULT_HISTORY_BYTES`. The first and the newest snapshot stay even above it. */
  readonly limitBytes?: number;
  /** Called with each snapshot that is dropped, so that its buffers can be used again: `session.release`. */
  readonly release?: (snapshot: Snapshot) => void;
}

export interface History {
  readonly limitBytes: number;
  readonly bytes: number;
  /** Stored cycles, ascending; −1 is the state before the first. */
  readonly cycles: readonly number[];
  readonly newest: Snapshot | undefined;
  /** Stores a snapshot; one of the same cycle is replaced. */
  add(snapshot: Snapshot): void;
  /** The snapshot of exactly this cycle. */
  at(cycle: number): Snapshot | undefined;
  /** The stored snapshot nearest to a cycle, the earlier of two. */
  nearest(cycle: number): Snapshot | undefined;
  /** Drops everything, releasing each. */
  clear(): void;
}

const ELEMENT_BYTES = 4;

function planesOf({ eta, hu, hv }: StatePlanes): Plane[] {
  return [eta, hu, hv];
}

function planesOfMethod({ forecast, analysis, spread }: MethodSnapshot): Plane[] {
  return [...planesOf(forecast), ...planesOf(analysis), ...(spread ? [spread] : [])];
}

/** Bytes of a snapshot's planes; of those in device buffers their buffers, each counted once. */
export function snapshotBytes({ truth, methods, observations }: Snapshot): number {
  const planes = [...planesOf(truth), ...methods.flatMap(planesOfMethod)];
  const buffers = new Set(planes.flatMap((plane) => (plane.kind === 'device' ? [plane.buffer] : [])));
  const inMemory = planes.reduce((sum, plane) => sum + (plane.kind === 'host' ? plane.values.byteLength : 0), 0);
  const numbers = observations.x.length * (ELEMENT_BYTES + Object.keys(observations.innovations).length);
  return [...buffers].reduce((sum, { size }) => sum + size, inMemory) + 2 * ELEMENT_BYTES * numbers;
}

export function createHistory({ limitBytes = DEFAULT_HISTORY_BYTES, release }: HistoryOptions = {}): History {
  /** Ascending by cycle. */
  const entries: { readonly snapshot: Snapshot; readonly bytes: number }[] = [];
  let bytes = 0;

  const remove = (index: number): void => {
    const [dropped] = entries.splice(index, 1);
    bytes -= dropped.bytes;
    release?.(dropped.snapshot);
  };
  /** Position of the first entry at or after a cycle. */
  const positionOf = (cycle: number): number => {
    let low = 0;
    let high = entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (entries[middle].snapshot.cycle < cycle) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  /** Of the older half, the entry whose absence leaves the smallest gap; the oldest of several. */
  const leastMissed = (): number => {
    const last = Math.max(1, Math.floor(entries.length / 2));
    let found = 1;
    let smallest = Infinity;
    for (let i = 1; i <= last && i < entries.length - 1; i++) {
      const gap = entries[i + 1].snapshot.cycle - entries[i - 1].snapshot.cycle;
      if (gap < smallest) [found, smallest] = [i, gap];
    }
    return found;
  };

  const makeRoom = (): void => {
    while (entries.length > 2) {
      if (bytes <= limitBytes) return;
      remove(leastMissed());
    }
  };

  return {
    limitBytes,
    get bytes() {
      return bytes;
    },
    get cycles() {
      return entries.map(({ snapshot }) => snapshot.cycle);
    },
    get newest() {
      return entries.at(-1)?.snapshot;
    },
    add(snapshot) {
      const position = positionOf(snapshot.cycle);
      if (entries[position]?.snapshot.cycle === snapshot.cycle) remove(position);
      const size = snapshotBytes(snapshot);
      entries.splice(position, 0, { snapshot, bytes: size });
      bytes += size;
      makeRoom();
    },
    at(cycle) {
      const found = entries[positionOf(cycle)]?.snapshot;
      return found?.cycle === cycle ? found : undefined;
    },
    nearest(cycle) {
      const position = positionOf(cycle);
      const [before, after] = [entries[position - 1]?.snapshot, entries[position]?.snapshot];
      if (!before || !after) return before ?? after;
      return cycle - before.cycle <= after.cycle - cycle ? before : after;
    },
    clear() {
      while (entries.length > 0) remove(entries.length - 1);
    },
  };
}
