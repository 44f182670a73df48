import { expect, it } from 'vitest';
import { LEVEL_PATTERN } from '../../../app/figures/level-pattern.ts';
import { linesOf, reportedRun, shownRun } from './shown-run.ts';

const parts = {
  meanError: { forecast: { h: 0.5 }, analysis: { h: -0.3 } },
  rmsePattern: { forecast: { h: 1.2 }, analysis: { h: 0.4 } },
};
const run = shownRun({}, { letkf: parts });

it('draws the mean level with its sign, and the pattern, by cycle', () => {
  const data = LEVEL_PATTERN.inWindow?.(run);
  expect(data?.panels.map(({ y }) => y.label)).toEqual(['Level error of h', 'Pattern error of h']);
  expect(data?.empty).toBeUndefined();
  const level = linesOf(data).find(({ key }) => key === 'letkf');
  expect(level?.points.every(({ y }) => y === -0.3)).toBe(true);
  expect(data?.table?.().rows.find(([, method]) => method === 'LETKF')).toEqual([
    expect.any(Number),
    'LETKF',
    0.5,
    -0.3,
    1.2,
    0.4,
  ]);
});

it('has both in reports, and nothing of rows without them', () => {
  const titles = LEVEL_PATTERN.inReport?.(reportedRun(run)).map(({ help }) => help.split('.')[0]);
  expect(titles).toEqual(['Level error of h of the analysis', 'Pattern error of h of the analysis']);
  expect(LEVEL_PATTERN.inReport?.(reportedRun(shownRun()))).toEqual([]);
  expect(LEVEL_PATTERN.inWindow?.(shownRun())?.empty).toMatch(/appear here/);
});
