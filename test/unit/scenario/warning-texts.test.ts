import { expect, it } from 'vitest';
import { warningTexts } from '../../../engine/index.ts';

const LESSON = [0, 2, 3].map((index) => ({
  path: ['lesson', index, 'show', 'playTo'],
  message: 'found 9, allowed: at most 1, the run’s last cycle',
}));

it('says once what one change brings about in several steps of a lesson', () => {
  const others = [{ path: ['methods', 1], message: 'reaches no neighbour' }];
  expect(warningTexts([...LESSON, ...others, ...others])).toEqual([
    'lesson: 3 settings of its steps do not fit this run; the first: ' +
      'lesson[0].show.playTo: found 9, allowed: at most 1, the run’s last cycle',
    'methods[1]: reaches no neighbour',
  ]);
  expect(warningTexts(LESSON.slice(0, 1))).toEqual([
    'lesson[0].show.playTo: found 9, allowed: at most 1, the run’s last cycle',
  ]);
});
