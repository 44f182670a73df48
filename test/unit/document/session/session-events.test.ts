import { expect, it } from 'vitest';
import { AllDivergedError, DeviceLostError, RunLostError } from '../../../../engine/index.ts';
import type { CellReading } from '../../../../engine/index.ts';
import { createSessionEvents, failureOf } from '../../../../app/document/session/session-events.ts';
import type { SessionEvent } from '../../../../app/document/session/session.ts';
import { hold } from '../../run/hold.ts';
import { tinyScenario } from './scenario.ts';

it('gathers what belongs to a cycle: its snapshot with its diagnostics, its readings, its kernels', async () => {
  const told: (SessionEvent | { readonly type: 'readings'; readonly readings: readonly CellReading[] })[] = [];
  const event = createSessionEvents('as asked for', undefined, {
    event: (each) => told.push(each),
    readings: (readings) => told.push({ type: 'readings', readings }),
  });
  const { run } = hold(tinyScenario(), { states: false, observers: [{ states: true, event }] });
  await run.ready;
  run.probe([{ x: 1, y: 0 }]);
  await run.play();
  const cycle = ['trace', 'cycle', 'readings'];
  const ready = told.findIndex(({ type }) => type === 'ready');
  expect(new Set(told.slice(0, ready).map(({ type }) => type))).toEqual(new Set(['preparing']));
  const types = told.slice(ready).map(({ type }) => type);
  // Those of the first cycle are timed whatever it costs, of the others as many as cost little.
  expect(types.slice(0, 5)).toEqual(['ready', ...cycle, 'kernels']);
  const others = types.filter((type) => type !== 'kernels');
  expect(others).toEqual(['ready', ...cycle, ...cycle, ...cycle, ...cycle, 'ended']);
  expect(told[ready]).toMatchObject({
    info: { backend: { name: 'reference', reason: 'as asked for' }, device: undefined },
  });
  const cycles = told.flatMap((each) => (each.type === 'cycle' ? [each] : []));
  for (const [index, { snapshot, diagnostics }] of cycles.entries()) {
    expect(snapshot.cycle).toBe(index);
    expect(diagnostics.map((each) => [each.method, each.cycle])).toEqual([
      ['free-run', index],
      ['3dvar', index],
      ['letkf', index],
    ]);
  }
  const kernels = told.flatMap((each) => (each.type === 'kernels' ? [each] : []));
  expect(kernels.every(({ samples }) => samples.length > 0)).toBe(true);
});

it.each([
  [new DeviceLostError('gone'), { type: 'failed', message: 'gone', recoverable: true }],
  [new RunLostError('gone'), { type: 'failed', message: 'gone', recoverable: true }],
  [new Error('a bit fell over'), { type: 'failed', message: 'a bit fell over', recoverable: false }],
  [new AllDivergedError('all'), { type: 'failed', message: 'all', recoverable: false, diverged: true }],
])('says of %s whether going on from a checkpoint may help', (error, event) => {
  expect(failureOf(error)).toEqual(event);
});
