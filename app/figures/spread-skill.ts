/** Errors of the forecast by bins of the ensemble's spread: whether the members know where they are wrong. */
import { spreadSkillPoints } from '../../engine/index.ts';
import { methodRows, overlaidLines } from '../document/lines/overlaid.ts';
import { counted, unitOf, type MethodDiagnostics } from '../document/views/series.ts';
import { withUnit } from '../fields/fields.ts';
import type { DataTable } from '../format/tables.ts';
import { formatQuantity } from '../format/numbers.ts';
import type { Point } from '../plot/scales.ts';
import type { PlotSeries } from '../plot/layout.ts';
import { sampledVariableChoice, methodLine, overlaidEntries, rowsOf } from './figure-data.ts';
import type { FigureData, FigureEntry, FigureRun, LinePanel, ReportedFigures, ShownRun } from './figure-data.ts';

const HELP =
  'On the dashed 1:1 line the spread equals the error. Above it the ensemble is underdispersive (overconfident), below it overdispersive. A level line means that the spread does not show where the errors are.';
/** The members' correction, and what is omitted. */
const NOTE =
  'Spread times √((k + 1)/k), the error of a mean of k members that the truth is like. Bins of fewer than one cell in a thousand are not drawn.';

/** Smallest share of all cells: bins with fewer are a handful of places. */
const LEAST_SHARE = 1e-3;

/** @returns errors by ascending spread, both in the unit of the variable */
function pointsOf(rows: MethodDiagnostics, span: Pick<FigureRun, 'from' | 'to'>, variable: string): readonly Point[] {
  return spreadSkillPoints(counted(rows, span), variable)
    .filter(({ share }) => share >= LEAST_SHARE)
    .map(({ spread, rmse }) => ({ x: spread, y: rmse }));
}

/** @returns the ends that both axes have, so that the 1:1 line is their diagonal; undefined without points */
export function squareDomain(lines: readonly (readonly Point[])[]): readonly [number, number] | undefined {
  const values = lines.flatMap((points) => points.flatMap(({ x, y }) => [x, y])).filter(Number.isFinite);
  return values.length === 0 || Math.max(...values) === 0 ? undefined : [0, 1.05 * Math.max(...values)];
}

function table(run: FigureRun, variable: string): DataTable {
  const unit = unitOf(variable);
  return {
    columns: [
      'method',
      withUnit('spread with the correction for k members', unit),
      withUnit('RMSE', unit),
      'share of the cells',
    ],
    rows: methodRows(run, run.shown.overlaid).flatMap(({ title, rows }) =>
      spreadSkillPoints(counted(rows, run), variable).map(({ spread, rmse, share }) => [title, spread, rmse, share]),
    ),
  };
}

/** The lines of the methods that have any, marked at their bins. */
function linesOf(run: FigureRun, variable: string): readonly PlotSeries[] {
  return run.styles.flatMap((style): PlotSeries[] => {
    const points = pointsOf(rowsOf(run, style), run, variable);
    const { ends: _ends, ...line } = methodLine(run, style, points);
    return points.length === 0 ? [] : [{ ...line, marked: true, unlabelled: true }];
  });
}

/** @param of as titles of axes end: ` of h` */
function panelOf(
  { truth }: FigureRun,
  drawn: readonly PlotSeries[],
  domain: readonly [number, number],
  unit: string,
  { of, summary }: { readonly of: string; readonly summary: string },
): LinePanel {
  const diagonal: PlotSeries = {
    key: '1:1',
    label: '1:1',
    color: truth.colour,
    dash: '4 4',
    thin: true,
    guide: true,
    unlabelled: true,
    points: domain.map((end) => ({ x: end, y: end })),
  };
  return {
    kind: 'lines',
    summary,
    x: { label: `Spread${of}`, unit, scale: 'linear', domain },
    y: { label: `RMSE${of}`, unit, scale: 'linear', domain },
    series: [diagonal, ...drawn],
    // Each method has bins of its own.
    reading: { nameOf: (x) => `Spread ${formatQuantity(x, unit)}`, reach: 0 },
    heightEm: 17,
  };
}

function inWindow(run: ShownRun): FigureData {
  const { from, to, styles, shown, sampledVariable: variable } = run;
  const unit = unitOf(variable);
  const lines = linesOf(run, variable);
  const beside = overlaidLines(shown, (rows) => pointsOf(rows, run, variable)).map((line) => ({
    ...line,
    marked: true,
    unlabelled: true,
  }));
  const drawn = [...lines, ...beside];
  const domain = squareDomain(drawn.map(({ points }) => points));
  const ends = drawn.map(({ label, points }) => {
    const last = points.at(-1);
    return `${label} ${formatQuantity(last?.y, unit)} where the spread is ${formatQuantity(last?.x, unit)}`;
  });
  const summary = `RMSE of the forecast of ${variable} by bins of spread. Largest spread: ${ends.join(', ')}.`;
  return {
    title: domain ? `Spread and error of ${variable}, cycles ${from} to ${to}` : 'Spread and error',
    help: HELP,
    panels: domain ? [panelOf(run, drawn, domain, unit, { of: '', summary })] : [],
    table: () => table(run, variable),
    legend: [...styles.filter(({ label }) => lines.some(({ key }) => key === label)), ...overlaidEntries(run)],
    note: NOTE,
    empty: domain
      ? undefined
      : 'Errors by the spread of the members appear here for methods with an ensemble, after the first cycle.',
    controls: [sampledVariableChoice(run)],
  };
}

function inReport(run: ReportedFigures): readonly FigureData[] {
  return run.variables.flatMap((variable) => {
    const drawn = linesOf(run, variable);
    const domain = squareDomain(drawn.map(({ points }) => points));
    if (!domain) return [];
    const names = drawn.map(({ label }) => label).join(', ');
    const summary = `Error of the forecast of ${variable} by bins of spread, of ${names}, with the 1:1 line.`;
    return [
      {
        title: `Spread and error of ${variable}`,
        help: HELP,
        note: NOTE,
        panels: [panelOf(run, drawn, domain, unitOf(variable), { of: ` of ${variable}`, summary })],
        legend: run.styles.filter(({ label }) => drawn.some(({ key }) => key === label)),
      },
    ];
  });
}

export const SPREAD_SKILL: FigureEntry = {
  id: 'spread-skill',
  name: 'Spread and error',
  words: 'skill bins reliability ensemble',
  inWindow,
  inReport,
};
