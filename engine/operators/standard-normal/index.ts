/**
 * Standard normal numbers from counted streams, where they are used: the numbers that `randomStream(…).normal()` draws one after
 * the other, each a function of its stream and its place in it. Box and Muller's pair number b is made of the Philox block b
 * [salmon2011]: of its words 0 and 1 the radius, of 2 and 3 the angle.
 *
 * `streams` is `[segments][6]`, as `segmentTable` makes it; a segment reaches to the next one's first number. `output` is
 * `[length]`, written whole. In float32 a number differs from that of float64 by a few units in its last place, or of 1.
 */
import type { Operator } from '../../compute/backend.ts';
import { standardNormalFields } from './parameters.ts';
import type { StandardNormalParameters } from './parameters.ts';
import { referenceStandardNormal } from './reference.ts';

export { segmentTable } from './parameters.ts';
export type { Segment, StandardNormalParameters } from './parameters.ts';

/** Cost: a number written; ten rounds of ten operations, logarithm, root and angle of some forty. */
export const standardNormal: Operator<StandardNormalParameters, typeof standardNormalFields> = {
  name: 'standard-normal',
  fields: standardNormalFields,
  cost: ({ length }, elementBytes) => ({ bytes: length * elementBytes, flops: 140 * length }),
  implementations: {
    reference: referenceStandardNormal,
    wasm: async () => (await import('./wasm.ts')).default,
    webgpu: async () => (await import('./webgpu.ts')).default,
  },
};
