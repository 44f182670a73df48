/** Errors of smoothed states by lag: how much closer to the truth a state comes by what is observed after it. */
import { methodDefinition } from '../../engine/index.ts';
import { methodRows, overlaidLines } from '../document/lines/overlaid.ts';
import { counted, unitOf, type MethodDiagnostics } from '../document/views/series.ts';
import { withUnit } from '../fields/fields.ts';
import type { DataTable } from '../format/tables.ts';
import type { Point } from '../plot/scales.ts';
import type { PlotSeries } from '../plot/layout.ts';
import { variableChoice, labelLetters, latestOf, methodLine, overlaidEntries, rowsOf } from './figure-data.ts';
import type { FigureData, FigureEntry, FigureRun, LinePanel, ReportedFigures, ShownRun } from './figure-data.ts';

const HELP =
  'RMSE of the same states after the observations of so many later cycles; at lag 0 it is the analysis of the filter. A line that falls says that later observations improve earlier states; where it is level, they have no more to say.';

type Quantity = 'rmse' | 'spread';

/**
 * @returns means over the states that have come to every lag, the same ones at each, from lag 0 on; empty of a method that does not
 *   smooth
 */
export function byLag(rows: MethodDiagnostics, variable: string, quantity: Quantity): readonly number[] {
  const lists = new Map(rows.map((row) => [row.cycle, row.smoothed?.[quantity][variable] ?? []]));
  const most = Math.max(0, ...[...lists.values()].map(({ length }) => length));
  if (most === 0) return [];
  // The state of cycle t is analysed again by the cycles t + 1, t + 2, …
  const states = rows.flatMap((row) => {
    const later = Array.from({ length: most }, (_, index) => lists.get(row.cycle + 1 + index)?.[index]);
    const errors = [row[quantity].analysis[variable], ...later];
    return errors.every((error) => error !== undefined) ? [errors] : [];
  });
  if (states.length === 0) return [];
  return Array.from(states[0], (_, lag) => states.reduce((sum, errors) => sum + errors[lag], 0) / states.length);
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
  if (panels.length === 0 && !styles.some(({ kind }) => methodDefinition(kind).smooths)) return undefined;
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
  words: 'lag smoother enks ienks past error',
  inWindow,
  inReport,
};
