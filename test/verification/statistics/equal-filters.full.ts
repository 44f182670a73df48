/** Real runs of equal methods: how often a comparison over seeds names a winner between them. */
import { expect, it } from 'vitest';
import { createReferenceBackend } from '../../../engine/index.ts';
import { equalFilters, SEEDS_PER_TRIAL, toldApart } from '../../setup/equal-filters.ts';

const TRIALS = 200;

it(`finds two, three and four equal EnKFs different in at most 5 % of ${TRIALS} trials`, async () => {
  const rows = await equalFilters(createReferenceBackend(), TRIALS * SEEDS_PER_TRIAL);
  const rates = [2, 3, 4].map((filters) => toldApart(rows, filters));
  process.stdout.write(`equal EnKFs found different over ${SEEDS_PER_TRIAL} seeds: ${rates.join(', ')} of trials\n`);
  for (const rate of rates) expect(rate).toBeLessThanOrEqual(0.05);
});
