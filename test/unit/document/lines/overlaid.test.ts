import { describe, expect, it } from 'vitest';
import type { CycleDiagnostics } from '../../../../engine/index.ts';
import { methodRows, overlaidCurve, overlaidSpans, withOverlaid } from '../../../../app/document/lines/overlaid.ts';
import type { OverlaidRun } from '../../../../app/document/lines/overlaid.ts';
import { createChartState, shownLines } from '../../../../app/figures/chart-state.ts';
import { layoutPlot } from '../../../../app/plot/layout.ts';
import type { PlotSeries } from '../../../../app/plot/layout.ts';
import { errorTable } from '../../../../app/figures/errors.ts';
import { rmseSeries } from '../../../../app/document/views/series.ts';
import type { MethodDiagnostics } from '../../../../app/document/views/series.ts';
import { methodStyles } from '../../../../app/document/views/method-style.ts';
import { createRunStates } from '../../../../app/document/run-view.ts';
import { diagnosticsOf, infoOf, scenarioOf } from '../run/fake-run.ts';

/** Rows of one method with an error of its own. */
function rowsOf(method: string, cycles: number, error: number, window = 600): MethodDiagnostics {
  return Array.from({ length: cycles }, (_, cycle): CycleDiagnostics => ({
    ...diagnosticsOf(method, cycle),
    timeSeconds: (cycle + 1) * window,
    rmse: { forecast: { h: 2 * error }, analysis: { h: error } },
  }));
}

function overlaidRun(id: string, labels: readonly string[], rows: MethodDiagnostics, more: Partial<OverlaidRun> = {}) {
  return {
    id,
    title: `run ${id}`,
    dash: '3 3',
    diagnostics: new Map(labels.map((label) => [label, rows.map((row) => ({ ...row, method: label }))])),
    styles: methodStyles(labels.map((label) => ({ label, kind: label, members: 4 }))),
    diverged: new Map(),
    cells: undefined,
    ...more,
  } satisfies OverlaidRun;
}

/** A run of free run and LETKF on screen, with cycles of 600 s. */
function onScreen() {
  const states = createRunStates();
  const charts = createChartState(states.course, states.edits);
  const scenario = scenarioOf(20);
  states.course.info.value = infoOf({ ...scenario, experiment: { ...scenario.experiment, window: 600 } });
  return { ...states, charts };
}

describe('runs over the charts', () => {
  it('draws each method of each run, thin and dashed, in the colour that the method has on screen', () => {
    const run = onScreen();
    // The second LETKF of its run has another shade there than the only one on screen.
    const styles = methodStyles([
      { label: 'other', kind: 'letkf', members: 4 },
      { label: 'letkf', kind: 'letkf', members: 4 },
    ]);
    const withdraw = run.charts.overlay(() => [
      overlaidRun('a', ['letkf', 'other'], rowsOf('letkf', 3, 1), { styles }),
    ]);
    const own = run.course.styles.value;
    const lines = withOverlaid(shownLines(run), [], own, (rows) => rmseSeries(rows, 'h', 'analysis'));
    expect(lines.map(({ label }) => label)).toEqual(['other, run a', 'LETKF, run a']);
    expect(lines.map(({ endLabel }) => endLabel)).toEqual(['run a', 'run a']);
    expect(lines.every(({ thin, dash }) => thin === true && dash === '3 3')).toBe(true);
    expect(lines[1].color).toBe(own.find(({ label }) => label === 'letkf')?.colour);
    expect(run.charts.furtherStyles.value.map(({ label }) => label)).toEqual(['other']);
    withdraw();
    expect(run.charts.overlaid.value).toEqual([]);
  });

  it('hides what the legend hides, and draws back what is not pointed at', () => {
    const run = onScreen();
    run.charts.overlay(() => ['a', 'b'].map((id) => overlaidRun(id, ['free-run', 'letkf'], rowsOf('letkf', 3, 1))));
    const lines = () =>
      withOverlaid(shownLines(run), [], run.course.styles.value, (rows) => rmseSeries(rows, 'h', 'analysis'));
    expect(lines().length).toBe(4);
    run.view.toggleMethod('free-run');
    expect(lines().map(({ key }) => key)).toEqual(['a letkf', 'b letkf']);
    run.charts.highlightedRun.value = 'b';
    expect(lines().map(({ faded }) => faded)).toEqual([true, false]);
  });

  it('places cycles of another length by model time, and says so', () => {
    const run = onScreen();
    run.charts.overlay(() => [
      overlaidRun('a', ['free-run', 'letkf'], rowsOf('letkf', 4, 1, 300), { diverged: new Map([['letkf', 3]]) }),
    ]);
    const [letkf] = run.charts.overlaid.value.map(({ diagnostics }) => diagnostics.get('letkf') ?? []);
    // Ends of cycles at 300, 600, 900 and 1200 s; on screen those of cycles 0 and 1 are at 600 and 1200 s.
    expect(letkf.map(({ cycle }) => cycle)).toEqual([-0.5, 0, 0.5, 1]);
    expect(run.charts.overlaid.value[0].diverged.get('letkf')).toBe(1);
    expect(run.charts.overlaidNote.value).toBe('run a has cycles of 300 s, drawn by model time.');
  });

  it('says which methods are in one of the runs only, and which run has no cycle', () => {
    const run = onScreen();
    run.charts.overlay(() => [
      overlaidRun('a', ['letkf', 'enkf'], rowsOf('letkf', 2, 1)),
      overlaidRun('b', ['letkf'], []),
    ]);
    expect(run.charts.overlaidNote.value).toBe('Only in run a: EnKF. Not in run a: Free run. run b has no cycles yet.');
  });

  it('leaves free runs out of the axis, whichever run they are of', () => {
    const run = onScreen();
    const rows = new Map([
      ['letkf', rowsOf('letkf', 3, 1)],
      ['free-run', rowsOf('free-run', 3, 50)],
    ]);
    run.charts.overlay(() => [overlaidRun('a', ['free-run', 'letkf'], [], { diagnostics: rows })]);
    const outside = () =>
      withOverlaid(shownLines(run), [], run.course.styles.value, (each) => rmseSeries(each, 'h', 'analysis')).map(
        (one) => one.outside === true,
      );
    expect(outside()).toEqual([true, false]);
    run.charts.withFreeRun.value = true;
    expect(outside()).toEqual([false, false]);
  });

  it('is beside one curve of a method, where a figure has several', () => {
    const run = onScreen();
    run.charts.overlay(() => ['a', 'b'].map((id) => overlaidRun(id, ['free-run', 'letkf'], rowsOf('letkf', 3, 1))));
    const lines = () =>
      overlaidCurve(shownLines(run), 'letkf', { key: 'crps', label: 'CRPS' }, (rows) =>
        rmseSeries(rows, 'h', 'analysis'),
      );
    expect(lines().map(({ key, label, beside }) => [key, label, beside])).toEqual([
      ['a letkf crps', 'CRPS, run a', 'crps'],
      ['b letkf crps', 'CRPS, run b', 'crps'],
    ]);
    // Another method is pointed at: this one is drawn all the same.
    run.view.highlightedMethod.value = 'free-run';
    expect(lines().map(({ faded }) => faded)).toEqual([false, false]);
    run.charts.highlightedRun.value = 'a';
    expect(lines().map(({ faded }) => faded)).toEqual([false, true]);
  });

  it('is named where its means are over a part of the cycles', () => {
    const later = rowsOf('letkf', 8, 1).slice(5);
    const runs = [
      overlaidRun('a', ['letkf'], rowsOf('letkf', 20, 1)),
      overlaidRun('b', ['letkf'], later),
      overlaidRun('c', ['letkf'], rowsOf('letkf', 2, 1)),
    ];
    expect(overlaidSpans(runs, 3, 9)).toBe('Means of run b are over cycles 5 to 7. run c has none of cycles 3 to 9.');
    expect(overlaidSpans(runs.slice(0, 1), 3, 9)).toBe('');
  });

  it('has rows of its own in a table of means', () => {
    const given = { styles: methodStyles([{ label: 'letkf', kind: 'letkf', members: 4 }]), diagnostics: new Map() };
    const found = methodRows(given, [overlaidRun('a', ['letkf'], rowsOf('letkf', 2, 3))]);
    expect(found.map(({ title, rows, run }) => [title, rows.length, run?.id])).toEqual([
      ['LETKF', 0, undefined],
      ['LETKF, run a', 2, 'a'],
    ]);
  });

  it('has columns for its methods, named with the run', () => {
    const run = onScreen();
    run.charts.overlay(() => [overlaidRun('a', ['letkf'], rowsOf('letkf', 2, 3))]);
    const given = {
      styles: methodStyles([{ label: 'letkf', kind: 'letkf', members: 4 }]),
      diagnostics: new Map([['letkf', rowsOf('letkf', 1, 1)]]),
    };
    const { columns, rows } = errorTable(given, run.charts.overlaid.value);
    const column = columns.indexOf('LETKF, run a: RMSE of the analysis of h (m)');
    expect(
      rows.map((row) => [row[0], row[columns.indexOf('LETKF: RMSE of the analysis of h (m)')], row[column]]),
    ).toEqual([
      [0, 1, 3],
      [1, null, 3],
    ]);
  });
});

function line(key: string, y: number, beside?: string): PlotSeries {
  return {
    key,
    label: key,
    color: 'red',
    dash: '',
    points: [
      { x: 0, y: 0 },
      { x: 5, y },
    ],
    ...(beside !== undefined && { beside }),
  };
}

function plot(count: number) {
  return layoutPlot({
    width: 380,
    height: 120,
    em: 11,
    x: { label: 'Cycle', unit: '', scale: 'linear', whole: true },
    y: { label: 'RMSE', unit: 'm', scale: 'linear' },
    series: [line('own', 0.5), ...Array.from({ length: count }, (_, n) => line(`other ${n}`, n, 'own'))],
  });
}

it('omits the labels of other runs first where not all fit', () => {
  expect(plot(2).labels.map(({ key }) => key)).toEqual(['own', 'other 0', 'other 1']);
  expect(plot(2).needsLegend).toBe(false);
  expect(plot(12).labels.map(({ key }) => key)).toEqual(['own']);
  expect(plot(12).needsLegend).toBe(true);
});

it('has one label for a line and that of a run that ends just where it does', () => {
  const spec = {
    width: 380,
    height: 120,
    em: 11,
    x: { label: 'Cycle', unit: '', scale: 'linear', whole: true },
    y: { label: 'RMSE', unit: 'm', scale: 'linear' },
  } as const;
  const { labels, needsLegend } = layoutPlot({ ...spec, series: [line('own', 1), line('same', 1, 'own')] });
  expect(labels.map(({ key }) => key)).toEqual(['own']);
  expect(needsLegend).toBe(true);
});
