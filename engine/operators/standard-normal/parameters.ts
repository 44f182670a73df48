/** What standard normal numbers are prepared with, and the arrays they are drawn into. */

export interface StandardNormalParameters {
  /** Numbers in all. */
  readonly length: number;
  /** Segments at most. */
  readonly segments: number;
}

/** Indices of a segment in `streams`: key, counter, the position of its first number, and which of the stream's that is. */
export const SEGMENT_WORDS = 6;

/** A `first` that no position reaches: the segment is not used. */
const UNUSED = 0xffff_ffff;

/** Shapes: `standardNormal`. */
export const standardNormalFields = { streams: 'index', output: 'real' } as const;

/** Numbers of a stream that follow each other, and where in `output` they begin. */
export interface Segment {
  /** `streamWords` of the stream. */
  readonly words: readonly [key0: number, key1: number, index0: number, index1: number];
  readonly first: number;
  /** Numbers of the stream before the first one; 0 where left out. */
  readonly skipped?: number;
}

/** @returns the content of `streams`, `[count][6]`. @param segments by ascending `first`, the first of them 0 */
export function segmentTable(segments: readonly Segment[], count: number): Uint32Array {
  const table = new Uint32Array(count * SEGMENT_WORDS).fill(UNUSED);
  segments.forEach(({ words, first, skipped = 0 }, index) =>
    table.set([...words, first, skipped], index * SEGMENT_WORDS),
  );
  return table;
}
