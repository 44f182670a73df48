/** Words over the views belong to the picture that is drawn. */
import { signal } from '@preact/signals';
import { expect, it } from 'vitest';
import { lateWords, scoreNow } from '../../../app/stage/view-words.ts';
import type { RunView } from '../../../app/document/run-view.ts';
import { createStageOf } from '../../../app/stage/stage-state.ts';
import { createChartsOf } from '../../../app/figures/chart-state.ts';

const rowOf = (_subject: string, of: number) => ({ rmse: { analysis: { h: of / 100 }, forecast: { h: of / 10 } } });

/** A run on screen at a cycle, whose picture is of another one. */
function runAt(cycle: number, drawn: number | undefined, withheld = 'nothing'): RunView {
  const states = new Map<unknown, unknown>([
    [
      createStageOf,
      { drawnLeg: signal('analysis'), drawnFrame: signal(drawn === undefined ? undefined : { cycle: drawn }) },
    ],
    [createChartsOf, { shownVariables: signal(['h']) }],
  ]);
  return {
    course: { transit: signal(undefined), cycle: signal(cycle) },
    branches: { rowOf, snapshot: signal({ cycle }) },
    view: { phase: signal('analysis'), withheld: signal(withheld) },
    use: (create: unknown) => states.get(create),
  } as unknown as RunView;
}

it('a score is of the cycle that is drawn, not of the one that is to be drawn', () => {
  const score = scoreNow(runAt(24, 23), { subject: 'letkf', field: 'surface' }, 23);
  expect(score?.text).toBe('0.230\u00a0m');
});

it.each([
  ['results', '?'],
  ['later', '0.230\u00a0m'],
])('a score is hidden while a lesson asks about results: %s', (withheld, text) => {
  expect(scoreNow(runAt(24, 23, withheld), { subject: 'letkf', field: 'surface' }, 23)?.text).toBe(text);
});

it('a picture of another cycle than the one on screen says so', () => {
  expect(lateWords(runAt(24, 23))).toBe('Drawing cycle 24; the picture is of cycle 23');
  expect(lateWords(runAt(0, -1))).toBe('Drawing cycle 0; the picture is of the start');
  expect(lateWords(runAt(24, 24))).toBeUndefined();
  expect(lateWords(runAt(24, undefined))).toBeUndefined();
});
