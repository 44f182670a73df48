import { describe, expect, it } from 'vitest';
import { describeAgainst, describeInRun, describePaired, explainInRun } from '../../../engine/statistics/index.ts';
import type { Comparison, Difference } from '../../../engine/statistics/index.ts';

const NAMES = { a: 'letkf', b: 'enkf' };

function comparison(
  wins: number,
  pairs: number,
  verdict: Comparison['verdict'],
  ends = [-0.12, -0.18, -0.07],
): Comparison {
  const [estimate, low, high] = ends;
  const coverage = verdict === 'too-few' ? 0.9 : 0.97;
  return { pairs, wins, ties: 0, change: { scale: 'relative', estimate, low, high, level: 0.95, coverage }, verdict };
}

describe('describePaired', () => {
  it('names the winner, its seeds and by how much', () => {
    expect(describePaired(comparison(9, 10, 'a'), NAMES)).toBe(
      'letkf better on 9 of 10 seeds (−12 %, 95 % −18 to −7 %)',
    );
  });

  it('turns it round where the other is better', () => {
    const found = comparison(1, 10, 'b', [0.25, 0.1, 1]);
    expect(describePaired(found, NAMES)).toBe('enkf better on 9 of 10 seeds (−20 %, 95 % −50 to −9 %)');
  });

  it('says that it cannot be said', () => {
    expect(describePaired(comparison(6, 10, 'undecided', [-0.03, -0.1, 0.04]), NAMES)).toBe(
      'undecided: letkf better on 6 of 10 seeds (−3 %, 95 % −10 to +4 %)',
    );
    expect(describePaired(comparison(4, 4, 'too-few'), NAMES)).toBe(
      'too few seeds to say: letkf better on 4 of 4 seeds (−12 %, range −18 to −7 %)',
    );
  });

  it('shows as many digits as the interval is worth, and no end as zero that is not', () => {
    expect(describePaired(comparison(9, 10, 'a', [-0.1234, -0.1279, -0.1201]), NAMES)).toContain(
      '(−12.3 %, 95 % −12.8 to −12.0 %)',
    );
    expect(describePaired(comparison(9, 10, 'a', [-0.12, -0.2, -0.003]), NAMES)).toContain('−20.0 to −0.3 %');
  });

  it('shows no end where a method diverged', () => {
    expect(describePaired(comparison(5, 10, 'undecided', [0, -0.5, Infinity]), NAMES)).toContain('−50 to +∞ %');
  });

  it('gives differences their unit', () => {
    const found = comparison(10, 10, 'a');
    const change = { ...found.change, scale: 'absolute' as const, estimate: 0.5, low: 0.25, high: 0.75 };
    expect(describePaired({ ...found, change }, NAMES, 'm')).toContain('(+0.5 m, 95 % +0.3 to +0.8 m)');
  });
});

describe('describeAgainst', () => {
  it('says of the first what it is against the second', () => {
    expect(describeAgainst(comparison(9, 10, 'a'))).toBe('better on 9 of 10 seeds (−12 %, 95 % −18 to −7 %)');
    expect(describeAgainst(comparison(1, 10, 'b', [0.25, 0.1, 1]))).toBe(
      'worse on 9 of 10 seeds (+25 %, 95 % +10 to +100 %)',
    );
    expect(describeAgainst(comparison(6, 10, 'undecided', [-0.03, -0.1, 0.04]))).toBe(
      'undecided (better on 6 of 10 seeds, −3 %, 95 % −10 to +4 %)',
    );
    expect(describeAgainst(comparison(4, 4, 'too-few'))).toBe(
      'too few seeds to say (better on 4 of 4, −12 %, range −18 to −7 %)',
    );
    expect(describeAgainst({ ...comparison(0, 10, 'undecided'), ties: 10 })).toBe('the same');
    expect(describeAgainst(undefined)).toBe('no seeds in common');
  });
});

function difference(wins: number, pairs: number, [estimate, low, high]: readonly number[]): Difference {
  const change = { scale: 'relative', estimate, low, high, level: 0.95, coverage: 0.95 } as const;
  return { pairs, wins, ties: 0, change };
}

describe('describeInRun', () => {
  const worse = difference(0, 25, [2.9, 2, 4]);

  it('gives the ratio of the errors with its interval, and the cycles won', () => {
    expect(describeInRun(worse)).toBe('3.9 times (3.0 to 5.0), worse in 25 of 25 cycles');
    expect(describeInRun(difference(24, 25, [-0.83, -0.87, -0.77]))).toBe(
      '0.17 times (0.13 to 0.23), better in 24 of 25 cycles',
    );
    expect(describeInRun({ ...worse, stride: 4 })).toContain('worse in 25 of 25 stretches of 4 cycles');
    expect(describeInRun({ ...difference(0, 10, [0, 0, 0]), ties: 10 })).toBe('the same');
  });

  it('omits an interval that says nothing, and numbers that are too large to mean anything', () => {
    expect(describeInRun(difference(2, 2, [-0.83, -1, Infinity]))).toBe('0.17 times, better in 2 of 2 cycles');
    expect(describeInRun(difference(0, 25, [4.9, -0.9, 312]))).toBe('5.9 times, worse in 25 of 25 cycles');
    expect(describeInRun(difference(0, 3, [4e3, 3e3, 5e3]))).toContain('over 1000 times');
    expect(describeInRun(undefined)).toBe('no cycles in common');
  });

  it('explains in full what the interval covers', () => {
    expect(explainInRun(worse, 'letkf')).toBe(
      "error 3.9 times that of letkf; worse in 25 of 25 cycles (95 % interval over this run's cycles: 3.0 to 5.0 times; other seeds may differ)",
    );
  });
});
