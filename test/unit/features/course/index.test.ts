/** The course: its order, its progress, and how that is kept. */
import { describe, expect, it } from 'vitest';
import { createRunView } from '../../../../app/document/run-view.ts';
import { BUNDLED_SCENARIOS } from '../../../../app/document/scenario/bundled-scenarios.ts';
import { COURSE, courseOf, followCourse, lessonAfter } from '../../../../app/features/course/index.tsx';
import { lessonOf } from '../../../../app/features/lessons/lesson-state.ts';
import { openingOf } from '../../../../app/features/opening/open-scenario.ts';
import { fakeClock, fakeRuns, settle } from '../../document/run/fake-run.ts';
import { laboratoryOf } from '../../page/laboratory.ts';

const NAMES = COURSE.flatMap(({ names }) => names);
const LAST = NAMES.at(-1);

/** A page whose settings are kept as a text. */
function pageWith(kept?: string) {
  const settings = new Map(kept === undefined ? [] : [['course', kept]]);
  const laboratory = laboratoryOf({
    readSetting: (key) => settings.get(key),
    writeSetting: (key, value) => void settings.set(key, value),
  });
  return { laboratory, settings, course: courseOf(laboratory) };
}

describe('the order of the course', () => {
  it('has the lesson of each scenario that ships once, and begins with the first launch', () => {
    expect(NAMES.toSorted()).toEqual(BUNDLED_SCENARIOS.map(({ name }) => name).toSorted());
    expect(NAMES[0]).toBe('one-stone');
  });

  it.each<[string, string | undefined, readonly string[], string | undefined]>([
    ['begins at its beginning', undefined, [], 'one-stone'],
    ['continues with the one that follows', 'one-stone', ['one-stone'], 'what-is-an-analysis'],
    ['passes over what is done', 'one-stone', ['one-stone', 'what-is-an-analysis'], 'first-light'],
    ['comes back to what was passed over', LAST, NAMES.slice(1), 'one-stone'],
    ['does not offer the lesson that is taken', 'one-stone', NAMES.slice(1), undefined],
    ['begins at its beginning after a lesson of somebody’s own', 'mine', [], 'one-stone'],
    ['ends', LAST, NAMES, undefined],
  ])('%s', (_, from, done, expected) => {
    expect(lessonAfter(from, new Set(done))).toBe(expected);
  });
});

describe('the progress', () => {
  it('is kept, and forgotten when the course begins again', () => {
    const { course, settings } = pageWith();
    course.finish('one-stone');
    course.finish('one-stone');
    expect(settings.get('course')).toBe('["one-stone"]');
    expect([...pageWith(settings.get('course')).course.done.value]).toEqual(['one-stone']);
    course.forget();
    expect([course.done.value.size, settings.get('course')]).toEqual([0, '[]']);
  });

  it.each(['', '{', 'null', '{"one-stone":true}', '["gone", 3, null]'])('is none where %s was kept', (kept) => {
    expect(pageWith(kept).course.done.value.size).toBe(0);
  });

  it('has no lesson that does not ship', () => {
    const { course } = pageWith();
    course.finish('mine');
    expect(course.done.value.size).toBe(0);
  });

  it.each([
    ['counts a lesson whose last step was shown', false, ['one-stone']],
    ['does not count what a demonstration plays', true, []],
  ])('%s', async (_, isShown, expected) => {
    const { laboratory, course } = pageWith();
    laboratory.preferences.reducedMotion.value = true;
    const run = createRunView(laboratory, fakeRuns().open, { clock: fakeClock() });
    followCourse(run, () => isShown);
    await openingOf(run).openBundled('one-stone');
    lessonOf(run).open();
    await settle();
    expect(course.done.value.size).toBe(0);
    lessonOf(run).open(lessonOf(run).steps.value.length - 1);
    await settle();
    expect([...course.done.value]).toEqual(expected);
  });
});
