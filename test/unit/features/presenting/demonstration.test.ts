/** The demonstration plays a lesson as somebody would who reads it. */
import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { demonstrationCamera, playLesson } from '../../../../app/features/presenting/demonstration.ts';
import type { LessonStep } from '../../../../engine/index.ts';

const PACE = { word: 100, least: 1000, question: 500, longestPlay: 1000, rest: 1 };

function step(words: number, question?: LessonStep['question']): LessonStep {
  return { title: 'one', text: Array.from({ length: words - 1 }, () => 'word').join(' '), question } as LessonStep;
}

function lessonOf(steps: readonly LessonStep[]) {
  const said: string[] = [];
  const isOnTheWay = signal(false);
  const lesson = {
    steps: signal(steps),
    isOnTheWay,
    open: () => void said.push('open'),
    next: () => void said.push('next'),
    choose: (choice: number) => void said.push(`choose ${choice}`),
    finish: () => void said.push('finish'),
  };
  return { lesson, said, isOnTheWay };
}

describe('a lesson that is played', () => {
  it('shows each step for as long as its words take, and answers questions', async () => {
    const question = { text: '?', choices: ['a', 'b'], answer: 1, why: '' };
    const { lesson, said } = lessonOf([step(5), step(30, question)]);
    await playLesson(
      lesson,
      PACE,
      async (milliseconds) => void said.push(String(milliseconds)),
      new AbortController().signal,
    );
    expect(said).toStrictEqual(['open', '1000', 'next', '3000', '500', 'choose 1', '500', 'finish']);
  });

  it('waits for a step that plays, but not for ever', async () => {
    const { lesson, said, isOnTheWay } = lessonOf([step(1)]);
    isOnTheWay.value = true;
    await playLesson(lesson, PACE, async (time) => void said.push(String(time)), new AbortController().signal);
    expect(said).toStrictEqual(['open', '250', '250', '250', '250', '1000', 'finish']);
  });

  it('ends where somebody touches the window', async () => {
    const { lesson, said } = lessonOf([step(1), step(1)]);
    const touched = playLesson(lesson, PACE, () => Promise.reject(new Error('touched')), new AbortController().signal);
    await expect(touched).rejects.toThrow('touched');
    expect(said).toStrictEqual(['open']);
  });
});

function shown(show: object): LessonStep {
  return { show: { views: {}, ...show } } as LessonStep;
}

describe('the camera of the demonstration', () => {
  it.each<[string, LessonStep, number, boolean, string | undefined]>([
    ['follows the waves where they run', shown({ playTo: 7 }), 3, false, 'wave'],
    ['does not on a ring', shown({ playTo: 7 }), 2, true, 'orbit'],
    ['circles', shown({ cycle: 3 }), 0, false, 'orbit'],
    ['stops at the next step', shown({ cycle: 3 }), 1, false, 'stage'],
    ['is where a step says', shown({ views: { cameraKind: 'top' } }), 0, false, undefined],
    ['is where a step has put it', shown({ views: { camera: { azimuth: 1 } } }), 0, false, undefined],
    ['leaves a cross-section in sight', shown({ playTo: 5, views: { crossSection: {} } }), 0, false, undefined],
  ])('%s', (_, step, index, isRing, expected) => {
    expect(demonstrationCamera(step, index, isRing)).toBe(expected);
  });
});
