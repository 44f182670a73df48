/** Time series at a pinned point: truth, members, mean and observations. */
import { formatRanges, sortedQuantile, type CellObservations, type ProbeReading } from '../../engine/index.ts';
import type { RecordedSource } from '../document/run/recorded-cycles.ts';
import type { StoredCellSeries } from '../document/run/stored-cells.ts';
import type { BandPoint, ErrorBar } from '../plot/layout.ts';
import type { Point } from '../plot/decimate.ts';

/** Observations of surface height, or of x on a ring, within half a cell of a point; depth is turned into height with the bed there. */
const SHOWN = new Set(['h', 'eta', 'x']);

/** A cycle with its observations, of which those in a cell may be all that is known. */
export interface ObservedCycle {
  readonly cycle: number;
  readonly observations: CellObservations;
}

export function observationsAt(
  snapshots: readonly ObservedCycle[],
  { x, y }: { readonly x: number; readonly y: number },
  bed: number,
): ErrorBar[] {
  return snapshots.flatMap(({ cycle, observations }) => {
    const found: ErrorBar[] = [];
    for (let index = 0; index < observations.x.length; index++) {
      const variable = observations.variable[index];
      const inverse = observations.inverseErrorStd[index];
      const near = Math.abs(observations.x[index] - x) <= 0.5 && Math.abs(observations.y[index] - y) <= 0.5;
      if (!near || !(inverse > 0) || !SHOWN.has(variable)) continue;
      const value = observations.values[index];
      found.push({ x: cycle, y: variable === 'h' ? value + bed : value, deviation: 1 / inverse });
    }
    return found;
  });
}

/** More members are drawn as a band. */
const MOST_MEMBER_LINES = 40;

export interface MemberSeries {
  /** A line for each member, where they are few. */
  readonly bundle: readonly (readonly Point[])[];
  /** From the 5th to the 95th percentile. */
  readonly band: readonly BandPoint[];
}

export function membersAt(readings: readonly ProbeReading[], method: string): MemberSeries {
  const rows = readings.flatMap(({ cycle, methods }) => {
    const members = Object.hasOwn(methods, method) ? methods[method].members : undefined;
    return members === undefined || members.length < 2 ? [] : [{ cycle, members }];
  });
  const known = knownMembers(rows.map(({ members }) => members));
  if (known.length <= MOST_MEMBER_LINES) {
    const bundle = known.map((member) =>
      rows.map(({ cycle, members }) => ({ x: cycle, y: members[member] ?? Number.NaN })),
    );
    return { bundle, band: [] };
  }
  const band = rows.map(({ cycle, members }) => {
    const sorted = members.filter((value) => !Number.isNaN(value)).sort();
    return { x: cycle, low: sortedQuantile(sorted, 0.05), high: sortedQuantile(sorted, 0.95) };
  });
  return { bundle: [], band };
}

/** @returns the numbers of all members that occur, ascending; NaN represents one that was not kept */
export function knownMembers(readings: readonly Float32Array[]): readonly number[] {
  const count = Math.max(0, ...readings.map(({ length }) => length));
  return Array.from({ length: count }, (_, member) => member).filter((member) =>
    readings.some((members) => member < members.length && !Number.isNaN(members[member])),
  );
}

/** Recorded readings in place of what snapshots have of the same cycles, by ascending cycle. */
export function mergeReadings(
  fromSnapshots: readonly ProbeReading[],
  recorded: readonly ProbeReading[],
): readonly ProbeReading[] {
  if (recorded.length === 0) return fromSnapshots;
  const byCycle = new Map(fromSnapshots.map((reading) => [reading.cycle, reading]));
  for (const reading of recorded) byCycle.set(reading.cycle, reading);
  return [...byCycle.values()].sort((a, b) => a.cycle - b.cycle);
}

/** @returns what was observed by cycle: from cycles in memory, and in the cell of others */
export function observedCycles(
  snapshots: readonly ObservedCycle[],
  stored: ReadonlyMap<number, { readonly observations: CellObservations }>,
): readonly ObservedCycle[] {
  const inMemory = new Set(snapshots.map(({ cycle }) => cycle));
  const others = [...stored].filter(([cycle]) => !inMemory.has(cycle));
  const found = [...snapshots, ...others.map(([cycle, { observations }]) => ({ cycle, observations }))];
  return found.sort((a, b) => a.cycle - b.cycle);
}

type Progress = Pick<StoredCellSeries, 'wanted' | 'done' | 'unreadable'>;

/** What a probe says of the cycles in the file of an opened run. @returns which members there are of cycles in the file, how far it is read, and what cannot be read */
export function storedCellsText(
  { file, members }: Pick<RecordedSource, 'file' | 'members'>,
  progress: Progress,
): string {
  const { wanted, done, unreadable } = progress;
  const sentences = [
    members.length > 0
      ? `Of cycles in ${file} there are the members ${formatRanges(members)}.`
      : `The run kept no members in ${file}: of its cycles there are truth and means.`,
    done < wanted && `Read so far: ${done} of ${wanted} cycles.`,
    unreadable > 0 && `${unreadable === 1 ? 'One cycle' : `${unreadable} cycles`} cannot be read.`,
  ];
  return sentences.filter(Boolean).join(' ');
}
