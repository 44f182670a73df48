/** Standard normal numbers on the host: what the streams themselves draw. */
import type { ArraysOf } from '../../compute/backend.ts';
import { streamOf } from '../../random/stream.ts';
import { SEGMENT_WORDS } from './parameters.ts';
import type { standardNormalFields, StandardNormalParameters } from './parameters.ts';

export function referenceStandardNormal({ length, segments }: StandardNormalParameters) {
  return ({ streams, output }: ArraysOf<typeof standardNormalFields>): void => {
    for (let segment = 0; segment < segments; segment++) {
      const [key0, key1, index0, index1, first, skipped] = streams.subarray(segment * SEGMENT_WORDS);
      if (first >= length) continue;
      const end = segment + 1 < segments ? Math.min(length, streams[(segment + 2) * SEGMENT_WORDS - 2]) : length;
      const stream = streamOf([key0, key1, index0, index1]);
      for (let number = 0; number < skipped; number++) stream.normal();
      for (let position = first; position < end; position++) output[position] = stream.normal();
    }
  };
}
