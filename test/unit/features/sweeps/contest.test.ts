/** Methods against each other over the cells of a sweep. */
import { describe, expect, it } from 'vitest';
import type { SweepResults } from '../../../../engine/index.ts';
import { combinationsOf, firstMethod, sweepStyles } from '../../../../app/features/sweeps/arrangement.ts';
import {
  championsOf,
  championWords,
  contestLines,
  contestAt,
  contestWord,
  seedsNeeded,
  verdictWords,
  whyNoContest,
} from '../../../../app/features/sweeps/contest.ts';
import { contestTable } from '../../../../app/features/sweeps/words.ts';
import { tableOfResults } from '../../../../app/features/reading/sweep-table.ts';
import { sweepResults } from '../../../setup/sweep-results.ts';

const table = tableOfResults(sweepResults(), 'sweep.json');
const combinations = combinationsOf(table);
const styles = sweepStyles(table);
const contests = combinations.map((combination) => contestAt(table, combination, 0));
const at = (...place: number[]): number =>
  combinations.findIndex((combination) => combination.at.every((value, axis) => value === place[axis]));

/** Two methods of which one has other values, by seed. */
function duel(a: readonly (number | null)[], b: readonly (number | null)[]) {
  const results: SweepResults = {
    ...sweepResults(),
    axes: [],
    methods: ['3dvar', 'letkf'],
    measures: [{ name: 'rmse', title: 'RMSE', unit: 'm', best: 'least' }],
    seeds: a.map((_, seed) => seed),
    cases: a.map((_, seed) => ({
      hash: seed.toString(16).padStart(32, '0'),
      values: [],
      seed,
      state: 'complete',
      reason: null,
      methods: [a, b].map((values, method) => ({
        method: ['3dvar', 'letkf'][method],
        state: values[seed] === null ? 'diverged' : 'complete',
        divergedAt: values[seed] === null ? 3 : null,
        values: [values[seed]],
      })),
    })),
  };
  const own = tableOfResults(results, 'duel.json');
  return contestAt(own, combinationsOf(own)[0], 0);
}

describe('a contest', () => {
  const eight = [1, 2, 3, 4, 5, 6, 7, 8];

  it('is won where the paired differences leave zero, however much the seeds differ', () => {
    const contest = duel(
      eight,
      eight.map((value) => 0.9 * value),
    );
    expect(contest).toMatchObject({
      leader: 1,
      verdict: 'won',
      rivals: [{ method: 0, comparison: { wins: 8, pairs: 8 } }],
    });
  });

  it('is undecided where they do not', () => {
    const contest = duel(
      eight,
      eight.map((value, n) => value * (n % 2 === 0 ? 0.9 : 1.08)),
    );
    expect(contest.verdict).toBe('undecided');
  });

  it('has too few seeds for a verdict below six', () => {
    expect(duel([1, 2, 3], [0.1, 0.2, 0.3])).toMatchObject({ leader: 1, verdict: 'too-few' });
  });

  it('is lost in seeds in which a method diverged', () => {
    const contest = duel(eight, [0.1, 0.2, null, null, null, null, null, null]);
    expect(contest.leader).toBe(0);
    expect(
      duel(
        eight,
        eight.map(() => null),
      ),
    ).toMatchObject({ leader: 0, verdict: 'alone', rivals: [] });
    expect(duel([null], [null])).toEqual({ leader: undefined, rivals: [], verdict: 'none' });
  });
});

describe('the methods of a sweep', () => {
  it('are named where they are best, by the hues that they have everywhere', () => {
    expect(styles.map(({ title }) => title)).toEqual(['Free run', '3D-Var', 'LETKF']);
    expect(contestWord(contests[at(2, 2, 1)], styles)).toBe('LETKF');
    expect(contestWord(contests[at(2, 2, 0)], styles)).not.toBe('LETKF');
    expect(verdictWords(contests[at(2, 2, 1)], styles)).toBe('LETKF is best.');
    const [, line] = contestLines(contests[at(2, 2, 1)], styles, 'm');
    expect(line).toMatch(/^LETKF against 3D-Var: LETKF better on 8 of 8 seeds \(−\d+/);
  });

  it('are compared each at its own best setting, reported with the settings that are its own', () => {
    const found = championsOf(table, combinations, 0);
    if (!found) throw new Error('there are no champions');
    expect(found.champions.map(({ method }) => method)).toEqual([0, 1, 2]);
    expect(found.champions[2].combination).toBe(at(2, 2, 1));
    const words = championWords(table, combinations, found, styles, 'm');
    expect(words).toMatch(
      /3D-Var 0\.05\d*\u00a0m \(Members \d+\); LETKF .*\(Inflation 1\.05, Half-width 5\u00a0m, Members 20\)\./,
    );
  });

  it('cannot be compared by what is neither good nor bad, alone, or by medians', () => {
    expect(whyNoContest(table, 0)).toBe('');
    expect(whyNoContest({ ...table, methods: ['letkf'] }, 0)).not.toBe('');
    expect(whyNoContest({ ...table, kind: 'medians' }, 0)).not.toBe('');
    const none = { ...table, measures: table.measures.map((measure) => ({ ...measure, best: 'none' as const })) };
    expect(whyNoContest(none, 0)).not.toBe('');
    expect(contestAt(none, combinations[0], 0)).toEqual({ leader: undefined, rivals: [], verdict: 'none' });
    expect(championsOf(none, combinations, 0)).toBeUndefined();
  });

  it('have a row for each pair in their table', () => {
    const { columns, rows } = contestTable({ table, combinations, contests, styles, measure: 0 });
    // Where all of the LETKF's seeds diverged, in both numbers of members, it is no rival.
    expect(rows).toHaveLength(2 * combinations.length - 2);
    expect(rows.every((row) => row.length === columns.length)).toBe(true);
  });

  it('begin with the one whose settings were varied, else with the last', () => {
    expect(firstMethod(table)).toBe(2);
    expect(firstMethod({ ...table, axes: [] })).toBe(2);
    expect(firstMethod({ ...table, axes: [{ path: 'methods[1].covariance.length', title: 'L', values: [1] }] })).toBe(
      1,
    );
  });
});

it('says with how many seeds one of so many methods can be called better', () => {
  expect(seedsNeeded(1)).toBe('');
  expect(seedsNeeded(2)).toBe('With 2 methods, a verdict takes 6 seeds or more.');
  expect(seedsNeeded(3)).toBe('With 3 methods, a verdict takes 7 seeds or more.');
});
