/** The table of the runs: what is in a row, found by words, sorted by columns. */
import { expect, it } from 'vitest';
import { momentText } from '../../../../../app/features/runs/kept-run.ts';
import { filterRows, sortRows, tableRows, type RunColumn } from '../../../../../app/features/runs/panel/runs-table.tsx';
import { scenarioOf } from '../../../document/run/fake-run.ts';
import { keptRun, rowsOf } from '../kept.ts';

const better = new Map([
  ['free-run', rowsOf('free-run', 20, 2)],
  ['letkf', rowsOf('letkf', 20, 0.2)],
]);
const runs = [
  keptRun(1, { name: 'Second thoughts', start: '2026-03-01T00:00:00.000Z' }),
  keptRun(2, { name: 'first try', note: 'Half the radius', start: '2026-01-01T00:00:00.000Z', rows: better }),
  keptRun(3, { rows: new Map(), start: '2026-02-01T00:00:00.000Z' }),
  keptRun(10, { name: 'Gone', diverged: [{ method: 'letkf', cycle: 7 }], scenario: scenarioOf(20, { seed: 77 }) }),
];
const rows = tableRows(runs);
const numbers = (of: typeof rows): number[] => of.map(({ run }) => run.number);
const found = (query: string): number[] => numbers(filterRows(rows, query));
const sorted = (column: RunColumn, descending = false): number[] => numbers(sortRows(rows, { column, descending }));

it('a row has the best method with its error and its skill against the free run', () => {
  const [first, second, third, fourth] = rows;
  expect([first.best?.title, first.variable, first.unit]).toStrictEqual(['LETKF', 'h', 'm']);
  const { analysis } = { analysis: first.error };
  // The means of the same wave about 0.5 and 2.
  expect(first.skill).toBeCloseTo(75, 6);
  expect(second.skill).toBeCloseTo(90, 6);
  expect(second.error).toBeCloseTo(0.4 * analysis, 9);
  expect([third.best, third.error, third.skill]).toStrictEqual([undefined, Number.NaN, Number.NaN]);
  // A method that diverged is not the best, whatever its errors were before.
  expect(fourth.best?.title).toBe('Free run');
});

it('is filtered by words of its name, note, methods, seed and date', () => {
  expect(found('')).toStrictEqual([1, 2, 3, 10]);
  expect(found('RADIUS half')).toStrictEqual([2]);
  expect(found('seed 77')).toStrictEqual([10]);
  expect(found('2026-03')).toStrictEqual([1]);
  // As the table shows it.
  expect(found(momentText(runs[0].start))).toStrictEqual([1]);
  expect(found('letkf first')).toStrictEqual([2]);
  expect(found('nudging')).toStrictEqual([]);
});

it('is sorted by every column, up and down, with what is missing at the end', () => {
  expect(sorted('number', true)).toStrictEqual([10, 3, 2, 1]);
  expect(sorted('scenario').indexOf(2)).toBeLessThan(sorted('scenario').indexOf(1));
  expect(sorted('start')).toStrictEqual([2, 10, 3, 1]);
  expect(sorted('skill', true).slice(0, 2)).toStrictEqual([2, 1]);
  expect(sorted('skill').at(-1)).toBe(3);
  expect(sorted('error')).toStrictEqual([2, 1, 10, 3]);
  expect(sorted('error', true)).toStrictEqual([10, 1, 2, 3]);
  expect(sorted('cycles')[0]).toBe(3);
  expect(sorted('seed').at(-1)).toBe(10);
  expect(sorted('methods')).toHaveLength(4);
  expect(sorted('best')).toStrictEqual([10, 1, 2, 3]);
});
