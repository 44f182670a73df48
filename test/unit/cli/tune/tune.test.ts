/** The parts of `shoal tune` that need no process: what is typed, and what is printed. */
import { describe, expect, it } from 'vitest';
import { parseParameter, formatTuning, tuningDocument } from '../../../../app/cli/tune/report.ts';
import type { SeedOutcome, TriedPoint, TuningResult } from '../../../../engine/index.ts';
import { judge } from '../../../../engine/tune/consistency.ts';
import { planSmallTuning } from '../../tune/small-tuning.ts';

describe('--parameter', () => {
  it.each([
    ['inflation', { name: 'inflation' }],
    ['inflation=1.02,1.05', { name: 'inflation', values: [1.02, 1.05] }],
    ['covariance.length=1:8:4', { name: 'covariance.length', range: { from: 1, to: 8, count: 4 } }],
  ])('%s is understood', (text, request) => {
    expect(parseParameter(text)).toEqual(request);
  });

  it.each([
    ['=1', 'the path is empty'],
    ['inflation=', 'found "", allowed: a number'],
    ['inflation=1,x', 'found "x", allowed: a number'],
    ['inflation=1:2', 'a range has three parts'],
    ['inflation=1:2:3:4', 'a range has three parts'],
    ['inflation=1:2:1', 'found 1 values, allowed: a whole number from 2 to 100'],
    ['inflation=2:1:3', 'found a range from 2 to 1'],
  ])('%s is refused with what is allowed', (text, message) => {
    expect(() => parseParameter(text)).toThrow(message);
    expect(() => parseParameter(text)).toThrow('for example inflation=1.02:1.4:5');
  });
});

const outcomes = (...values: readonly (number | null)[]): readonly SeedOutcome[] => values.map((value) => ({ value }));

/** A result whose points are given; the second of them is the best. */
function resultOf(parameters: readonly { readonly name: string; readonly values: readonly number[] }[]): {
  readonly plan: ReturnType<typeof planSmallTuning>;
  readonly result: TuningResult;
} {
  const plan = planSmallTuning({ parameters, seeds: 6 });
  const others = parameters.slice(1).map(({ values }) => values[0]);
  const [first] = parameters;
  const seeds = [0.1, 0.11, 0.12, 0.13, 0.14, 0.15];
  const [low, high] = [seeds, seeds.map((value) => value + 0.5)];
  const points: TriedPoint[] = [
    {
      values: [first.values[0], ...others],
      stage: 'grid',
      outcomes: outcomes(...low),
      median: 0.125,
      isWarned: false,
    },
    {
      values: [first.values[1], ...others],
      stage: 'grid',
      outcomes: outcomes(...high),
      median: 0.625,
      isWarned: false,
    },
    {
      values: [first.values[2], ...others],
      stage: 'grid',
      outcomes: outcomes(null, ...low.slice(1)),
      median: null,
      isWarned: false,
    },
  ];
  const { name, method, measure, seeds: of } = plan;
  const found = judge(plan.parameters, measure, points);
  return {
    plan,
    result: { name, method, parameters: plan.parameters, measure, seeds: of, points, found, consistency: undefined },
  };
}

describe('a tuning in text', () => {
  const two = resultOf([
    { name: 'localisation.halfWidth', values: [2, 4, 8] },
    { name: 'inflation', values: [1.1, 1.2] },
  ]);

  it('is a map of two settings, with the best marked and what diverged', () => {
    const text = formatTuning(two.plan, two.result);
    expect(text).toContain('Skill against the free run, median of 6 seeds; ◆ best; × diverged or failed with a seed');
    expect(text).toMatch(/│ +2 │ +12\.5 % │/);
    expect(text).toMatch(/│ +4 │ +◆ 62\.5 % │/);
    expect(text).toMatch(/│ +8 │ +× │/);
    expect(text).toContain('Best: half-width 4 m, inflation 1.1, with skill against the free run 62.5 %');
    expect(text).toContain('Every other setting is significantly different from it.');
    expect(text).toContain('Of 3 settings, 1 diverged with one seed or more; none of them is taken.');
  });

  it('is a list of one setting, the best first', () => {
    const { plan, result } = resultOf([{ name: 'inflation', values: [1.1, 1.2, 1.4] }]);
    const lines = formatTuning(plan, result).split('\n');
    const rows = lines.filter((line) => /│ +1\.\d/.test(line)).map((line) => line.split('│')[1].trim());
    expect(rows).toEqual(['1.2', '1.1', '1.4']);
  });

  it('says of a best that diverged beside it that it was not taken for its edge alone', () => {
    const { best } = tuningDocument(two.plan, two.result) as { readonly best: { readonly edges: readonly unknown[] } };
    // 4 is between 2 and 8, and of the inflation one value was tried.
    expect(best.edges).toEqual([]);
  });
});
