/** Settings are called what they are of, where their own title does not say it. */
import { expect, it } from 'vitest';
import { parameterTitle } from '../../../engine/tune/index.ts';

it.each([
  ['Half-width', 'localisation.halfWidth', 'half-width'],
  ['Inflation', 'inflation', 'inflation'],
  ['Relaxation factor', 'relaxation.factor', 'relaxation factor'],
  ['h', 'standardDeviation.h', 'standard deviation of h'],
])('%s of %s', (title, name, words) => {
  expect(parameterTitle({ title, name })).toBe(words);
});
