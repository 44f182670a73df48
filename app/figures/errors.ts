/** Error and spread by cycle and method. The band ends at the spread: with consistent statistics the line follows its edge. */
import type { CycleDiagnostics } from '../../engine/index.ts';
import { methodRows, withOverlaid, type OverlaidRun } from '../document/lines/overlaid.ts';
import { isFreeRun, type MethodStyle } from '../document/views/method-style.ts';
import type { MethodDiagnostics, Stage } from '../document/views/series.ts';
import { rmseSeries, spreadSeries, unitOf, variablesOf } from '../document/views/series.ts';
import { withUnit } from '../fields/fields.ts';
import type { DataTable } from '../format/tables.ts';
import type { Point } from '../plot/scales.ts';
import type { PlotSeries } from '../plot/layout.ts';
import {
  variableChoice,
  CYCLE_AXIS,
  labelLetters,
  latestOf,
  methodLine,
  overlaidEntries,
  rowsOf,
  type FigureChoice,
  type FigureData,
  type FigureEntry,
  type FigureRun,
  type LinePanel,
  type ReportedFigures,
  type ShownRun,
  type ValueAxis,
} from './figure-data.ts';

const STAGES = [
  { value: 'forecast', label: 'Forecast' },
  { value: 'analysis', label: 'Analysis' },
  { value: 'both', label: 'Both' },
];

/** What the table has of each variable: its name in words, and where it is in a row of diagnostics. */
const MEASURES: readonly {
  readonly title: string;
  readonly of: (row: CycleDiagnostics, variable: string) => number | undefined;
}[] = [
  { title: 'RMSE of the forecast', of: ({ rmse }, name) => rmse.forecast[name] },
  { title: 'RMSE of the analysis', of: ({ rmse }, name) => rmse.analysis[name] },
  // A single member has no spread, which is not the same as a spread of 0.
  { title: 'spread of the forecast', of: ({ spread }, name) => spread.forecast[name] || undefined },
  { title: 'spread of the analysis', of: ({ spread }, name) => spread.analysis[name] || undefined },
  { title: 'CRPS of the forecast', of: ({ crps }, name) => crps.forecast[name] },
  { title: 'CRPS of the analysis', of: ({ crps }, name) => crps.analysis[name] },
  { title: 'fair CRPS of the forecast', of: ({ fairCrps }, name) => fairCrps.forecast[name] },
  { title: 'fair CRPS of the analysis', of: ({ fairCrps }, name) => fairCrps.analysis[name] },
];

/** Errors, spread and scores of every variable of the model, whichever are shown; those of overlaid runs after them. */
export function errorTable(
  { styles, diagnostics }: Pick<FigureRun, 'styles' | 'diagnostics'>,
  overlaid: readonly OverlaidRun[] = [],
): DataTable {
  const variables = variablesOf(diagnostics.values());
  const methods = methodRows({ styles, diagnostics }, overlaid);
  const heads = variables.flatMap((variable) =>
    MEASURES.map(({ title }) => withUnit(`${title} of ${variable}`, unitOf(variable))),
  );
  const cycles = new Map<number, number>();
  for (const { rows } of methods) {
    for (const { cycle, timeSeconds } of rows) cycles.set(cycle, timeSeconds);
  }
  const byCycle = methods.map(({ rows }) => new Map(rows.map((row) => [row.cycle, row])));
  return {
    columns: ['cycle', 'time (s)', ...methods.flatMap(({ title }) => heads.map((head) => `${title}: ${head}`))],
    rows: [...cycles]
      .sort(([a], [b]) => a - b)
      .map(([cycle, time]) => [
        cycle,
        time,
        ...byCycle.flatMap((rows) => {
          const row = rows.get(cycle);
          return variables.flatMap((variable) =>
            MEASURES.map(({ of }) => (row === undefined ? null : (of(row, variable) ?? null))),
          );
        }),
      ]),
  };
}

/** The lines and bands of one variable. @param along what is done with their points */
function errorLines(
  run: FigureRun,
  variable: string,
  stage: Stage | 'both',
  along: ReportedFigures['along'] = (points) => points,
): PlotSeries[] {
  return run.styles.map((style) => {
    const rows = rowsOf(run, style);
    const band = along(spreadSeries(rows, variable, stage)).map(({ x, y }) => ({ x, low: 0, high: y }));
    const line = methodLine(run, style, along(rmseSeries(rows, variable, stage)));
    return { ...line, ...(band.length > 0 && { band }) };
  });
}

function errorHelp(variables: readonly string[], what: string, hasBands: boolean): string {
  const lines = `Lines: RMSE of ${variables.join(' and ')} of the ${what} against the truth.`;
  if (!hasBands) return lines;
  return `${lines} Bands end at the ensemble’s spread. For a consistent ensemble the line follows the edge of its band.`;
}

/** @returns a line minus another, at the places of both */
function minus(points: readonly Point[], subtracted: readonly Point[]): Point[] {
  const at = new Map(subtracted.map(({ x, y }) => [x, y]));
  return points.flatMap(({ x, y }) => {
    const other = at.get(x);
    return other !== undefined && Number.isFinite(y - other) ? [{ x, y: y - other }] : [];
  });
}

/** The lines of a figure by cycle. */
function lineTable(panels: readonly LinePanel[]): DataTable {
  const lines = panels.flatMap(({ series, y }) =>
    series.map(({ label, points }) => ({
      column: `${label}: ${withUnit(y.label, y.unit)}`,
      at: new Map(points.map((point) => [point.x, point.y])),
    })),
  );
  const cycles = [...new Set(lines.flatMap(({ at }) => [...at.keys()]))].sort((a, b) => a - b);
  return {
    columns: ['cycle', ...lines.map(({ column }) => column)],
    rows: cycles.map((cycle) => [cycle, ...lines.map(({ at }) => at.get(cycle) ?? null)]),
  };
}

/** Errors minus those of one method, which is the axis. */
function differences(run: ShownRun, from: MethodStyle): Pick<FigureData, 'title' | 'help' | 'panels' | 'table'> {
  const { variables, stage, styles, shown } = run;
  const others = styles.filter(({ label }) => label !== from.label);
  const panels = variables.map((variable): LinePanel => {
    const subtracted = rmseSeries(rowsOf(run, from), variable, stage);
    const pointsOf = (rows: MethodDiagnostics): Point[] => minus(rmseSeries(rows, variable, stage), subtracted);
    const own = others.map((style) => methodLine(run, style, pointsOf(rowsOf(run, style))));
    const series = withOverlaid(shown, own, others, pointsOf);
    const unit = unitOf(variable);
    const label = `RMSE of ${variable} minus that of ${from.title}`;
    return {
      kind: 'lines',
      summary: `${label}, by cycle. Latest: ${latestOf(series, unit)}.`,
      x: CYCLE_AXIS,
      y: { label, unit, scale: 'linear' },
      series,
      references: [{ y: 0, label: '' }],
      heightEm: variables.length > 1 ? 12.5 : 17,
      labelLetters: variables.length > 1 ? labelLetters(run) : 0,
    };
  });
  return {
    title: 'Difference of errors',
    help: `Lines: RMSE of ${variables.join(' and ')} of the ${stageWords(stage)}, minus that of ${from.title}. Below 0 a method is closer to the truth than ${from.title}, above 0 farther from it.`,
    panels,
    table: () => lineTable(panels),
  };
}

function stageWords(stage: Stage | 'both'): string {
  return stage === 'both' ? 'forecast and analysis' : stage;
}

function differenceChoice({ styles }: ShownRun, from: MethodStyle | undefined): FigureChoice {
  const methods = styles.map(({ label, title }) => ({ value: label, label: `− ${title}` }));
  const options = [{ value: '', label: 'Errors' }, ...methods];
  return { of: 'difference', label: 'Method whose errors are subtracted', value: from?.label ?? '', options };
}

function inWindow(run: ShownRun): FigureData {
  const from = run.styles.find(({ label }) => label === run.difference);
  const drawn = from ? differences(run, from) : errors(run);
  return {
    ...drawn,
    legend: [...run.styles, ...overlaidEntries(run)],
    note: [run.editNote, run.overlaidNote].filter(Boolean).join(' ') || undefined,
    empty:
      run.variables.length === 0
        ? 'The error of each method appears here after the first cycle. Press play or step.'
        : undefined,
    controls: [
      'zoom',
      'free run',
      variableChoice(run),
      { of: 'errorStage', label: 'State', value: run.stage, options: STAGES },
      ...(run.styles.length > 1 ? [differenceChoice(run, from)] : []),
    ],
  };
}

function errors(run: ShownRun): Pick<FigureData, 'title' | 'help' | 'panels' | 'table'> {
  const { variables, stage, styles, shown } = run;
  const what = stageWords(stage);
  const panels = variables.map((variable): LinePanel => {
    const series = withOverlaid(shown, errorLines(run, variable, stage), styles, (rows) =>
      rmseSeries(rows, variable, stage).filter(({ y }) => Number.isFinite(y)),
    );
    const unit = unitOf(variable);
    return {
      kind: 'lines',
      summary: `RMSE of ${variable} of the ${what} by cycle. Latest: ${latestOf(series, unit)}.`,
      x: CYCLE_AXIS,
      y: { label: `RMSE of ${variable}`, unit, scale: 'linear' },
      series,
      heightEm: variables.length > 1 ? 12.5 : 17,
      labelLetters: variables.length > 1 ? labelLetters(run) : 0,
    };
  });
  const hasBands = panels.some(({ series }) => series.some(({ band }) => band !== undefined));
  return {
    title: hasBands ? 'Error and spread' : 'Error',
    help: errorHelp(variables, what, hasBands),
    panels,
    table: () => errorTable(run, shown.overlaid),
  };
}

/** A curve by cycle in a report. */
export function reportedCurve(
  run: ReportedFigures,
  y: ValueAxis,
  series: readonly PlotSeries[],
  caption: string,
  references?: LinePanel['references'],
): readonly FigureData[] {
  if (series.every(({ points }) => points.length === 0)) return [];
  const summary = `${y.label} by cycle. Latest: ${latestOf(series, y.unit)}.`;
  return [
    {
      title: '',
      help: `${caption}${run.alongWords}`,
      panels: [{ kind: 'lines', summary, x: CYCLE_AXIS, y, series, ...(references && { references }) }],
      legend: run.styles.filter(({ label }) => series.some(({ key }) => key === label)),
    },
  ];
}

function reportedErrors(run: ReportedFigures, variable: string, stage: Stage): readonly FigureData[] {
  return reportedCurve(
    run,
    { label: `RMSE of ${variable}, ${stage}`, unit: unitOf(variable), scale: 'fitting' },
    errorLines(run, variable, stage, run.along),
    `RMSE of ${variable} of the ${stage} against the truth. Bands end at the ensemble’s spread: for a consistent ensemble the line follows the edge of its band.`,
  );
}

/** 1 − RMSE / RMSE of the free run, of the analysis, cycle by cycle. */
function skillPoints(rows: MethodDiagnostics, free: MethodDiagnostics, variable: string): Point[] {
  const reference = new Map(free.map(({ cycle, rmse }) => [cycle, rmse.analysis[variable]]));
  return rows.flatMap(({ cycle, rmse }) => {
    const against = reference.get(cycle);
    return against !== undefined && against > 0 ? [{ x: cycle, y: 100 * (1 - rmse.analysis[variable] / against) }] : [];
  });
}

function reportedSkill(run: ReportedFigures, variable: string): readonly FigureData[] {
  const free = run.styles.find(({ kind }) => isFreeRun(kind));
  if (!free) return [];
  const others = run.styles.filter((style) => style !== free);
  return reportedCurve(
    run,
    { label: `Skill in ${variable}`, unit: '%', scale: 'linear', lowest: -100 },
    others.map((style) =>
      methodLine(run, style, run.along(skillPoints(rowsOf(run, style), rowsOf(run, free), variable))),
    ),
    `Share of the free run’s error in ${variable} that is gone after the analysis; dashed: the free run itself.`,
    [{ y: 0, label: '' }],
  );
}

/** Where spread says what the error is. */
function reportedRatio(run: ReportedFigures, variable: string): readonly FigureData[] {
  const series = run.styles.flatMap((style) => {
    const points = rowsOf(run, style).flatMap(({ cycle, rmse, spread }) =>
      rmse.forecast[variable] > 0 && spread.forecast[variable] > 0
        ? [{ x: cycle, y: spread.forecast[variable] / rmse.forecast[variable] }]
        : [],
    );
    return points.length > 0 && !isFreeRun(style.kind) ? [methodLine(run, style, run.along(points))] : [];
  });
  return reportedCurve(
    run,
    { label: `Spread over error of ${variable}, forecast`, unit: '', scale: 'linear' },
    series,
    `Spread of ${variable} over its error before the analysis: below 1 the ensemble is underdispersive, above 1 overdispersive; dashed: consistent.`,
    [{ y: 1, label: '' }],
  );
}

export const ERRORS: FigureEntry = {
  id: 'rmse',
  name: 'Error and spread',
  words: 'rmse curves',
  inWindow,
  inReport: (run) =>
    run.variables.flatMap((variable) => [
      ...reportedErrors(run, variable, 'analysis'),
      ...reportedErrors(run, variable, 'forecast'),
      ...reportedSkill(run, variable),
      ...reportedRatio(run, variable),
    ]),
};
