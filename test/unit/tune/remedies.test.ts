/** A remedy is named once, and not at all if the search has shown that it makes a run diverge. */
import { expect, it } from 'vitest';
import { hasLargerDiverged } from '../../../engine/tune/describe.ts';
import { judgeConsistency } from '../../../engine/tune/consistency.ts';

function point(value: number, outcome: number | null) {
  return { values: [value], outcomes: [{ value: outcome }] };
}

const TOO_SURE = { spreadOverError: 0.3, chiSquare: 4, ranks: [900, 10, 10, 10, 900] };
const remedies = { larger: 'more inflation', smaller: 'less inflation' };

it('is named by the first finding that asks for it', () => {
  const said = judgeConsistency(TOO_SURE, remedies).map(({ says }) => says);
  expect(said).toHaveLength(3);
  expect(said.filter((text) => text.includes('More inflation would'))).toHaveLength(1);
  expect(said[0]).toContain('More inflation would');
});

it('is no advice if larger values diverged', () => {
  type Result = Parameters<typeof hasLargerDiverged>[0];
  const found = { best: point(1.1, 0.2) };
  const of = (outcome: number | null) => ({ found, points: [found.best, point(1.4, outcome)] }) as unknown as Result;
  expect(hasLargerDiverged(of(null))).toBe(true);
  expect(hasLargerDiverged(of(0.3))).toBe(false);
  expect(hasLargerDiverged({ ...of(null), found: undefined })).toBe(false);
  const without = judgeConsistency(TOO_SURE, { smaller: 'less inflation' });
  expect(without.every(({ says }) => !says.includes('More inflation'))).toBe(true);
});
