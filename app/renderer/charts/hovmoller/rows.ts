/**
 * What stored cycles tell of a ring, a row a cycle: of the truth, and of each method its mean after the analysis. They are asked
 * for once and kept as long as the cycle is stored.
 */
import type { Snapshot } from '../../session/session.ts';
import { TRUTH } from '../../state/method-style.ts';
import { requestsFor } from '../../values/plane-reader.ts';
import type { Answer, Enquiry, Numbers, PlaneNumbers, PlaneReader } from '../../values/plane-reader.ts';

/** Cycles in one question, the newest first: a long history arrives in parts. */
const MOST_CYCLES = 64;

/** Numbers of a cycle by place, of each subject. */
export interface RingRow {
  readonly cycle: number;
  readonly bySubject: ReadonlyMap<string, PlaneNumbers>;
}

export interface RingRows {
  /** @returns what is known so far of the stored cycles, ascending; what is missing is on its way */
  at(snapshots: readonly Snapshot[]): readonly RingRow[];
  close(): void;
}

function planesOf({ truth, methods }: Snapshot) {
  return [[TRUTH, truth.eta] as const, ...methods.map(({ method, analysis }) => [method, analysis.eta] as const)];
}

function rowOf(snapshot: Snapshot, numbers: Numbers): RingRow | undefined {
  const bySubject = new Map<string, PlaneNumbers>();
  for (const [subject, plane] of planesOf(snapshot)) {
    const values = numbers(plane);
    if (!values) return undefined;
    bySubject.set(subject, values);
  }
  return { cycle: snapshot.cycle, bySubject };
}

/** @param onArrival `at` tells more now */
export function openRingRows(reader: PlaneReader, onArrival: () => void): RingRows {
  let known = new Map<Snapshot, RingRow>();
  const learn = ({ subject, numbers }: Answer<readonly Snapshot[]>): void => {
    for (const snapshot of subject) {
      const row = rowOf(snapshot, numbers);
      if (row) known.set(snapshot, row);
    }
  };
  const enquiry: Enquiry<readonly Snapshot[]> = reader.open({
    onAnswer(answer) {
      learn(answer);
      onArrival();
    },
  });
  return {
    at(snapshots) {
      known = new Map(
        snapshots.flatMap((snapshot) => {
          const row = known.get(snapshot);
          return row ? [[snapshot, row] as const] : [];
        }),
      );
      // In memory every answer is there at once; of what lies elsewhere the newest cycles are asked for first.
      for (let missing = snapshots.filter((each) => !known.has(each)); missing.length > 0;) {
        const asked = missing.slice(-MOST_CYCLES);
        const answer = enquiry.ask(
          asked,
          requestsFor(asked.flatMap((each) => planesOf(each).map(([, plane]) => plane))),
        );
        if (answer?.subject !== asked) break;
        learn(answer);
        const left = missing.filter((each) => !known.has(each));
        if (left.length === missing.length) break;
        missing = left;
      }
      return snapshots.flatMap((snapshot) => known.get(snapshot) ?? []);
    },
    close: () => enquiry.close(),
  };
}
