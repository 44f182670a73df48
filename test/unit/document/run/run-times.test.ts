import { expect, it } from 'vitest';
import { createRunClock } from '../../../../app/document/run/run-times.ts';

const { beginTimes, cycleIsDone, restoreTimes, runTimes } = createRunClock();

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));

it('reports when a run began, and when its last cycle was done', () => {
  beginTimes(at(1));
  expect(runTimes()).toStrictEqual({ start: at(1).toISOString(), end: at(1).toISOString(), resumed: [] });
  cycleIsDone(at(5));
  cycleIsDone(at(9));
  expect(runTimes()).toStrictEqual({ start: at(1).toISOString(), end: at(9).toISOString(), resumed: [] });
});

it('reports when a run that was opened continued, and nothing new while it did not', () => {
  const stored = { start: at(1).toISOString(), end: at(2).toISOString(), resumed: [at(2).toISOString()] };
  restoreTimes(stored);
  expect(runTimes()).toStrictEqual(stored);
  cycleIsDone(at(30));
  cycleIsDone(at(31));
  const resumed = [...stored.resumed, at(30).toISOString()];
  expect(runTimes()).toStrictEqual({ start: stored.start, end: at(31).toISOString(), resumed });
});
