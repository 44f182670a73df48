/** What a lesson says: answers at once, and what a recorded step shows. */
import { expect, it } from 'vitest';
import type { LessonStep } from '../../../../engine/index.ts';
import { answerAt } from '../../../../app/features/lessons/lesson-strip.tsx';
import { shownInWords } from '../../../../app/features/lessons/lesson-edits.ts';

const question = {
  text: 'Why?',
  choices: ['It finds the ring as well', 'Its error grows'],
  answer: 1,
  why: 'So it is.',
};
const steps = [{ question }, {}] as unknown as readonly LessonStep[];

it('a choice is answered at once, in the step that asks', () => {
  expect(answerAt(0, steps, new Map())).toBeUndefined();
  expect(answerAt(0, steps, new Map([[0, 1]]))).toStrictEqual({ isRight: true, text: 'Right. So it is.' });
  expect(answerAt(0, steps, new Map([[0, 0]]))).toStrictEqual({
    isRight: false,
    text: 'Not quite. The right answer is “Its error grows”. So it is.',
  });
});

it('the next step gives the answer only to a question that was not answered', () => {
  expect(answerAt(1, steps, new Map())?.isRight).toBeUndefined();
  expect(answerAt(1, steps, new Map())?.text).toContain('Its error grows. So it is.');
  expect(answerAt(1, steps, new Map([[0, 0]]))).toBeUndefined();
});

it('the settings of a step are named, not printed as JSON', () => {
  const method = { kind: 'letkf', label: 'letkf 2', inflation: 1.1, localisation: { kind: 'gaspari-cohn' } };
  const settings = [
    { path: 'background.members', value: 8 },
    { path: 'methods[3]', value: method },
    { path: 'observations', value: [{ kind: 'grid' }, { kind: 'track' }] },
  ];
  expect(shownInWords({ cycle: 3, settings })).toBe(
    'cycle 3 · Surface height · background.members = 8 · methods[3]: letkf · observations: 2 entries',
  );
});
