/** The search of a method's best setting, on functions whose best is known. */
import { describe, expect, it } from 'vitest';
import { bestOf, edgesOf, pointsOf, search } from '../../../engine/tune/search.ts';
import type { Evaluate, Point, SearchTerms, TriedPoint } from '../../../engine/tune/search.ts';
import type { TuningParameter } from '../../../engine/tune/parameter.ts';
import { evenly } from '../../../engine/tune/parameter.ts';

const LOG = { kind: 'log', origin: 0 } as const;
const ANY = { least: 0, most: 1000, isLeastOpen: true, isMostOpen: false, isWhole: false };

function parameter(name: string, values: readonly number[], changes: Partial<TuningParameter> = {}): TuningParameter {
  return {
    path: `methods[0].${name}`,
    name,
    title: name,
    unit: '',
    scale: LOG,
    present: undefined,
    values,
    allowed: ANY,
    ...changes,
  };
}

/** The least of (ln x − ln best)², the same for every seed. */
function bowl(best: Point): Evaluate {
  return (points) =>
    Promise.resolve(
      points.map((values) => {
        const value = values.reduce((sum, x, axis) => sum + Math.log(x / best[axis]) ** 2, 0);
        return [{ value }, { value }];
      }),
    );
}

/** What each seed gives at a value of one parameter. */
function given(of: (x: number) => readonly (number | null)[]): Evaluate {
  return (points) => Promise.resolve(points.map(([x]) => of(x).map((value) => ({ value }))));
}

const USUAL: Omit<SearchTerms, 'parameters'> = {
  goal: 'least',
  levels: 0,
  extensions: 0,
  isWarned: () => false,
  median: ([value]) => value,
};

function bestValues(points: readonly TriedPoint[], goal: SearchTerms['goal'] = 'least'): Point | undefined {
  return bestOf(points, goal)?.values;
}

describe('a search', () => {
  const length = parameter('length', [2, 4, 8]);
  const deviation = parameter('deviation', [0.01, 0.02, 0.04]);

  it('tries every combination first, the last parameter running fastest', async () => {
    const points = await search({ ...USUAL, parameters: [length, deviation] }, bowl([4, 0.02]));
    expect(points.map(({ values }) => values)).toEqual(
      [2, 4, 8].flatMap((first) => [0.01, 0.02, 0.04].map((second) => [first, second])),
    );
    expect(bestValues(points)).toEqual([4, 0.02]);
  });

  it('comes within a halved step of the best for every level', async () => {
    const truth = [5.1, 0.017];
    for (const levels of [0, 1, 2, 3]) {
      const points = await search({ ...USUAL, parameters: [length, deviation], levels }, bowl(truth));
      const best = bestValues(points) ?? [];
      // Half of the last step, log 2 / 2^levels, and what three digits round away.
      const most = (Math.log(2) / 2 ** levels) * 0.5 + 0.005;
      best.forEach((value, axis) => expect(Math.abs(Math.log(value / truth[axis]))).toBeLessThanOrEqual(most));
    }
  });

  it('goes beyond an edge as long as the best is there', async () => {
    const points = await search({ ...USUAL, parameters: [length], extensions: 3 }, bowl([30]));
    expect(points.map(({ values: [x] }) => x)).toEqual([2, 4, 8, 16, 32, 64]);
    expect(bestValues(points)).toEqual([32]);
    expect(edgesOf([length], points, [32])).toEqual([]);
  });

  it('stops at its number of extensions, and says that more would be allowed', async () => {
    const points = await search({ ...USUAL, parameters: [length], extensions: 1 }, bowl([100]));
    expect(bestValues(points)).toEqual([16]);
    expect(edgesOf([length], points, [16])).toEqual([
      { parameter: length, side: 'most', value: 16, isAllowedBeyond: true },
    ]);
  });

  it('goes no further than what is allowed, and says so', async () => {
    const bounded = parameter('length', [2, 4, 8], { allowed: { ...ANY, most: 10 } });
    const points = await search({ ...USUAL, parameters: [bounded], extensions: 3 }, bowl([100]));
    expect(bestValues(points)).toEqual([10]);
    expect(edgesOf([bounded], points, [10])[0]).toMatchObject({ side: 'most', isAllowedBeyond: false });
  });

  it('tries no value at an end that is not allowed', async () => {
    const bounded = parameter('share', [0.5, 1], { scale: { kind: 'linear' }, allowed: { ...ANY, most: 1 } });
    const points = await search({ ...USUAL, parameters: [bounded], extensions: 3 }, bowl([1e-6]));
    // 0.5 − 0.5 = 0 is the open end.
    expect(points.map(({ values: [x] }) => x)).toEqual([0.5, 1]);
  });

  it('steps by whole numbers where the setting is one', async () => {
    const members = parameter('members', [8, 16, 32], {
      allowed: { ...ANY, least: 1, isLeastOpen: false, isWhole: true },
    });
    const points = await search({ ...USUAL, parameters: [members], levels: 6 }, bowl([13]));
    expect(points.every(({ values: [x] }) => Number.isInteger(x))).toBe(true);
    expect(bestValues(points)).toEqual([13]);
  });

  it('tries the setting as it is, without taking its place for a step', async () => {
    const present = parameter('length', [2, 4, 8], { present: 4.1 });
    const points = await search({ ...USUAL, parameters: [present], levels: 1 }, bowl([4]));
    expect(points.map(({ values: [x], stage }) => [x, stage])).toEqual([
      [2, 'grid'],
      [4, 'grid'],
      [8, 'grid'],
      [4.1, 'present'],
      [2.83, 'refinement'],
      [5.66, 'refinement'],
    ]);
  });

  it('takes neither a point where a seed diverged, nor one that earns a warning', async () => {
    const evaluate = given((x) => [x === 2 ? null : -x, -x]);
    const points = await search({ ...USUAL, parameters: [length], isWarned: ([x]) => x === 8 }, evaluate);
    expect(points.map(({ median, isWarned }) => [median, isWarned])).toEqual([
      [null, false],
      [-4, false],
      [-8, true],
    ]);
    expect(bestValues(points)).toEqual([4]);
  });

  it('ends well if nothing can be taken', async () => {
    const evaluate = given(() => [null]);
    const points = await search({ ...USUAL, parameters: [length], levels: 2, extensions: 2 }, evaluate);
    expect(points).toHaveLength(3);
    expect(bestValues(points)).toBeUndefined();
  });

  it.each(['least', 'most', { near: 1 }] as const)('knows what good looks like: %j', async (goal) => {
    const values = [0.25, 0.5, 1.25, 2];
    const evaluate = given((x) => [x]);
    const points = await search({ ...USUAL, goal, parameters: [parameter('length', values)] }, evaluate);
    expect(bestValues(points, goal)).toEqual([typeof goal === 'object' ? 1.25 : { least: 0.25, most: 2 }[goal]]);
  });

  it.each([1, 2, 3, 4])('of %d parameters tries no more points than announced', async (axes) => {
    const names = ['a', 'b', 'c', 'd'].slice(0, axes);
    for (const corner of [0.01, 3, 900]) {
      const parameters = names.map((name) => parameter(name, [2, 4, 8], { present: 3 }));
      const terms = { ...USUAL, parameters, levels: 2, extensions: 3 };
      const { least, most } = pointsOf(parameters, terms);
      const points = await search(terms, bowl(names.map(() => corner)));
      expect(points.length).toBeGreaterThanOrEqual(least);
      expect(points.length).toBeLessThanOrEqual(most);
    }
  });
});

describe('a scale', () => {
  it('spreads values evenly between both ends', () => {
    expect(evenly(LOG, 2, 8, 3)).toEqual([2, 4, 8]);
    expect(evenly({ kind: 'log', origin: 1 }, 1.0125, 1.2, 5)).toEqual([1.0125, 1.025, 1.05, 1.1, 1.2]);
    expect(evenly({ kind: 'linear' }, 0.2, 1, 5)).toEqual([0.2, 0.4, 0.6, 0.8, 1]);
  });
});
