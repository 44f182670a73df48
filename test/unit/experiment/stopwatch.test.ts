import { expect, it } from 'vitest';
import { createStopwatch } from '../../../engine/experiment/cycle-trace.ts';
import { createReferenceBackend } from '../../../engine/index.ts';
import type { Backend } from '../../../engine/index.ts';

/** A backend whose clock shows these times, one after the other. */
function showing(times: readonly number[]): Backend {
  const backend = createReferenceBackend();
  let next = 0;
  backend.mark = () => Promise.resolve(times[next++]);
  return backend;
}

it('a stopwatch adds up its intervals', async () => {
  const stopwatch = createStopwatch(showing([10, 13, 20, 20.5]));
  for (let n = 0; n < 2; n++) {
    stopwatch.start();
    stopwatch.stop();
  }
  expect(await stopwatch.milliseconds()).toBe(3.5);
});

it('an interval that nobody stopped has no length', async () => {
  const stopwatch = createStopwatch(showing([10, 13, 20]));
  stopwatch.start();
  stopwatch.stop();
  stopwatch.start();
  expect(await stopwatch.milliseconds()).toBe(3);
});

it('an interval that a coarse clock ends before its beginning takes nothing from the others', async () => {
  const stopwatch = createStopwatch(showing([10, 13, 20, 19]));
  for (let n = 0; n < 2; n++) {
    stopwatch.start();
    stopwatch.stop();
  }
  expect(await stopwatch.milliseconds()).toBe(3);
});

it('a stopwatch that was never started shows nothing', async () => {
  expect(await createStopwatch(showing([])).milliseconds()).toBe(0);
});
