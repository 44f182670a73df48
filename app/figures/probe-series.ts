/**
 * Time series at a pinned point: truth, members, mean and observations. What stored cycles have of the point is asked for once a
 * cycle, a number a plane, and kept as long as the cycle is stored.
 */
import { formatRanges, sortedQuantile } from '../../engine/index.ts';
import type { CellObservations, ProbeReading, Snapshot } from '../../engine/index.ts';
import type { RecordedSource } from '../document/run/recorded-cycles.ts';
import type { StoredCellSeries } from '../document/run/stored-cells.ts';
import type { BandPoint, ErrorBar } from '../plot/layout.ts';
import type { Point } from '../plot/scales.ts';
import { requestsFor } from '../document/values/plane-reader.ts';
import type { Answer, Enquiry, Numbers, PlaneReader, PlaneRequest } from '../document/values/plane-reader.ts';

/** Observations of surface height, or of x on a ring, within half a cell of a point; depth is turned into height with the bed there. */
const SHOWN = new Set(['h', 'eta', 'x']);

/** A cycle with its observations, of which those in a cell may be all that is known. */
interface ObservedCycle {
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

interface MemberSeries {
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

/** Cycles in one question, the newest first: a long history arrives in parts. */
const MOST_CYCLES = 64;

interface StoredReadings {
  /**
   * @param recorded cycles that need not be asked for
   * @returns what is known so far of the stored cycles, ascending; what is missing is on its way
   */
  at(snapshots: readonly Snapshot[], recorded: ReadonlySet<number>): readonly ProbeReading[];
  close(): void;
}

function requestsOf(snapshots: readonly Snapshot[], cell: number): readonly PlaneRequest[] {
  const planes = snapshots.flatMap(({ truth, methods }) => [
    truth.eta,
    ...methods.flatMap(({ forecast, analysis }) => [forecast.eta, analysis.eta]),
  ]);
  return requestsFor(planes, [cell]);
}

function readingOf({ cycle, timeSeconds, truth, methods }: Snapshot, cell: number, numbers: Numbers): ProbeReading {
  const at = (plane: Snapshot['truth']['eta']): number => numbers(plane)?.[cell] ?? Number.NaN;
  const byMethod = methods.map(({ method, forecast, analysis }) => {
    const means = { forecast: at(forecast.eta), analysis: at(analysis.eta), members: new Float32Array() };
    return [method, means] as const;
  });
  return { cycle, timeSeconds, truth: at(truth.eta), methods: Object.fromEntries(byMethod) };
}

/** @param onArrival `at` has more now */
export function openStoredReadings(reader: PlaneReader, cell: number, onArrival: () => void): StoredReadings {
  let known = new Map<Snapshot, ProbeReading>();
  const learn = ({ subject, numbers }: Answer<readonly Snapshot[]>): void => {
    for (const snapshot of subject) known.set(snapshot, readingOf(snapshot, cell, numbers));
  };
  const enquiry: Enquiry<readonly Snapshot[]> = reader.open({
    onAnswer(answer) {
      learn(answer);
      onArrival();
    },
  });
  return {
    at(snapshots, recorded) {
      known = new Map(
        snapshots.flatMap((snapshot) => {
          const reading = known.get(snapshot);
          return reading ? [[snapshot, reading] as const] : [];
        }),
      );
      for (;;) {
        const missing = snapshots.filter((snapshot) => !known.has(snapshot) && !recorded.has(snapshot.cycle));
        if (missing.length === 0) break;
        const asked = missing.slice(-MOST_CYCLES);
        const answer = enquiry.ask(asked, requestsOf(asked, cell));
        if (answer?.subject !== asked) break;
        learn(answer);
      }
      return snapshots.flatMap((snapshot) => known.get(snapshot) ?? []);
    },
    close: () => enquiry.close(),
  };
}
