/** What a method receives of a reading: its error is as the method takes it, until a hand gives another. */
import { expect, it } from 'vitest';
import { readBy } from '../../../../app/features/x-ray/bayes-layout.ts';

it('a reading has the error that the method takes it to have, unless another one is given', () => {
  const own = { value: 1, errorStd: 0.02 };
  expect(readBy(own, own, { errorStd: 0.05 })).toEqual({ value: 1, errorStd: 0.05 });
  expect(readBy({ ...own, value: 2 }, own, { errorStd: 0.05 })).toEqual({ value: 2, errorStd: 0.05 });
  expect(readBy({ value: 1, errorStd: 0.1 }, own, { errorStd: 0.05 })).toEqual({ value: 1, errorStd: 0.1 });
});
