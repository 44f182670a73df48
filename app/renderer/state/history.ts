/** The stored cycles of a run, bounded in memory: what is past the bound is forgotten, oldest first. */
import type { Plane, Snapshot, StatePlanes } from '../session/session.ts';

/** What the stored cycles may hold in memory, bytes, unless a preference says otherwise. */
export const DEFAULT_HISTORY_BYTES = 512 * 2 ** 20;

/** An immutable sequence of snapshots in cycle order. */
export interface History {
  readonly snapshots: readonly Snapshot[];
  readonly bytes: number;
  readonly limitBytes: number;
  /** Cycles that were forgotten to stay within the limit. */
  readonly forgotten: number;
}

export function emptyHistory(limitBytes: number = DEFAULT_HISTORY_BYTES): History {
  return { snapshots: [], bytes: 0, limitBytes, forgotten: 0 };
}

/** @returns bytes of the memory that a snapshot's planes hold on this side; those on the device are as large */
export function snapshotBytes({ truth, methods, observations }: Snapshot, cells: number): number {
  const planeBytes = (plane: Plane | undefined): number => {
    if (!plane) return 0;
    return plane.kind === 'host' ? plane.values.byteLength : cells * Float32Array.BYTES_PER_ELEMENT;
  };
  const stateBytes = ({ eta, hu, hv }: StatePlanes): number => planeBytes(eta) + planeBytes(hu) + planeBytes(hv);
  const ofMethods = methods.map(
    ({ analysis, forecast, spread }) => stateBytes(analysis) + stateBytes(forecast) + planeBytes(spread),
  );
  const { x, y, values, inverseDeviation, network, innovations } = observations;
  const ofObservations = [x, y, values, inverseDeviation, network, ...Object.values(innovations)];
  return (
    stateBytes(truth) +
    ofMethods.reduce((sum, bytes) => sum + bytes, 0) +
    ofObservations.reduce((sum, array) => sum + array.byteLength, 0)
  );
}

/**
 * Appends a cycle, or replaces what is stored of it and forgets all after it (a run that goes on from there anew).
 * The newest snapshot is always kept, whatever its size.
 */
export function remember(history: History, snapshot: Snapshot, cells: number): History {
  const { limitBytes } = history;
  const before = history.snapshots.filter(({ cycle }) => cycle < snapshot.cycle);
  const kept = [...before, snapshot];
  const sizes = kept.map((each) => snapshotBytes(each, cells));
  let bytes = sizes.reduce((sum, size) => sum + size, 0);
  let first = 0;
  while (bytes > limitBytes && first < kept.length - 1) {
    bytes -= sizes[first];
    first += 1;
  }
  return {
    snapshots: first === 0 ? kept : kept.slice(first),
    bytes,
    limitBytes,
    forgotten: history.forgotten + first,
  };
}

/** @returns the snapshot of that cycle, or of the nearest stored one */
export function snapshotAt({ snapshots }: History, cycle: number): Snapshot | undefined {
  let nearest: Snapshot | undefined;
  for (const snapshot of snapshots) {
    if (!nearest || Math.abs(snapshot.cycle - cycle) < Math.abs(nearest.cycle - cycle)) nearest = snapshot;
  }
  return nearest;
}
