import { expect, test } from 'vitest';
import { keptTogether } from '../../../../app/features/x-ray/answers.ts';

test('no line of a sentence ends between a number, its error and its unit', () => {
  const said = keptTogether(
    'It expects 1.03 ± 0.01 m, observes 2 m²/s, 0.7 σ away, goes 50 % of the way in cycle 4 there.',
  );
  expect(said).toBe(
    'It expects 1.03\u00a0±\u00a00.01\u00a0m, observes 2\u00a0m²/s, 0.7\u00a0σ away, goes 50\u00a0% of the way in cycle 4 there.',
  );
});
