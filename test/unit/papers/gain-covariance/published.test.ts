import { expect, it } from 'vitest';
import { benchmarksOf, compareWithPublished } from '../../../../engine/index.ts';

/** As the paper has them: seconds, what was timed, and a word of what the figure includes. */
const TIMES = [
  [60 * 60, 'authors’ sequential', 'more than 1 hour'],
  [60, 'Butala', 'about 1 minute'],
  [20, 'GPU, basic', '1 to 2 s of reading and writing CSV'],
  [17, 'Python', 'import from the .sdb file'],
  [9, 'GPU, optimised', '1 to 2 s of reading and writing CSV'],
] as const;

it('holds the times of the paper, with what each includes and a ratio', () => {
  const figures = benchmarksOf(['gain-covariance'], 'papers')
    .flatMap(({ published }) => published)
    .filter(({ unit }) => unit === 's');
  expect(figures).toHaveLength(TIMES.length);
  for (const [seconds, hardware, includes] of TIMES) {
    const [figure, ...others] = figures.filter((one) => one.hardware.includes(hardware));
    expect(others).toEqual([]);
    expect(figure).toMatchObject({ value: seconds, unit: 's' });
    expect(figure.includes).toContain(includes);
    expect(compareWithPublished(figure, 500).ratio).toBe(seconds / 0.5);
  }
});

it('holds what the steps saved, per cent', () => {
  const saved = benchmarksOf(['gain-covariance'], 'papers').flatMap(({ parameters, published }) =>
    published.filter(({ unit }) => unit !== 's').map(({ value, unit }) => [parameters?.['step'], value, unit]),
  );
  expect(saved).toEqual([
    ['rows', 5, '% less time'],
    ['transposed', 15, '% less time'],
    ['one launch', 15, '% less time'],
  ]);
});
