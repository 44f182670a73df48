import { describe, expect, it } from 'vitest';
import { addTimings, NO_KERNELS, timingsOf } from '../../../engine/index.ts';
import type { CycleDiagnostics, MethodResult } from '../../../engine/index.ts';
import { formatCsv } from '../../../app/renderer/charts/csv.ts';
import {
  describeClock,
  describeFraction,
  describeRates,
  kernelRows,
  kernelTable,
  totalsOfCycle,
} from '../../../app/renderer/charts/kernels.ts';
import {
  formatColumn,
  formatMeasured,
  formatNumber,
  formatPercent,
  formatProbability,
  formatQuantity,
} from '../../../app/renderer/charts/numbers.ts';
import { cellAt, membersAt, mergeReadings, observationsAt } from '../../../app/renderer/charts/probe-series.ts';
import { bestOf, resultRows, resultTable, sortResults } from '../../../app/renderer/charts/results.ts';
import { comparisonOf, comparisons, namesOf } from '../../../app/renderer/charts/compared.ts';
import { leaveOutFreeRun } from '../../../app/renderer/charts/outside.ts';
import { rmseHelp, rmseLines, rmseTable } from '../../../app/renderer/charts/rmse-series.ts';
import {
  countedCycles,
  innovationSeries,
  latestWith,
  ranksOf,
  rmseSeries,
  spreadSeries,
} from '../../../app/renderer/charts/series.ts';
import { methodStyles } from '../../../app/renderer/state/method-style.ts';
import { createRunStates } from '../../../app/renderer/state/run-view.ts';
import type { ProbeReading, Snapshot } from '../../../app/renderer/session/session.ts';

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

describe('numbers', () => {
  it('has few digits and one minus sign', () => {
    expect(formatNumber(0.041234)).toBe('0.0412');
    expect(formatNumber(-12.345)).toBe('−12.3');
    expect(formatNumber(0)).toBe('0');
    expect(formatNumber(0.00001234)).toBe('1.23·10⁻⁵');
    expect(formatNumber(-1e-7)).toBe('−10⁻⁷');
    expect(formatNumber(250_000)).toBe('2.5·10⁵');
    expect(formatNumber(Number.NaN)).toBe('–');
    expect(formatNumber(undefined)).toBe('–');
    expect(formatQuantity(1.5, 'm')).toBe('1.5\u00a0m');
    expect(formatQuantity(null, 'm')).toBe('–');
    expect(formatPercent(0.8734)).toBe('87.3\u00a0%');
    expect(formatPercent(null)).toBe('–');
    expect(formatProbability(0.0002)).toBe('< 0.001');
    expect(formatProbability(0.2749)).toBe('0.27');
  });

  it('keeps the digits of what was measured', () => {
    expect([0.018, 0.0175, 46, 105, 0].map(formatMeasured)).toEqual(['0.0180', '0.0175', '46.0', '105', '0']);
    expect(formatMeasured(-1e-7)).toBe('−1.00·10⁻⁷');
    expect(formatMeasured(null)).toBe('–');
  });

  it('stands below each other with decimal points in one line', () => {
    const blank = '\u00a0';
    expect(formatColumn([0.018, 0.0175])).toEqual(['0.0180', '0.0175']);
    expect(formatColumn([105, 46, 3.25])).toEqual([`105${blank.repeat(3)}`, `46.0${blank}`, '3.25']);
    // What is not there, and powers of ten, push nothing aside.
    expect(formatColumn([undefined, 0.5, 2e-5])).toEqual(['–', '0.500', '2.00·10⁻⁵']);
  });
});

describe('formatCsv', () => {
  it('quotes, leaves out what is not there, and keeps every digit', () => {
    const rows = [
      ['a,b', 0.1 + 0.2, null],
      ['say "so"', Number.NaN, -1e-9],
    ] as const;
    expect(formatCsv({ columns: ['name', 'x (m)', 'y'], rows })).toBe(
      'name,x (m),y\r\n"a,b",0.30000000000000004,\r\n"say ""so""",,-1e-9\r\n',
    );
  });

  it('keeps a spreadsheet from running a label as a formula', () => {
    expect(formatCsv({ columns: ['method'], rows: [['=1+1'], ['-x']] })).toBe("method\r\n'=1+1\r\n'-x\r\n");
  });
});

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

  it('leaves out cycles without observations', () => {
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
    // What is looked at lies in the future of the present cycle.
    expect(countedCycles(5, 5, [10, 20])).toEqual({ from: 5, to: 5 });
    expect(countedCycles(12, 11, [0, 4])).toEqual({ from: 0, to: 4 });
  });
});

it('marks as ended what the run told of, and no method whose rows are missing', () => {
  const run = createRunStates();
  const { addDivergence, clearRun, divergedMethods } = run.session;
  const rows = new Map([
    ['a', Array.from({ length: 5 }, (_, cycle) => row(cycle))],
    ['b', Array.from({ length: 3 }, (_, cycle) => row(cycle))],
  ]);
  const given = {
    styles: methodStyles(['a', 'b'].map((label) => ({ label, kind: 'letkf', members: 8 }))),
    diagnostics: rows,
  };
  const ended = (): readonly boolean[] => rmseLines(run, given, 'h', 'analysis').map(({ ends }) => ends === true);
  expect(ended()).toEqual([false, false]);
  addDivergence({
    method: 'b',
    cycle: 3,
    stage: 'forecast',
    cause: 'unknown',
    message: 'b diverged',
    edits: [],
    place: undefined,
  });
  expect(divergedMethods.value).toEqual(new Map([['b', 3]]));
  expect(ended()).toEqual([false, true]);
  clearRun();
  expect(divergedMethods.value.size).toBe(0);
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

  it('names variables and stage, and bands only where there are any', () => {
    expect(rmseHelp(['hu', 'hv'], 'both', false)).toBe(
      'Lines: RMSE of hu and hv of the forecast and analysis against the truth.',
    );
    expect(rmseHelp(['h'], 'analysis', true)).toMatch(/Bands end/);
  });

  it('has every variable in the table, with units', () => {
    const rmse = { forecast: { h: 3, hu: 4 }, analysis: { h: 1, hu: 2 } };
    const measured = row(0, { rmse, spread: rmse, crps: rmse, fairCrps: rmse });
    const { columns, rows } = rmseTable({ styles, diagnostics: new Map([['letkf', [measured]]]) });
    expect(columns).toHaveLength(2 + 2 * 16);
    expect(columns).toContain('LETKF: RMSE of the analysis of hu (m²/s)');
    expect(columns).toContain('LETKF: fair CRPS of the forecast of h (m)');
    expect(rows[0].slice(18)).toEqual([3, 1, 3, 1, 3, 1, 3, 1, 4, 2, 4, 2, 4, 2, 4, 2]);
    expect(rows[0].slice(2, 18)).toEqual(Array.from({ length: 16 }, () => null));
  });
});

describe('kernels', () => {
  const ceilings = {
    copyGigabytesPerSecond: 8,
    fmaGigaflopsPerSecond: 16,
    dispatchMicroseconds: 10,
    clock: 'device',
    tickMicroseconds: 0.5,
  } as const;
  const sample = { clock: 'device', flops: 0 } as const;
  const one = timingsOf([
    { ...sample, name: 'a', microseconds: 500, bytes: 1e6 },
    { ...sample, name: 'b', microseconds: 3000, bytes: 1e5, flops: 24e6 },
    { ...sample, name: 'a', microseconds: 500, bytes: 3e6 },
    { ...sample, name: 'short', microseconds: 0.5, bytes: 5 },
  ]);
  const totals = addTimings(addTimings(NO_KERNELS, one), one);
  const rows = kernelRows(totals, ceilings);

  it('are in the mean of a cycle, the slowest first, with rates and the share of the nearer ceiling', () => {
    expect(rows.map(({ name }) => name)).toEqual(['b', 'a', 'short']);
    // 24 MFLOP in 3 ms are 8 GFLOP/s of 16; 4 MB in 1 ms are 4 GB/s of 8.
    expect(rows[0]).toMatchObject({
      milliseconds: 3,
      gigaflopsPerSecond: 8,
      bound: 'arithmetic',
      fractionOfCeiling: 0.5,
    });
    expect(rows[1]).toMatchObject({ milliseconds: 1, calls: 4, gigabytesPerSecond: 4, fractionOfCeiling: 0.5 });
    expect(rows[1].share).toBeCloseTo(2000 / 8001, 12);
    expect(kernelRows(totalsOfCycle({ cycle: 1, timings: one }), ceilings)[1]).toMatchObject({
      milliseconds: 1,
      calls: 2,
    });
  });

  it('say what is known of them, and what is not', () => {
    expect(rows.map((row) => describeFraction(row, ceilings))).toEqual([
      '50 % of the multiply-add rate',
      '50 % of the copy bandwidth',
      'too quick for the clock’s steps of 0.5 µs',
    ]);
    expect(rows.map(describeRates)).toEqual([['0.0333 GB/s', '8 GFLOP/s'], ['4 GB/s'], []]);
    const slow = { ...rows[0], gigabytesPerSecond: 5.14e-4, gigaflopsPerSecond: 5.22e-5 };
    expect(describeRates(slow)).toEqual(['0.514 MB/s', '0.0522 MFLOP/s']);
    const slowDispatch = { ...ceilings, dispatchMicroseconds: 300 };
    const [, a] = kernelRows(totals, slowDispatch);
    expect(describeFraction(a, slowDispatch)).toBe('50 % of the copy bandwidth, mostly dispatch');
    const [b] = kernelRows(totals, undefined);
    expect(describeFraction(b, undefined)).toBe('');
    expect(describeFraction({ ...rows[0], fractionOfCeiling: 0.0123 }, ceilings)).toBe(
      '1.2 % of the multiply-add rate',
    );
    expect(describeFraction({ ...rows[0], fractionOfCeiling: 0.0004 }, ceilings)).toContain('< 0.1 %');
    expect(describeClock(['device', 'device'], ceilings)).toBe('GPU timestamps, 0.5 µs steps');
    expect(describeClock(['wall'], undefined)).toBe('wall clock');
  });

  it('are saved with their ceilings, and without a rate that the clock cannot tell', () => {
    const { columns, rows: cells } = kernelTable(rows, totals.cycles, ceilings);
    const cell = (line: number, column: string) => cells[line][columns.indexOf(column)];
    expect(new Set(cells.map(({ length }) => length))).toEqual(new Set([columns.length]));
    expect(cell(1, 'mean (µs)')).toBe(500);
    expect(cell(1, 'fraction of ceiling')).toBe(0.5);
    expect(cell(1, 'ceiling that applies')).toBe('bandwidth');
    expect(cell(1, 'copy ceiling (GB/s)')).toBe(8);
    expect([cell(2, 'GB/s'), cell(2, 'fraction of ceiling'), cell(2, 'quicker than the clock')]).toEqual([
      null,
      null,
      'yes',
    ]);
    expect(kernelTable(rows, 2, undefined).rows[0].at(-1)).toBeNull();
  });
});

function result(method: string, analysis: number): MethodResult {
  return {
    method,
    cycles: 3,
    rmse: { forecast: { h: analysis * 2, hu: 4 * analysis }, analysis: { h: analysis, hu: 3 * analysis } },
    spread: { forecast: { h: 0, hu: 0.5 }, analysis: { h: 0, hu: 0.25 } },
    skill: null,
    skillByVariable: { h: 1 - analysis / 0.3 },
    milliseconds: { forecast: 1, analysis: 2 },
  };
}

function readingOf(cycle: number, truth: number, members = 0): ProbeReading {
  const values = { forecast: 0, analysis: 0, members: Float32Array.from({ length: members }, (_, k) => k) };
  return { cycle, timeSeconds: cycle, truth, methods: members > 0 ? { letkf: values } : {} };
}

describe('results', () => {
  const results = [result('free', 0.3), result('3dvar', 0.1), result('letkf', 0.2)];
  const rows = resultRows(results, 'h');

  function order(column: 'analysis' | 'skill' | 'method', descending: boolean): string[] {
    return sortResults(rows, { column, descending }).map(({ label }) => label);
  }

  it('sorts either way with what is missing last', () => {
    expect(order('analysis', false)).toEqual(['3dvar', 'letkf', 'free']);
    expect(order('skill', true)).toEqual(['3dvar', 'letkf', 'free']);
    const gone = [{ ...rows[0], skill: Number.NaN }, ...rows.slice(1)];
    expect(sortResults(gone, { column: 'skill', descending: false }).map(({ label }) => label)).toEqual([
      'letkf',
      '3dvar',
      'free',
    ]);
    expect(order('method', true)).toEqual(['letkf', '3dvar', 'free']);
  });

  it('knows the best, and none among one or equals', () => {
    expect(bestOf(rows)).toBe('3dvar');
    expect(bestOf(rows.slice(0, 1))).toBeUndefined();
    expect(bestOf([rows[0], { ...rows[0], label: 'twin' }])).toBeUndefined();
  });

  it('has the skill of its variable, and none that is not there', () => {
    expect(rows.map(({ skill }) => skill)).toEqual([0, 1 - 0.1 / 0.3, 1 - 0.2 / 0.3]);
    // Means of a part of the run say nothing against those of the whole.
    expect(resultRows(results, 'h', new Map([['letkf', 4]])).map(({ skill }) => skill)).toEqual([
      0,
      1 - 0.1 / 0.3,
      Number.NaN,
    ]);
    expect(resultRows(results, 'hu')[1].skill).toBeNaN();
    expect(resultRows(results, 'none')[1].analysis).toBeNaN();
  });

  it('makes a table of all variables with titles, units and empty cells', () => {
    const both = ['h', 'hu'].map((variable) => ({ variable, rows: resultRows(results, variable) }));
    const { columns, rows: cells } = resultTable(both, (label) => label.toUpperCase());
    expect(columns).toContain('RMSE of hu, analysis (m²/s)');
    expect(new Set(cells.map(({ length }) => length))).toEqual(new Set([columns.length]));
    expect(cells[2].slice(0, 5)).toEqual(['LETKF', 0.4, 0.2, null, 1 - 0.2 / 0.3]);
    expect(cells[2].slice(7)).toEqual([0.25, null, 3]);
  });
});

describe('probes', () => {
  const plane = { kind: 'host', values: new Float32Array(4) } as const;
  const state = { eta: plane, hu: plane, hv: plane };
  const snapshot: Snapshot = {
    cycle: 2,
    timeSeconds: 3,
    truth: state,
    methods: [],
    observations: {
      x: Float64Array.of(1, 1, 1, 0),
      y: Float64Array.of(1, 1.4, 1, 0),
      variable: ['h', 'eta', 'u', 'h'],
      network: new Uint16Array(4),
      values: Float64Array.of(1.1, 0.2, 9, 1),
      inverseErrorStd: Float64Array.of(50, 20, 10, 10),
      innovations: {},
    },
  };

  it('finds observations of height at the point, depth as height above the water at rest', () => {
    const found = observationsAt([snapshot], { x: 1, y: 1 }, -1);
    expect(found).toHaveLength(2);
    expect(found[0].y).toBeCloseTo(0.1, 12);
    expect(found[0].deviation).toBeCloseTo(0.02, 12);
    expect(found[1]).toMatchObject({ x: 2, y: 0.2, deviation: 0.05 });
  });

  it('leaves out missing observations', () => {
    const missing = { ...snapshot, observations: { ...snapshot.observations, inverseErrorStd: new Float64Array(4) } };
    expect(observationsAt([missing], { x: 1, y: 1 }, -1)).toEqual([]);
  });

  it('draws few members as lines and many as a band of percentiles', () => {
    const few = membersAt([readingOf(0, 0, 3), readingOf(1, 0, 3)], 'letkf');
    expect(few.bundle).toEqual(
      [0, 1, 2].map((y) => [
        { x: 0, y },
        { x: 1, y },
      ]),
    );
    const many = membersAt([readingOf(0, 0, 101)], 'letkf');
    expect(many.band).toEqual([{ x: 0, low: 5, high: 95 }]);
    expect(membersAt([readingOf(0, 0, 1)], 'letkf')).toEqual({ bundle: [], band: [] });
    expect(membersAt([readingOf(0, 0, 3)], 'other')).toEqual({ bundle: [], band: [] });
  });

  it('prefers what was recorded to what a snapshot tells', () => {
    const merged = mergeReadings([readingOf(0, 1), readingOf(1, 1)], [readingOf(1, 5), readingOf(2, 5)]);
    expect(merged.map(({ truth }) => truth)).toEqual([1, 5, 5]);
  });

  it('keeps a cell within the basin', () => {
    expect(cellAt({ x: 3.6, y: -2 }, { nx: 4, ny: 3 })).toBe(3);
    expect(cellAt({ x: 1.4, y: 2 }, { nx: 4, ny: 3 })).toBe(9);
  });
});
