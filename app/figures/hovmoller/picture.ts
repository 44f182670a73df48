/**
 * The numbers of a Hovmöller plot, a row a cycle, and their picture: places across, time downwards. Rows of stored cycles are asked
 * for once and kept as long as the cycle is stored.
 */
import { COLOUR_MAP_SIZE, colourMap } from '../../fields/colours.ts';
import { measured, rounded, type Range } from '../../fields/ranges.ts';
import type { ColourMapName, FieldScale } from '../../fields/field.ts';
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

interface RingRows {
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

/** What is drawn of a subject: its state, or how far it is from the truth. */
export type Quantity = 'state' | 'error';

export interface ShownRow {
  readonly cycle: number;
  /** [place] */
  readonly values: Float64Array;
}

/** @returns rows of what is drawn; cycles that the subject does not have are omitted */
export function shownRows(rows: readonly RingRow[], subject: string, quantity: Quantity): readonly ShownRow[] {
  return rows.flatMap(({ cycle, bySubject }) => {
    const [own, truth] = [bySubject.get(subject), bySubject.get(truthOf(subject))];
    if (!own || !truth) return [];
    const values = Float64Array.from(own, (value, i) => (quantity === 'error' ? value - truth[i] : value));
    return [{ cycle, values }];
  });
}

/**
 * @param subjects that are drawn beneath each other
 * @returns the range of colours that all of them have: of states that of their truths, so that every state compares; of errors their own
 */
export function rangeOf(
  rows: readonly RingRow[],
  subjects: readonly string[],
  quantity: Quantity,
  scale: FieldScale,
): Range {
  const measuredSubjects = quantity === 'state' ? new Set([TRUTH, ...subjects.map(truthOf)]) : subjects;
  const all = [...measuredSubjects].flatMap((subject) =>
    quantity === 'error'
      ? shownRows(rows, subject, quantity).map(({ values }) => values)
      : rows.flatMap(({ bySubject }) => Float64Array.from(bySubject.get(subject) ?? [])),
  );
  return rounded(measured(Float64Array.from(all.flatMap((values) => [...values])), scale), scale);
}

/**
 * @param places of the ring
 * @param first, last cycles at the top and at the foot; a stored cycle reaches to the next one
 * @returns red, green, blue and alpha of a pixel a place and cycle, from the upper left; clear if nothing is stored
 */
export function paintRows(
  rows: readonly ShownRow[],
  { first, last }: { readonly first: number; readonly last: number },
  { from, to }: Range,
  colourMapName: ColourMapName,
  places: number,
): { readonly width: number; readonly height: number; readonly pixels: Uint8ClampedArray<ArrayBuffer> } {
  const [width, height] = [places, last - first + 1];
  const pixels = new Uint8ClampedArray(4 * width * height);
  const colours = colourMap(colourMapName);
  rows.forEach(({ cycle, values }, index) => {
    const until = Math.min(last, (rows[index + 1]?.cycle ?? cycle + 1) - 1);
    for (let line = Math.max(cycle, first); line <= until; line++) {
      for (let i = 0; i < width; i++) {
        const share = Math.min(1, Math.max(0, (values[i] - from) / (to - from)));
        const colour = 4 * Math.round(share * (COLOUR_MAP_SIZE - 1));
        const at = 4 * ((line - first) * width + i);
        for (let channel = 0; channel < 3; channel++) pixels[at + channel] = colours[colour + channel];
        pixels[at + 3] = 255;
      }
    }
  });
  return { width, height, pixels };
}

/** @returns the row at a cycle: its own, or the last one stored before it */
export function rowAt(rows: readonly ShownRow[], cycle: number): ShownRow | undefined {
  return rows.findLast((row) => row.cycle <= cycle);
}
