/** Real runs of equal methods, few of them; `npm run verify` has hundreds of trials. */
import { expect, it } from 'vitest';
import { createReferenceBackend } from '../../../engine/index.ts';
import { equalFilters, SEEDS_PER_TRIAL, toldApart } from '../../setup/equal-filters.ts';

const TRIALS = 8;

it('distinguishes equal EnKFs of real runs in hardly any trial', async () => {
  const rows = await equalFilters(createReferenceBackend(), TRIALS * SEEDS_PER_TRIAL);
  expect(rows.flat().filter((error) => error === null)).toEqual([]);
  // Of eight trials at 5 % two are distinguished in 5 % of cases, three in less than 1 %.
  for (const filters of [2, 3, 4]) expect(toldApart(rows, filters)).toBeLessThanOrEqual(2 / TRIALS);
});
