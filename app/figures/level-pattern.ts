/**
 * The error of each method split by cycle into that of the mean level, the mean of the error over the basin, and that of the pattern
 * about it: rmse² = level² + pattern².
 */
import { withOverlaid } from '../document/lines/overlaid.ts';
import { errorPartSeries, unitOf, type MethodDiagnostics } from '../document/views/series.ts';
import {
  variableChoice,
  CYCLE_AXIS,
  labelLetters,
  latestOf,
  methodLine,
  overlaidEntries,
  rowsOf,
} from './figure-data.ts';
import type { FigureData, FigureEntry, LinePanel, ReportedFigures, ShownRun, ValueAxis } from './figure-data.ts';
import { reportedCurve } from './errors.ts';

const PARTS = [
  { part: 'meanError', name: 'Level error', words: 'Mean over the basin of the error, signed' },
  { part: 'rmsePattern', name: 'Pattern error', words: 'RMSE about the mean error' },
] as const;
type Part = (typeof PARTS)[number];

const HELP =
  'The error in two parts: its mean over the basin, as if the water were too high or too low everywhere, and what is left about it. Their squares sum to the square of the RMSE. Observations that share an error move the level; localisation and covariances decide about the pattern.';

function axisOf({ name }: Part, variable: string): ValueAxis {
  return { label: `${name} of ${variable}`, unit: unitOf(variable), scale: 'linear' };
}

function panelOf(run: ShownRun, each: Part, variable: string): LinePanel {
  const { styles, stage, shown } = run;
  const pointsOf = (rows: MethodDiagnostics) => errorPartSeries(rows, variable, stage, each.part);
  const own = styles.map((style) => methodLine(run, style, pointsOf(rowsOf(run, style))));
  const series = withOverlaid(shown, own, styles, pointsOf);
  const y = axisOf(each, variable);
  return {
    kind: 'lines',
    summary: `${y.label} by cycle. Latest: ${latestOf(series, y.unit)}.`,
    x: CYCLE_AXIS,
    y,
    series,
    ...(each.part === 'meanError' && { references: [{ y: 0, label: '' }] }),
    heightEm: 11.5,
    labelLetters: labelLetters(run),
  };
}

function inWindow(run: ShownRun): FigureData {
  const { variables, styles, overlaidNote } = run;
  const isKnown = [...run.diagnostics.values()].some((rows) => rows.some(({ meanError }) => meanError !== undefined));
  const panels = variables.flatMap((variable) => PARTS.map((each) => panelOf(run, each, variable)));
  const methods = styles.flatMap((style) => rowsOf(run, style).map((row) => ({ title: style.title, row })));
  return {
    title: 'Mean level and pattern',
    help: HELP,
    panels,
    table: () => ({
      columns: [
        'cycle',
        'method',
        ...variables.flatMap((variable) =>
          PARTS.flatMap(({ name }) => [`${name} of ${variable}, forecast`, `${name} of ${variable}, analysis`]),
        ),
      ],
      rows: methods.map(({ title, row }) => [
        row.cycle,
        title,
        ...variables.flatMap((variable) =>
          PARTS.flatMap(({ part }) => [row[part]?.forecast[variable] ?? null, row[part]?.analysis[variable] ?? null]),
        ),
      ]),
    }),
    empty:
      isKnown && panels.length > 0
        ? undefined
        : 'The error of the mean level and that of the pattern appear here after the first cycle.',
    legend: [...styles, ...overlaidEntries(run)],
    note: overlaidNote,
    controls: ['zoom', 'free run', variableChoice(run)],
  };
}

function inReport(run: ReportedFigures): readonly FigureData[] {
  return run.variables.flatMap((variable) =>
    PARTS.flatMap((each) => {
      const series = run.styles.flatMap((style) => {
        const points = errorPartSeries(rowsOf(run, style), variable, 'analysis', each.part);
        return points.length > 0 ? [methodLine(run, style, run.along(points))] : [];
      });
      const axis = axisOf(each, variable);
      return reportedCurve(run, axis, series, `${axis.label} of the analysis. ${each.words}.`);
    }),
  );
}

export const LEVEL_PATTERN: FigureEntry = {
  id: 'level-pattern',
  name: 'Mean level and pattern',
  words: 'bias mean error split rmse',
  inWindow,
  inReport,
};
