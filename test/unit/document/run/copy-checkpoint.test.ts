import { expect, it } from 'vitest';
import { copyCheckpoint } from '../../../../app/document/run/copy-checkpoint.ts';

it('copies all of a checkpoint into memory of its own, with turns between its pieces', async () => {
  const checkpoint = {
    cycle: 3,
    arrays: {
      truth: Float64Array.of(1, 2, 3, 4, 5, 6, 7),
      empty: new Float64Array(),
      mean: Float64Array.of(0.5, 1.5),
      pace: Float64Array.of(0.1),
    },
    fingerprint: 'of a run',
  };
  let turns = 0;
  const copy = await copyCheckpoint(checkpoint, () => Promise.resolve(void (turns += 1)), 3);
  expect(copy).toEqual(checkpoint);
  expect(copy.arrays['truth'].buffer).not.toBe(checkpoint.arrays.truth.buffer);
  // Ten numbers, three at a time, whatever array they are of.
  expect(turns).toBe(3);
});
