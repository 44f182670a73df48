import { describe, expect, it } from 'vitest';
import type { CycleDiagnostics } from '../../../engine/index.ts';
import { comparisonOf, comparisons, namesOf } from '../../../app/figures/figure-data.ts';
import { leaveOutFreeRun } from '../../../app/document/lines/overlaid.ts';
import { errorTable } from '../../../app/figures/errors.ts';
import {
  countedCycles,
  innovationSeries,
  latestWith,
  ranksOf,
  rmseSeries,
  spreadSeries,
} from '../../../app/document/views/series.ts';
import { methodStyles } from '../../../app/document/views/method-style.ts';

function row(cycle: number, more: Partial<CycleDiagnostics> = {}): CycleDiagnostics {
  return {
    method: 'letkf',
    cycle,
    timeSeconds: cycle + 1,
    rmse: { forecast: { h: 0.2 + cycle }, analysis: { h: 0.1 + cycle } },
    spread: { forecast: { h: 0.15 }, analysis: { h: 0.12 } },
    crps: { forecast: {}, analysis: {} },
    fairCrps: { forecast: {}, analysis: {} },
    rankHistogram: { h: [cycle, 1, 2] },
    innovation: undefined,
    minimisation: undefined,
    milliseconds: { forecast: 1, analysis: 2 },
    ...more,
  };
}

describe('series', () => {
  it('reads RMSE by stage, and both as saw teeth', () => {
    const rows = [row(0), row(1)];
    expect(rmseSeries(rows, 'h', 'analysis')).toEqual([
      { x: 0, y: 0.1 },
      { x: 1, y: 1.1 },
    ]);
    expect(rmseSeries(rows, 'h', 'both').map(({ x }) => x)).toEqual([-0.25, 0, 0.75, 1]);
    expect(rmseSeries(rows, 'hu', 'analysis')[0].y).toBeNaN();
  });

  it('has no spread for one member', () => {
    const single = { spread: { forecast: { h: 0 }, analysis: { h: 0 } } };
    expect(spreadSeries([row(0, single)], 'h', 'analysis')).toEqual([]);
    expect(spreadSeries([row(0)], 'h', 'forecast')).toEqual([{ x: 0, y: 0.15 }]);
  });

  it('omits cycles without observations', () => {
    const innovation = {
      count: 4,
      rejected: 0,
      mean: 0.01,
      standardDeviation: 0.1,
      normalisedSquares: 1.1,
      chiSquare: 1.2,
    };
    const rows = [row(0), row(1, { innovation }), row(2, { innovation: { ...innovation, count: 0 } })];
    expect(innovationSeries(rows, 'chiSquare')).toEqual([{ x: 1, y: 1.2 }]);
    const without = [row(1, { innovation: { ...innovation, chiSquare: undefined } })];
    expect(innovationSeries(without, 'chiSquare')).toEqual([]);
    expect(innovationSeries(without, 'normalisedSquares')).toEqual([{ x: 1, y: 1.1 }]);
    expect(latestWith(rows, 5, (each) => each.innovation?.count === 4)?.cycle).toBe(1);
    expect(latestWith(rows, 0, (each) => each.innovation !== undefined)).toBeUndefined();
    expect(ranksOf(rows, 'h', 1, 1)).toEqual([[1, 1, 2]]);
    expect(ranksOf(rows, 'hu', 1, 1)).toEqual([]);
  });

  it('sums over whole cycles up to the present, after the spin-up', () => {
    expect(countedCycles(12, 5, undefined)).toEqual({ from: 5, to: 12 });
    expect(countedCycles(3, 5, undefined)).toEqual({ from: 0, to: 3 });
    expect(countedCycles(12, 5, [6.5, 10.5])).toEqual({ from: 7, to: 10 });
    expect(countedCycles(12, 5, [2, 30])).toEqual({ from: 5, to: 12 });
    // What is looked at is in the future of the present cycle.
    expect(countedCycles(5, 5, [10, 20])).toEqual({ from: 5, to: 5 });
    expect(countedCycles(12, 11, [0, 4])).toEqual({ from: 0, to: 4 });
  });
});

describe('what is compared', () => {
  const variables = ['h', 'hu', 'hv'];
  const styles = methodStyles([
    { label: 'free-run', kind: 'free-run', members: 4 },
    { label: 'letkf', kind: 'letkf', members: 4 },
  ]);

  it('is what the networks observe, unless something else is chosen', () => {
    expect(comparisons(variables, ['hu', 'hv'])).toEqual(['h', 'hu', 'hv', 'hu, hv', 'h, hu, hv']);
    expect(comparisons(variables, ['h'])).toEqual(['h', 'hu', 'hv', 'h, hu, hv']);
    expect(comparisons(['h'], ['h'])).toEqual(['h']);
    expect(comparisonOf('', variables, ['hu', 'hv'])).toBe('hu, hv');
    expect(comparisonOf('h', variables, ['hu', 'hv'])).toBe('h');
    expect(comparisonOf('gone', ['x'], ['hu'])).toBe('x');
    expect(namesOf('hu, hv')).toEqual(['hu', 'hv']);
    expect(namesOf('')).toEqual([]);
  });

  it('leaves the free run out of axes unless asked', () => {
    const series = [
      { key: 'free-run', label: 'Free run', color: '', dash: '', points: [0.5, 0.8].map((y, x) => ({ x, y })) },
      { key: 'letkf', label: 'LETKF', color: '', dash: '', points: [0.1, 0.2].map((y, x) => ({ x, y })) },
    ];
    const left = leaveOutFreeRun(series, styles, false);
    expect(left.map(({ outside }) => outside)).toEqual([true, undefined]);
    expect(leaveOutFreeRun(series, styles, true)).toBe(series);
    expect(leaveOutFreeRun(series.slice(0, 1), styles, false)[0]).not.toHaveProperty('outside');
    // Where it is not far from the others, it presses nothing together.
    const [free, letkf] = series;
    const near = { ...free, points: [0.2, 0.29, Number.NaN].map((y, x) => ({ x, y })) };
    expect(leaveOutFreeRun([near, letkf], styles, false)).toEqual([near, letkf]);
    const beyond = { ...free, points: [{ x: 0, y: 0.31 }] };
    expect(leaveOutFreeRun([beyond, letkf], styles, false)[0]).toHaveProperty('outside', true);
    // A mean far below the others presses them together as well.
    const below = { ...free, points: [{ x: 0, y: -5 }] };
    expect(leaveOutFreeRun([below, letkf], styles, false)[0]).toHaveProperty('outside', true);
  });

  it('has every variable in the table, with units', () => {
    const rmse = { forecast: { h: 3, hu: 4 }, analysis: { h: 1, hu: 2 } };
    const measured = row(0, { rmse, spread: rmse, crps: rmse, fairCrps: rmse });
    const { columns, rows } = errorTable({ styles, diagnostics: new Map([['letkf', [measured]]]) });
    expect(columns).toHaveLength(2 + 2 * 16);
    expect(columns).toContain('LETKF: RMSE of the analysis of hu (m²/s)');
    expect(columns).toContain('LETKF: fair CRPS of the forecast of h (m)');
    expect(rows[0].slice(18)).toEqual([3, 1, 3, 1, 3, 1, 3, 1, 4, 2, 4, 2, 4, 2, 4, 2]);
    expect(rows[0].slice(2, 18)).toEqual(Array.from({ length: 16 }, () => null));
  });
});
