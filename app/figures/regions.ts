/** Error and spread of the analysis by cycle in each region: where a method gains, and where it does not. */
import { regionNames } from '../../engine/index.ts';
import { withOverlaid } from '../document/lines/overlaid.ts';
import { unitOf, type CyclePoint, type MethodDiagnostics } from '../document/views/series.ts';
import { withUnit } from '../fields/fields.ts';
import type { PlotSeries } from '../plot/layout.ts';
import {
  variableChoice,
  CYCLE_AXIS,
  labelLetters,
  latestOf,
  methodLine,
  overlaidEntries,
  rowsOf,
} from './figure-data.ts';
import type { FigureData, FigureEntry, FigureRun, LinePanel, ReportedFigures, ShownRun } from './figure-data.ts';
import { reportedCurve } from './errors.ts';

const HELP =
  'Lines: RMSE of the analysis in each region, a quadrant of the basin or a quarter of the ring. Bands end at the ensemble’s spread. All regions have one axis of values. In a region without observations a method gains by its covariances alone.';

/** An error or a spread in one region. */
interface Part {
  readonly of: 'rmse' | 'spread';
  readonly variable: string;
  readonly region: number;
}

/** @returns it by cycle; without the cycles in which the region is dry */
function pointsOf(rows: MethodDiagnostics, { of, variable, region }: Part): CyclePoint[] {
  return rows
    .map((row) => ({ x: row.cycle, y: row.regions?.[of][variable]?.[region] ?? Number.NaN }))
    .filter(({ y }) => Number.isFinite(y));
}

/** The lines and bands of a region. @param along what is done with their points */
function linesOf(
  run: FigureRun,
  part: Omit<Part, 'of'>,
  along: ReportedFigures['along'] = (points) => points,
): readonly PlotSeries[] {
  return run.styles.map((style) => {
    const rows = rowsOf(run, style);
    const band = along(pointsOf(rows, { ...part, of: 'spread' })).map(({ x, y }) => ({ x, low: 0, high: y }));
    const line = methodLine(run, style, along(pointsOf(rows, { ...part, of: 'rmse' })));
    return { ...line, ...(band.length > 0 && { band }) };
  });
}

function namesOf({ scenario }: FigureRun): readonly string[] {
  return scenario ? regionNames(scenario.grid) : [];
}

/** The panels of a variable, one for each region. */
function panelsOf(run: ShownRun, variable: string): readonly LinePanel[] {
  const { styles, shown } = run;
  const unit = unitOf(variable);
  const regions = namesOf(run).map((name, region) => {
    const own = linesOf(run, { variable, region });
    const rmse = (rows: MethodDiagnostics) => pointsOf(rows, { of: 'rmse', variable, region });
    return { name, series: withOverlaid(shown, own, styles, rmse) };
  });
  const values = regions.flatMap(({ series }) => series.flatMap(({ points }) => points.map(({ y }) => y)));
  const largest = values.reduce((most, value) => Math.max(most, value), 0);
  return regions.map(({ name, series }) => ({
    kind: 'lines',
    summary: `RMSE of ${variable} by cycle, ${name}. Latest: ${latestOf(series, unit)}.`,
    x: CYCLE_AXIS,
    y: { label: `RMSE of ${variable}, ${name}`, unit, scale: 'linear', include: [0, largest] },
    series,
    heightEm: 11.5,
    labelLetters: labelLetters(run),
  }));
}

function inWindow(run: ShownRun): FigureData {
  const { variables, styles, overlaidNote } = run;
  const names = namesOf(run);
  const isKnown = [...run.diagnostics.values()].some((rows) => rows.some(({ regions }) => regions !== undefined));
  const heads = variables.flatMap((variable) => [
    withUnit(`RMSE of ${variable}`, unitOf(variable)),
    withUnit(`spread of ${variable}`, unitOf(variable)),
  ]);
  const panels = variables.flatMap((variable) => panelsOf(run, variable));
  return {
    title: 'Error and spread by region',
    help: HELP,
    panels,
    table: () => ({
      columns: ['cycle', 'method', 'region', ...heads],
      rows: styles.flatMap((style) =>
        rowsOf(run, style).flatMap(({ cycle, regions }) =>
          names.map((name, region) => [
            cycle,
            style.title,
            name,
            ...variables.flatMap((variable) => [
              regions?.rmse[variable]?.[region] ?? null,
              regions?.spread[variable]?.[region] ?? null,
            ]),
          ]),
        ),
      ),
    }),
    empty:
      isKnown && panels.length > 0
        ? undefined
        : 'The error of each method in each region appears here after the first cycle.',
    legend: [...styles, ...overlaidEntries(run)],
    note: overlaidNote,
    controls: ['zoom', 'free run', variableChoice(run)],
  };
}

function inReport(run: ReportedFigures): readonly FigureData[] {
  return run.variables.flatMap((variable) =>
    namesOf(run).flatMap((name, region) => {
      const y = { label: `RMSE of ${variable}, ${name}`, unit: unitOf(variable), scale: 'fitting' } as const;
      const series = linesOf(run, { variable, region }, run.along);
      return reportedCurve(run, y, series, `RMSE of ${variable} of the analysis, ${name}. Bands end at the spread.`);
    }),
  );
}

export const BY_REGION: FigureEntry = {
  id: 'regions',
  name: 'Error and spread by region',
  words: 'quadrant quarter where unobserved rmse map',
  inWindow,
  inReport,
};
