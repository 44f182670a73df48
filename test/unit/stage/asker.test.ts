/** What a hand asks for is drawn at once; what the run brings can wait. */
import { expect, it } from 'vitest';
import { askerOf } from '../../../app/stage/draw-loop.ts';
import type { StageModel } from '../../../app/stage/stage-model.ts';

const snapshotOf = (cycle: number): StageModel['snapshot'] => ({ cycle }) as StageModel['snapshot'];

const shown = {
  run: 1,
  snapshot: snapshotOf(3),
  subjects: [],
  fields: ['surface'],
  phase: 'analysis',
  isRunning: false,
} as unknown as StageModel;

it.each<[string, Partial<StageModel>, string]>([
  ['a cycle that the run has brought', { snapshot: snapshotOf(4), isRunning: true }, 'run'],
  ['a cycle that somebody goes to while the run rests', { snapshot: snapshotOf(2) }, 'hand'],
  ['another field', { fields: ['error'], isRunning: true }, 'hand'],
  ['another phase', { phase: 'forecast' }, 'hand'],
  ['a run that begins or ends to play', { isRunning: true }, 'run'],
  ['room for other words', { room: {} as StageModel['room'] }, 'run'],
])('%s', (_what, change, asker) => {
  expect(askerOf(shown, { ...shown, ...change })).toBe(asker);
});

it('the first picture waits for the run', () => {
  expect(askerOf(undefined, shown)).toBe('run');
});
