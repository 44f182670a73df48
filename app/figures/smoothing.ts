/** Errors of smoothed states by lag: how much closer to the truth a state comes by what is observed after it. */
import { methodRows, overlaidLines } from '../document/lines/overlaid.ts';
import { counted, unitOf, type MethodDiagnostics } from '../document/views/series.ts';
import { withUnit } from '../fields/fields.ts';
import type { DataTable } from '../format/csv.ts';
import type { Point } from '../plot/decimate.ts';
import type { PlotSeries } from '../plot/layout.ts';
import { variableChoice } from './choices.ts';
import { labelLetters, latestOf, methodLine, overlaidEntries, rowsOf } from './figure-data.ts';
import type { FigureData, FigureEntry, FigureRun, LinePanel, ReportedFigures, ShownRun } from './figure-data.ts';

const HELP =
  'RMSE of a state of so many cycles before, after the observations of all cycles since. At lag 0 it is the analysis of the filter. A line that falls says that later observations improve earlier states; where it is level, they have no more to say.';

type Quantity = 'rmse' | 'spread';

/** @returns means over the cycles that have every lag, from lag 0 on; empty of a method that does not smooth */
export function byLag(rows: MethodDiagnostics, variable: string, quantity: Quantity): readonly number[] {
  const lagsOf = (row: MethodDiagnostics[number]) => row.smoothed?.[quantity][variable]?.length ?? 0;
  const most = Math.max(0, ...rows.map(lagsOf));
  const whole = most === 0 ? [] : rows.filter((row) => lagsOf(row) === most);
  if (whole.length === 0) return [];
  const mean = (of: (row: MethodDiagnostics[number]) => number | undefined): number =>
    whole.reduce((sum, row) => sum + (of(row) ?? Number.NaN), 0) / whole.length;
  return [
    mean((row) => row[quantity].analysis[variable]),
    ...Array.from({ length: most }, (_, index) => mean((row) => row.smoothed?.[quantity][variable][index])),
  ];
}

function pointsOf(rows: MethodDiagnostics, run: Pick<FigureRun, 'from' | 'to'>, variable: string): readonly Point[] {
  return byLag(counted(rows, run), variable, 'rmse').map((y, x) => ({ x, y }));
}

/** The lines of the methods that smooth, marked at each lag. */
function linesOf(run: FigureRun, variable: string): readonly PlotSeries[] {
  return run.styles.flatMap((style): PlotSeries[] => {
    const points = pointsOf(rowsOf(run, style), run, variable);
    const { ends: _ends, ...line } = methodLine(run, style, points);
    return points.length === 0 ? [] : [{ ...line, marked: true }];
  });
}

function panelOf(run: FigureRun, variable: string, series: readonly PlotSeries[]): LinePanel {
  const unit = unitOf(variable);
  return {
    kind: 'lines',
    summary: `Mean RMSE of ${variable} by lag. At the largest lag: ${latestOf(series, unit)}.`,
    x: { label: 'Lag', unit: 'cycles', scale: 'linear', whole: true },
    y: { label: `RMSE of ${variable}`, unit, scale: 'linear' },
    series,
    reading: { nameOf: (lag) => `Lag ${lag}`, reach: 0 },
    heightEm: run.variables.length > 1 ? 12.5 : 17,
    labelLetters: run.variables.length > 1 ? labelLetters(run) : 0,
  };
}

function table(run: ShownRun): DataTable {
  const heads = run.variables.flatMap((variable) => [
    withUnit(`RMSE of ${variable}`, unitOf(variable)),
    withUnit(`spread of ${variable}`, unitOf(variable)),
  ]);
  return {
    columns: ['method', 'lag (cycles)', ...heads],
    rows: methodRows(run, run.shown.overlaid).flatMap(({ title, rows }) => {
      const lists = run.variables.flatMap((variable) =>
        (['rmse', 'spread'] as const).map((quantity) => byLag(counted(rows, run), variable, quantity)),
      );
      return Array.from(lists[0] ?? [], (_, lag) => [title, lag, ...lists.map((values) => values[lag] ?? null)]);
    }),
  };
}

/** @returns undefined for a run without a smoother */
function inWindow(run: ShownRun): FigureData | undefined {
  const { styles, shown, variables, from, to } = run;
  const panels = variables.flatMap((variable) => {
    const own = linesOf(run, variable);
    const beside = overlaidLines(shown, (rows) => pointsOf(rows, run, variable)).map((line) => ({
      ...line,
      marked: true,
    }));
    return own.length === 0 ? [] : [panelOf(run, variable, [...own, ...beside])];
  });
  if (panels.length === 0 && !styles.some(({ kind }) => kind === 'enks')) return undefined;
  const drawn = new Set(panels.flatMap(({ series }) => series.map(({ key }) => key)));
  return {
    title: panels.length > 0 ? `Smoothing, cycles ${from} to ${to}` : 'Smoothing',
    help: HELP,
    panels,
    table: () => table(run),
    legend: [...styles.filter(({ label }) => drawn.has(label)), ...overlaidEntries(run)],
    empty: panels.length > 0 ? undefined : 'Errors by lag appear here after the cycles that settle.',
    controls: [variableChoice(run)],
  };
}

function inReport(run: ReportedFigures): readonly FigureData[] {
  return run.variables.flatMap((variable) => {
    const series = linesOf(run, variable);
    if (series.length === 0) return [];
    return [
      {
        title: `Error of ${variable} by lag`,
        help: HELP,
        panels: [panelOf(run, variable, series)],
        legend: run.styles.filter(({ label }) => series.some(({ key }) => key === label)),
      },
    ];
  });
}

export const SMOOTHING: FigureEntry = {
  id: 'smoothing',
  name: 'Smoothing',
  words: 'lag smoother enks past error',
  inWindow,
  inReport,
};
