/**
 * What stored cycles have of a point: truth and means. It is asked for once a cycle, a number a plane, and kept as long as
 * the cycle is stored.
 */
import type { ProbeReading, Snapshot } from '../../engine/index.ts';
import { requestsFor } from '../document/values/plane-reader.ts';
import type { Answer, Enquiry, Numbers, PlaneReader, PlaneRequest } from '../document/values/plane-reader.ts';

/** Cycles in one question, the newest first: a long history arrives in parts. */
const MOST_CYCLES = 64;

export interface StoredReadings {
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
