/** A cycle that is typed is shown, computed, or refused: never another one in silence. */
import { expect, it } from 'vitest';
import { cycleText, typedCycle } from '../../../../app/shell/top-bar/index.tsx';

const run = { shownCycles: [-1, 0, 2, 46], last: 1399, goesOn: true };

it.each([
  ['46', { kind: 'show', cycle: 46 }],
  ['start', { kind: 'show', cycle: -1 }],
  ['−1', { kind: 'show', cycle: -1 }],
  ['1', { kind: 'thinned', cycle: 1 }],
  ['400', { kind: 'ahead', cycle: 400 }],
])('%s', (text, expected) => {
  expect(typedCycle(text, run)).toStrictEqual(expected);
});

it('what is no cycle of the run is refused with what is allowed', () => {
  for (const text of ['1400', '-2', '2.5', 'x']) {
    expect(typedCycle(text, run)).toMatchObject({ kind: 'none', message: expect.stringContaining('0 to 1399') });
  }
  expect(typedCycle('400', { ...run, goesOn: false })).toMatchObject({ kind: 'none' });
  expect(typedCycle(' ', run)).toBeUndefined();
});

it('the state before the first cycle has one name', () => {
  expect([cycleText(-1), cycleText(0)]).toStrictEqual(['start', '0']);
});
