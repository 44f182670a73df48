/**
 * The stored cycles of a run, within stated bounds of memory and number, and the water on its way between two of them. When the bounds
 * are reached, older cycles thin out: the newest stay complete, the past stays reachable in ever larger strides, and the first is
 * never dropped. The motion between analyses is kept of the newest cycles only, within a share of the bound.
 */
import { leastMissed } from '../../../engine/index.ts';
import type { Kept, MethodSnapshot, Motion, Plane, Snapshot, StatePlanes } from '../../../engine/index.ts';

/** Memory of the stored planes, bytes: 512 MiB. */
export const DEFAULT_HISTORY_BYTES = 512 * 2 ** 20;

/**
 * Cycles that are stored at most, however small their planes are: each has objects beside its planes, and looking for the cycle
 * that is missed least takes longer with more of them.
 */
const MOST_STORED_CYCLES = 1024;

/** Share of the bound that motions may take. The newest stays even above it. */
export const MOTION_SHARE = 0.25;

interface HistoryOptions {
  /** Bytes that the planes may take; default `DEFAULT_HISTORY_BYTES`. The first and the newest snapshot stay even above it. */
  readonly limitBytes?: number;
  /** Called with each snapshot and each motion that is dropped, so that its buffers can be used again: `Run.release`. */
  readonly release?: (kept: Kept) => void;
}

/** The stored cycles, bounded in memory: older ones thin out when it is full. */
export interface StoredCycles {
  /** Ascending by cycle; −1 is the state before the first. */
  readonly snapshots: readonly Snapshot[];
  /** How the water moved to a cycle, by the cycle; of the newest. */
  readonly motions: ReadonlyMap<number, Motion>;
  readonly bytes: number;
  readonly limitBytes: number;
}

export interface History {
  /** @returns what is stored, which does not change with what is stored later */
  now(): StoredCycles;
  /** Stores a snapshot and the motion that leads to it; those of the same cycle are replaced. */
  add(snapshot: Snapshot, motion?: Motion): void;
  /** Drops a cycle and those after it, releasing each. */
  dropFrom(cycle: number): void;
  /** Drops, releasing each, all cycles but these and the newest. */
  keepOnly(cycles: ReadonlySet<number>): void;
  /** From now on the planes may take so many bytes, and those of motions their share of this or of other `motionBytes`. */
  limit(bytes: number, motionBytes?: number): void;
  /** Drops everything, releasing each. */
  clear(): void;
}

const ELEMENT_BYTES = 4;

function planesOf({ eta, hu, hv }: StatePlanes): Plane[] {
  return [eta, hu, hv];
}

function planesOfMethod({ forecast, analysis, spread, inflation }: MethodSnapshot): Plane[] {
  const beside = [spread, typeof inflation === 'object' ? inflation : undefined].filter((plane) => plane !== undefined);
  return [...planesOf(forecast), ...planesOf(analysis), ...beside];
}

/** Bytes of planes in memory, and of the device buffers that hold the others; each is counted once. */
function planeBytes(planes: readonly Plane[]): number {
  const buffers = new Set(planes.flatMap((plane) => (plane.kind === 'device' ? [plane.buffer] : [])));
  const inMemory = planes.reduce((sum, plane) => sum + (plane.kind === 'host' ? plane.values.byteLength : 0), 0);
  return [...buffers].reduce((sum, { size }) => sum + size, inMemory);
}

/** Bytes of a motion's planes. */
function motionBytes({ surfaces }: Motion): number {
  return planeBytes(surfaces.flatMap(({ frames }) => frames.map(({ eta }) => eta)));
}

/** Bytes of a snapshot's planes; of those in device buffers their buffers, each counted once. */
export function snapshotBytes({ truth, methods, observations }: Snapshot): number {
  const planes = [...planesOf(truth), ...methods.flatMap(planesOfMethod)];
  const numbers = observations.x.length * (ELEMENT_BYTES + Object.keys(observations.innovations).length);
  return planeBytes(planes) + 2 * ELEMENT_BYTES * numbers;
}

export function createHistory({ limitBytes: first = DEFAULT_HISTORY_BYTES, release }: HistoryOptions = {}): History {
  let limitBytes = first;
  let limitOfMotions = MOTION_SHARE * first;
  /** Ascending by cycle. */
  const entries: { readonly snapshot: Snapshot; readonly bytes: number }[] = [];
  const motions = new Map<number, Motion>();
  let bytes = 0;
  let bytesOfMotions = 0;

  const removeMotion = (cycle: number): void => {
    const dropped = motions.get(cycle);
    if (!dropped) return;
    motions.delete(cycle);
    bytes -= motionBytes(dropped);
    bytesOfMotions -= motionBytes(dropped);
    release?.(dropped);
  };
  const remove = (index: number): void => {
    const [dropped] = entries.splice(index, 1);
    bytes -= dropped.bytes;
    removeMotion(dropped.snapshot.cycle);
    release?.(dropped.snapshot);
  };
  const addMotion = (motion: Motion): void => {
    const size = motionBytes(motion);
    motions.set(motion.cycle, motion);
    bytes += size;
    bytesOfMotions += size;
    thinMotions(motion.cycle);
  };
  /** The oldest go, but for one. */
  const thinMotions = (kept: number): void => {
    for (const cycle of [...motions.keys()].sort((a, b) => a - b)) {
      if (bytesOfMotions <= limitOfMotions) break;
      if (cycle !== kept) removeMotion(cycle);
    }
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
  const makeRoom = (): void => {
    while (entries.length > 2) {
      if (bytes <= limitBytes && entries.length <= MOST_STORED_CYCLES) return;
      remove(leastMissed(entries.map(({ snapshot }) => snapshot.cycle)));
    }
  };

  return {
    now: () => ({
      snapshots: entries.map(({ snapshot }) => snapshot),
      motions: new Map(motions),
      bytes,
      limitBytes,
    }),
    add(snapshot, motion) {
      const position = positionOf(snapshot.cycle);
      if (entries[position]?.snapshot.cycle === snapshot.cycle) remove(position);
      const size = snapshotBytes(snapshot);
      entries.splice(position, 0, { snapshot, bytes: size });
      bytes += size;
      if (motion) addMotion(motion);
      makeRoom();
    },
    dropFrom(cycle) {
      const first = positionOf(cycle);
      while (entries.length > first) remove(entries.length - 1);
    },
    keepOnly(cycles) {
      for (let index = entries.length - 2; index >= 0; index--) {
        if (!cycles.has(entries[index].snapshot.cycle)) remove(index);
      }
    },
    limit(bytes, motionBytes = bytes) {
      limitBytes = bytes;
      limitOfMotions = MOTION_SHARE * motionBytes;
      thinMotions(Math.max(...motions.keys()));
      makeRoom();
    },
    clear() {
      while (entries.length > 0) remove(entries.length - 1);
    },
  };
}

export interface Transit {
  readonly from: Snapshot;
  readonly to: Snapshot;
  readonly motion: Motion;
  /** When it began, ms of `performance.now()`. */
  readonly begun: number;
  /** Duration of the whole way, and of its end in which the analysis is shown, ms. */
  readonly duration: number;
  readonly analysis: number;
  /** Whether the increment lights up. */
  readonly flashes: boolean;
}

/** The analysis takes this long on the screen, ms, and at higher speeds this share of the way. */
const ANALYSIS_MILLISECONDS = 700;
const ANALYSIS_SHARE = 0.35;
/** No more than three flashes a second may be shown to anybody (WCAG 2.3.1): from here on, ms a cycle, none are. */
const LEAST_FLASHING = 400;

/**
 * @param duration of the way, ms
 * @param now ms of `performance.now()`
 * @returns the way between two stored cycles; undefined where one does not follow on the other, or its motion is not kept
 */
export function transitBetween(
  from: Snapshot | undefined,
  to: Snapshot | undefined,
  motion: Motion | undefined,
  duration: number,
  now: number,
): Transit | undefined {
  if (!from || !to || !motion || to.cycle !== from.cycle + 1 || motion.cycle !== to.cycle) return undefined;
  return {
    from,
    to,
    motion,
    begun: now,
    duration,
    analysis: Math.min(ANALYSIS_MILLISECONDS, ANALYSIS_SHARE * duration),
    flashes: duration >= LEAST_FLASHING,
  };
}
