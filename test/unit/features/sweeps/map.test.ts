/** What the map says of a sweep: cells, findings, colours, and how they are on the page. */
import { describe, expect, it } from 'vitest';
import { readSweep } from '../../../../app/features/reading/sweep-table.ts';
import {
  arrange,
  chooseAxis,
  combinationAt,
  firstAxes,
  spotOf,
  stepFrom,
  cellsOf,
  combinationsOf,
  medianTrial,
  trialsOf,
} from '../../../../app/features/sweeps/arrangement.ts';
import {
  edgeWords,
  findingsOf,
  cellWords,
  findingWords,
  lossWords,
  trialWords,
  mapTable,
} from '../../../../app/features/sweeps/words.ts';
import { legendTicks } from '../../../../app/features/sweeps/page/heat-map.tsx';
import { colourNumber, needsDarkInk, shadingOf } from '../../../../app/features/sweeps/contest.ts';
import { HALF_WIDTHS, INFLATIONS, sweepResults } from '../../../setup/sweep-results.ts';

const results = sweepResults();
const table = readSweep({ name: 'sweep.json', bytes: new TextEncoder().encode(JSON.stringify(results)) });
const combinations = combinationsOf(table);
const LETKF = { measure: 0, method: 2 };
const cells = cellsOf(table, combinations, LETKF);
const find = (...at: number[]): number =>
  combinations.findIndex((combination) => combination.at.every((place, axis) => place === at[axis]));
/** Claims over 8 seeds, without the lost numbers 3 and 6. */
const [OFTEN, ALWAYS, BEST] = [find(4, 1, 1), find(4, 3, 1), find(2, 2, 1)];

describe('cells', () => {
  it('gather the seeds of each combination', () => {
    expect(combinations).toHaveLength(INFLATIONS.length * HALF_WIDTHS.length * 2);
    expect(combinations.every(({ rows }) => rows.length === 8)).toBe(true);
  });

  it('have the median of their seeds between the ends of their interval, inside their range', () => {
    const values = results.cases
      .filter(({ values: [inflation, width, members] }) => inflation === 1.05 && width === 5 && members === 20)
      .map(({ methods }) => Number(methods[2].values[0]))
      .sort((a, b) => a - b);
    const { median, interval, range } = cells[BEST];
    expect(median).toBe((values[3] + values[4]) / 2);
    // Of 8 values the 1st and the 8th hold the median with 99.2 %, the 2nd and the 7th with 93 %.
    expect(interval).toEqual({ low: values[0], high: values[7] });
    expect(range).toEqual({ low: values[0], high: values[7] });
  });

  it('count what diverged, failed and waits', () => {
    expect(cells[OFTEN]).toMatchObject({ seeds: 8, diverged: 2, failed: 0, waiting: 0 });
    expect(cells[OFTEN].median).not.toBeNull();
    expect(cells[ALWAYS]).toMatchObject({ median: null, interval: null, range: null, seeds: 8, diverged: 8 });
    expect(cells[0]).toMatchObject({ seeds: 8, diverged: 0, failed: 1, waiting: 1 });
    expect(lossWords(cells[OFTEN], 'runs')).toBe('of 8 seeds 2 diverged');
    expect(lossWords(cells[0], 'runs')).toBe('of 8 seeds 1 failed, 1 not run yet');
    expect(lossWords(cells[BEST], 'runs')).toBe('');
  });

  it('have no interval of fewer than six seeds', () => {
    const few = sweepResults({ seeds: [1, 2, 3, 4, 5] });
    const read = readSweep({ name: 'few.json', bytes: new TextEncoder().encode(JSON.stringify(few)) });
    const fewCells = cellsOf(read, combinationsOf(read), LETKF);
    expect(fewCells.every(({ interval }) => interval === null)).toBe(true);
    expect(fewCells.some(({ range }) => range !== null)).toBe(true);
  });

  it('are opened by the seed that has the median, from below', () => {
    const trials = trialsOf(table, combinations[BEST], LETKF);
    const below = trials.filter(({ value }) => Number(value) <= Number(cells[BEST].median));
    expect(medianTrial(trials)?.value).toBe(Math.max(...below.map(({ value }) => Number(value))));
    expect(medianTrial(trialsOf(table, combinations[ALWAYS], LETKF))?.seed).toBe(1);
  });

  it('give the result of each run', () => {
    const words = (combination: number) =>
      trialsOf(table, combinations[combination], LETKF).map((trial) => trialWords(trial, 'm'));
    expect(words(0).slice(1, 3)).toEqual(['failed: the disk is full', 'not run yet']);
    expect(words(ALWAYS)[0]).toBe('diverged in cycle 7');
    expect(trialWords(trialsOf(table, combinations[BEST], { measure: 2, method: 1 })[0], '')).toBe('does not apply');
  });
});

describe('findings', () => {
  const findings = findingsOf(table.measures[0], cells);
  const told = { table, combinations, cells, unit: 'm' };

  it('name the best cell, and those whose intervals overlap its own', () => {
    expect(findings.best).toBe(BEST);
    const own = cells[BEST].interval;
    for (const [number, { interval, diverged }] of cells.entries()) {
      const overlaps = own && interval && interval.low <= own.high && own.low <= interval.high;
      expect(findings.alike.has(number)).toBe(number !== BEST && diverged === 0 && overlaps === true);
    }
    expect(findings.alike.size).toBeGreaterThan(0);
  });

  it('take no cell in which a run diverged', () => {
    const all = cells.map((cell, number) => (number === BEST ? { ...cell, diverged: 1 } : cell));
    expect(findingsOf(table.measures[0], all).best).not.toBe(BEST);
    expect(findingsOf({ best: 'none' }, cells)).toEqual({ best: undefined, alike: new Set() });
  });

  it('warn of the edge of what was tried, by the axes where the best is on it', () => {
    expect(edgeWords(table, combinations[BEST])).toBe(
      'The optimum may lie outside what was tried: Members 20 is the largest value.',
    );
    expect(edgeWords(table, { at: [0, 3, 0] })).toContain(
      'Inflation 1 is the smallest value, Half-width 8\u00a0m is the largest',
    );
    expect(edgeWords({ axes: [{ path: 'a', title: 'A', values: ['x', 'y'] }] }, { at: [0] })).toBe('');
  });

  it('are reported in sentences', () => {
    expect(findingWords(told, findings)).toMatch(
      /^Best: Inflation 1\.05, Half-width 5\u00a0m, Members 20, with 0\.0\d+\u00a0m \(95 % .* to .*\)\. \d+ other cells do not differ from it significantly\. The optimum/,
    );
    expect(cellWords(told, OFTEN)).toMatch(
      /^Inflation 1\.2, Half-width 3\u00a0m, Members 20; 0\.0\d+\u00a0m; .*of 8 seeds 2 diverged$/,
    );
    expect(cellWords(told, ALWAYS)).toContain('no value; of 8 seeds 8 diverged');
    // A scan of a scenario has medians alone.
    const scan = { ...told, table: { ...table, kind: 'medians' as const } };
    expect(cellWords(scan, ALWAYS)).toMatch(/no value; one or more of 8 seeds diverged$/);
  });
});

describe('colours', () => {
  it('are brighter for what is better', () => {
    const least = shadingOf('least', [1, 2, 3]);
    const most = shadingOf('most', [1, 2, 3]);
    expect([1, 2, 3].map((value) => colourNumber(least, value)).every((n, k, all) => k === 0 || n < all[k - 1])).toBe(
      true,
    );
    expect(colourNumber(least, 1)).toBe(255);
    expect(colourNumber(most, 3)).toBe(255);
  });

  it('diverge, with equal reach, from what a measure should be near to', () => {
    const near = shadingOf({ near: 1 }, [0.5, 1.2]);
    expect(near.domain).toEqual([0.5, 1.5]);
    expect([near.at(0.5), near.at(1), near.at(1.5)]).toEqual([0, 0.5, 1]);
  });

  it.each([
    ['least', [0.0718, 0.0725, 0.079, 0.14, 0.7]],
    ['most', [0.826, 0.818, 0.75, 0.1, -6.5]],
  ] as const)('resolve what is nearly the %s, and keep apart what is far from it', (best, values) => {
    const shading = shadingOf(best, values);
    const numbers = values.map((value) => colourNumber(shading, value));
    const steps = numbers.slice(1).map((number, n) => numbers[n] - number);
    // A thirteenth of the map for a per cent of the best, where a linear map has less than a colour.
    expect(Math.min(...steps)).toBeGreaterThan(18);
    const { domain, valueAt } = shading;
    expect([valueAt(0), valueAt(1)].map((value, n) => value - domain[n])).toEqual([
      expect.closeTo(0, 9),
      expect.closeTo(0, 9),
    ]);
  });

  it('are explained by the best, the worst and distances from the best that keep clear of each other', () => {
    const ticks = legendTicks(shadingOf('least', [0.0718, 0.0725, 0.7]), [0, 165], 11);
    expect(ticks.map(({ text }) => text)).toEqual(['0.0718', '0.700', '+10\u00a0%', '+100\u00a0%']);
    expect(ticks.map(({ x }) => Math.round(x))).toEqual([0, 165, 58, 112]);
    const most = legendTicks(shadingOf('most', [0.8, -6]), [0, 165], 11);
    expect(most.map(({ text }) => text)).toEqual(['0.800', '−6.00', '0.72', '0']);
    expect(most[0].x).toBe(165);
  });

  it('go by ratios where neither end is better and values differ by decades', () => {
    const decades = shadingOf('none', [0.01, 1]);
    expect(decades.scale).toBe('log');
    expect(decades.at(1) - decades.at(0.1)).toBeCloseTo(decades.at(0.1) - decades.at(0.01), 12);
  });

  it.each(['least', 'most', 'none', { near: 1 }] as const)('have a place for one value alone (%o)', (best) => {
    const shading = shadingOf(best, [1]);
    expect([shading.at(1), shading.valueAt(0), shading.valueAt(1)].every(Number.isFinite)).toBe(true);
    expect(shading.valueAt(1)).toBeGreaterThan(shading.valueAt(0));
  });

  it('have the ink with more contrast', () => {
    expect([needsDarkInk(255, 255, 255), needsDarkInk(0, 0, 0), needsDarkInk(253, 231, 37)]).toEqual([
      true,
      false,
      true,
    ]);
  });
});

describe('the arrangement', () => {
  const arranged = arrange(table, combinations, firstAxes(table));

  it('spans grids by two axes, one for each value of the third', () => {
    expect(arranged.facets.map(({ title }) => title)).toEqual(['Members 10', 'Members 20']);
    expect(arranged.facets[1].rows.map((row) => row.length)).toEqual([5, 5, 5, 5]);
    for (const number of combinations.keys()) {
      const spot = spotOf(arranged, number);
      expect(spot && combinationAt(arranged, spot)).toBe(number);
    }
  });

  it('takes any two axes, changed for each other where both would be one', () => {
    expect(chooseAxis({ x: 0, y: 1 }, 'x', 1)).toEqual({ x: 1, y: 0 });
    expect(chooseAxis({ x: 0, y: 1 }, 'y', 2)).toEqual({ x: 0, y: 2 });
    expect(chooseAxis({ x: 0, y: 1 }, 'y', undefined)).toEqual({ x: 0, y: undefined });
    const lines = arrange(table, combinations, { x: 2, y: undefined });
    expect(lines.facets).toHaveLength(20);
    expect(lines.facets[0]).toMatchObject({ title: 'Inflation 1, Half-width 2\u00a0m', rows: [[0, 1]] });
  });

  it('is walked by steps that stop at its edges and pass over what was not tried', () => {
    const at = find(2, 2, 1);
    expect(stepFrom(arranged, at, { along: 'x', by: 1 })).toBe(find(3, 2, 1));
    expect(stepFrom(arranged, at, { along: 'y', by: 1 })).toBe(find(2, 3, 1));
    expect(stepFrom(arranged, at, { along: 'x', by: -1, whole: true })).toBe(find(0, 2, 1));
    expect(stepFrom(arranged, at, { along: 'facet', by: -1 })).toBe(find(2, 2, 0));
    expect(stepFrom(arranged, at, { along: 'facet', by: 1 })).toBe(at);
    const sparse = arrange(
      table,
      combinations.filter((_, n) => n !== find(3, 2, 1)),
      firstAxes(table),
    );
    const reached = stepFrom(sparse, at > find(3, 2, 1) ? at - 1 : at, { along: 'x', by: 1 });
    expect(combinations.filter((_, n) => n !== find(3, 2, 1))[reached].at).toEqual([4, 2, 1]);
  });

  it('of a sweep over seeds alone is one cell', () => {
    const alone = { ...table, axes: [] };
    const one = arrange(alone, [{ at: [], rows: [0] }], firstAxes(alone));
    expect(one).toMatchObject({ x: undefined, y: undefined, facets: [{ title: '', rows: [[0]] }] });
  });
});

describe('the numbers', () => {
  it('have a row a combination, with every seed', () => {
    const { columns, rows } = mapTable({ table, combinations, cells, subject: LETKF });
    expect(rows).toHaveLength(combinations.length);
    expect(rows.every((row) => row.length === columns.length)).toBe(true);
    expect(columns.slice(0, 4)).toEqual([
      'letkf: Inflation',
      'letkf: Half-width (m)',
      'Background: Members',
      'letkf: RMSE of the analysis, h (m), median',
    ]);
    expect(rows[BEST].slice(0, 4)).toEqual([1.05, 5, 20, cells[BEST].median]);
    expect(rows[OFTEN].slice(-8).filter((value) => value === null)).toHaveLength(2);
  });
});
