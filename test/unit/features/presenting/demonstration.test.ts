/** The demonstration plays a lesson as somebody would who reads it. */
import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { demonstrationCamera, playLesson } from '../../../../app/features/presenting/demonstration.ts';
import type { LessonStep } from '../../../../engine/index.ts';

const PACE = { word: 100, least: 1000, question: 500, longestStill: 1000, longestPlay: 2000, rest: 1 };

function step(words: number, question?: LessonStep['question'], show: object = {}): LessonStep {
  return {
    title: 'one',
    text: Array.from({ length: words - 1 }, () => 'word').join(' '),
    question,
    show,
  } as LessonStep;
}

function lessonOf(steps: readonly LessonStep[]) {
  const said: string[] = [];
  const lesson = {
    steps: signal(steps),
    open: () => void said.push('open'),
    next: () => void said.push('next'),
    choose: (choice: number) => void said.push(`choose ${choice}`),
    finish: () => void said.push('finish'),
  };
  return { lesson, said, course: { cycle: signal(-1), newestCycle: signal(-1) } };
}

describe('a lesson that is played', () => {
  it('shows each step for as long as its words take, and answers questions', async () => {
    const question = { text: '?', choices: ['a', 'b'], answer: 1, why: '' };
    const { lesson, said, course } = lessonOf([step(5), step(30, question)]);
    await playLesson(
      lesson,
      course,
      PACE,
      async (milliseconds) => void said.push(String(milliseconds)),
      new AbortController().signal,
    );
    expect(said).toStrictEqual(['open', '1000', 'next', '3000', '500', 'choose 1', '500', 'finish']);
  });

  it.each<[string, object, number, number]>([
    ['until a slow run has come to its cycle', { playTo: 2 }, 3, 6],
    ['also where it does not play', { cycle: 1 }, 3, 3],
    ['not at all for a step of no cycle', {}, 3, 0],
    ['not for a run that computes nothing after cycle 0', { playTo: 2 }, Infinity, 5],
    ['not for ever', { playTo: 100 }, 2, 8],
  ])('waits %s', async (_name, show, looksPerCycle, looks) => {
    const { lesson, said, course } = lessonOf([step(1, undefined, show)]);
    const wait = async (time: number): Promise<void> => {
      const n = said.push(String(time)) - 1;
      course.newestCycle.value = Math.floor(n / looksPerCycle);
      course.cycle.value = course.newestCycle.value;
    };
    await playLesson(lesson, course, PACE, wait, new AbortController().signal);
    expect(said).toStrictEqual(['open', ...Array.from({ length: looks }, () => '250'), '1000', 'finish']);
  });

  it('ends where somebody touches the window', async () => {
    const { lesson, said, course } = lessonOf([step(1), step(1)]);
    const touched = playLesson(
      lesson,
      course,
      PACE,
      () => Promise.reject(new Error('touched')),
      new AbortController().signal,
    );
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
