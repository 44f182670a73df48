/** Notices about a run: repeated ones are counted, and all of them leave with their run. */
import { expect, it } from 'vitest';
import { createNotices } from '../../../app/page/notices.ts';

function shown({ notices }: ReturnType<typeof createNotices>): readonly (readonly [string, number])[] {
  return notices.value.map(({ lines, count }) => [lines.join(), count]);
}

it('counts a warning that repeats from cycle to cycle, with the numbers of the latest', () => {
  const notices = createNotices();
  const run = {};
  for (const cycle of [5, 6, 9]) {
    notices.notify('warning', 'From the run', { lines: [`enkf, cycle ${cycle}: not definite`], run });
  }
  notices.notify('warning', 'From the run', { lines: ['letkf, cycle 9: not definite'], run });
  expect(shown(notices)).toEqual([
    ['enkf, cycle 9: not definite', 3],
    ['letkf, cycle 9: not definite', 1],
  ]);
});

it('takes away what was said about a run, and nothing else', () => {
  const notices = createNotices();
  const [run, branch] = [{}, {}];
  notices.notify('warning', 'From the run', { lines: ['letkf: at cycle 5 the spread is small'], run });
  notices.notify('warning', 'From the run', { lines: ['letkf: at cycle 5 the spread is small'], run: branch });
  notices.notify('error', 'The file cannot be read');
  expect(notices.notices.value).toHaveLength(3);
  notices.dismissRun(run);
  expect(notices.notices.value.map((each) => each.run)).toEqual([branch, undefined]);
});
