/**
 * Standard normal numbers from counted streams, where they are used: the numbers that `randomStream(…).normal()` draws one after
 * the other, each a function of its stream and its place in it. Box and Muller's pair number b is made of the Philox block b
 * [salmon2011]: of its words 0 and 1 the radius, of 2 and 3 the angle.
 *
 * `streams` is `[segments][6]`, as `segmentTable` makes it; a segment reaches to the next one's first number. `output` is
 * `[length]`, written whole. In float32 a number differs from that of float64 by a few units in its last place, or of 1.
 */
import { inRuns, kernelOperator } from '../../compute/define-operator.ts';
import { parameterBlock } from '../../compute/parameter-block.ts';
import { streamOf } from '../../random/stream.ts';

/** Cost: a number written; ten rounds of ten operations, logarithm, root and angle of some forty. */
export const standardNormal = kernelOperator({
  name: 'standard-normal',
  block: parameterBlock('StandardNormal', {
    /** Numbers in all. */
    length: 'count',
    /** Segments at most. */
    segments: 'count',
    /** Positions of a part. */
    segment: 'part',
    /** [segments][6]: key, key, index, index, first, skipped. */
    streams: 'read index',
    output: 'write real',
  }),
  cost: ({ length }, elementBytes) => ({ bytes: length * elementBytes, flops: 140 * length }),
  reference:
    ({ length, segments }) =>
    ({ streams, output }) => {
      for (let segment = 0; segment < segments; segment++) {
        const [key0, key1, index0, index1, first, skipped] = streams.subarray(segment * SEGMENT_WORDS);
        if (first >= length) continue;
        const end = segment + 1 < segments ? Math.min(length, streams[(segment + 2) * SEGMENT_WORDS - 2]) : length;
        const stream = streamOf([key0, key1, index0, index1]);
        for (let number = 0; number < skipped; number++) stream.normal();
        for (let position = first; position < end; position++) output[position] = stream.normal();
      }
    },
  wasm: ({ length }) => ({ kernel: 'standardNormal', ...inRuns(length, 1024) }),
  webgpu: { code: () => [import('./standard-normal.wgsl?raw')], items: ({ length }) => length },
});

/** Indices of a segment in `streams`: key, counter, the position of its first number, and which of the stream's that is. */
const SEGMENT_WORDS = 6;

/** A `first` that no position reaches: the segment is not used. */
const UNUSED = 0xffff_ffff;

/** Numbers of a stream that follow each other, and where in `output` they begin. */
export interface Segment {
  /** `streamWords` of the stream. */
  readonly words: readonly [key0: number, key1: number, index0: number, index1: number];
  readonly first: number;
  /** Numbers of the stream before the first one; 0 if omitted. */
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
