/**
 * What stored cycles have of a ring, a row a cycle: of the truth, and of each method, those of branches among them, its mean after
 * the analysis. They are asked for once and kept as long as the cycle is stored.
 */
import { truthOf, type ShownSnapshot } from '../../document/lines/shown.ts';
import { TRUTH } from '../../document/views/method-style.ts';
import { requestsFor } from '../../document/values/plane-reader.ts';
import type { Answer, Enquiry, Numbers, PlaneNumbers, PlaneReader } from '../../document/values/plane-reader.ts';

/** Cycles in one question, the newest first: a long history arrives in parts. */
const MOST_CYCLES = 64;

/** Numbers of a cycle by place, of each subject. */
export interface RingRow {
  readonly cycle: number;
  readonly bySubject: ReadonlyMap<string, PlaneNumbers>;
}

export interface RingRows {
  /** @returns what is known so far of the stored cycles, ascending; what is missing is on its way */
  at(snapshots: readonly ShownSnapshot[]): readonly RingRow[];
  close(): void;
}

function planesOf({ truth, methods }: ShownSnapshot) {
  return [
    [TRUTH, truth.eta] as const,
    ...methods.map(({ method, analysis }) => [method, analysis.eta] as const),
    // A branch has a truth of its own.
    ...methods.flatMap((shown) => (shown.truth ? [[truthOf(shown.method), shown.truth.eta] as const] : [])),
  ];
}

function rowOf(snapshot: ShownSnapshot, numbers: Numbers): RingRow | undefined {
  const bySubject = new Map<string, PlaneNumbers>();
  for (const [subject, plane] of planesOf(snapshot)) {
    const values = numbers(plane);
    if (!values) return undefined;
    bySubject.set(subject, values);
  }
  return { cycle: snapshot.cycle, bySubject };
}

/** @param onArrival `at` has more now */
export function openRingRows(reader: PlaneReader, onArrival: () => void): RingRows {
  let known = new Map<ShownSnapshot, RingRow>();
  const learn = ({ subject, numbers }: Answer<readonly ShownSnapshot[]>): void => {
    for (const snapshot of subject) {
      const row = rowOf(snapshot, numbers);
      if (row) known.set(snapshot, row);
    }
  };
  const enquiry: Enquiry<readonly ShownSnapshot[]> = reader.open({
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
      // In memory every answer is there at once; of other planes the newest cycles are asked for first.
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
