/** The CRPS of a method's forecast by cycle, taken apart: what is lost to unreliability, what is left, and the uncertainty of the truth. */
import { crpsParts } from '../../engine/index.ts';
import { methodRows, overlaidCurve } from '../document/lines/overlaid.ts';
import type { MethodStyle } from '../document/views/method-style.ts';
import { unitOf, type CyclePoint, type MethodDiagnostics } from '../document/views/series.ts';
import { withUnit } from '../fields/fields.ts';
import type { DataTable } from '../format/tables.ts';
import type { PlotSeries } from '../plot/layout.ts';
import {
  curveChoice,
  methodChoice,
  methodOf,
  sampledVariableChoice,
  CYCLE_AXIS,
  curveEntries,
  latestOf,
  rowsOf,
} from './figure-data.ts';
import type { FigureData, FigureEntry, FigureRun, ReportedFigures, ScoreCurve, ShownRun } from './figure-data.ts';

const HELP =
  'If the truth falls among the members as often as it should, the reliability part is far below the CRPS. The closer it is to the CRPS, the more a better spread or less bias would improve the score. The rest, the potential CRPS, should be far below the uncertainty: if they are equal, the forecast has no resolution.';

/** The parts of the score, distinguished by their dashes. */
const CURVES: readonly { readonly of: ScoreCurve; readonly label: string; readonly dash: string }[] = [
  { of: 'crps', label: 'CRPS', dash: '' },
  { of: 'reliability', label: 'Reliability', dash: '2 3' },
  { of: 'potential', label: 'Potential', dash: '6 3' },
  { of: 'uncertainty', label: 'Uncertainty', dash: '10 3 2 3' },
];

function table(run: ShownRun, variable: string): DataTable {
  const named = CURVES.map(({ label }) => withUnit(label, unitOf(variable)));
  return {
    columns: ['cycle', 'time (s)', 'method', ...named],
    rows: methodRows(run, run.shown.overlaid).flatMap(({ title, rows }) =>
      rows.flatMap((row) => {
        const parts = crpsParts(row, variable);
        return parts ? [[row.cycle, row.timeSeconds, title, ...CURVES.map(({ of }) => parts[of])]] : [];
      }),
    ),
  };
}

function pointsOf(rows: MethodDiagnostics, variable: string, of: ScoreCurve): CyclePoint[] {
  return rows.flatMap((row) => {
    const parts = crpsParts(row, variable);
    return parts ? [{ x: row.cycle, y: parts[of] }] : [];
  });
}

/** The curves of a method. */
function curvesOf(run: FigureRun, { label: method, colour }: MethodStyle, variable: string): readonly PlotSeries[] {
  const rows = run.diagnostics.get(method) ?? [];
  return CURVES.map(({ of, label, dash }) => ({
    key: of,
    label,
    color: colour,
    dash,
    points: pointsOf(rows, variable, of),
  }));
}

/** One of them of overlaid runs. */
function curvesBeside({ shown, comparedScore }: ShownRun, style: MethodStyle, variable: string) {
  const { of, label } = CURVES.find((curve) => curve.of === comparedScore) ?? CURVES[0];
  return overlaidCurve(shown, style.label, { key: of, label }, (rows) => pointsOf(rows, variable, of));
}

function inWindow(run: ShownRun): FigureData {
  const { styles, ended, sampledVariable: variable, comparedScore } = run;
  const unit = unitOf(variable);
  const candidates = styles.filter((style) => rowsOf(run, style).some((row) => crpsParts(row, variable) !== undefined));
  const style = methodOf(run, candidates);
  const beside = style ? curvesBeside(run, style, variable) : [];
  const own = (style ? curvesOf(run, style, variable) : []).map((line) => ({
    ...line,
    faded: beside.length > 0 && line.key !== comparedScore,
    ...(style && ended.has(style.label) && { ends: true }),
  }));
  const series = [...own, ...beside];
  const summary = `CRPS of the forecast of ${variable} and its parts by cycle. Latest: ${latestOf(series, unit)}.`;
  return {
    title: style ? `CRPS of ${variable} and its parts, ${style.title}` : 'CRPS and its parts',
    help: HELP,
    panels: [
      {
        kind: 'lines',
        summary,
        x: CYCLE_AXIS,
        y: { label: 'CRPS', unit, scale: 'fitting' },
        series,
        heightEm: 15,
      },
    ],
    table: () => table(run, variable),
    ...(style && { legend: curveEntries(run, style, CURVES) }),
    note: run.editNote || undefined,
    empty: style ? undefined : 'The parts of the CRPS appear here for methods with an ensemble, after the first cycle.',
    controls: [
      'zoom',
      sampledVariableChoice(run),
      methodChoice(candidates, style),
      ...curveChoice(run, 'comparedScore', CURVES),
    ],
  };
}

function inReport(run: ReportedFigures): readonly FigureData[] {
  return run.styles.flatMap((style) =>
    run.variables.flatMap((variable) => {
      const series = curvesOf(run, style, variable).map((line) => ({ ...line, points: run.along(line.points) }));
      if (series.every(({ points }) => points.length === 0)) return [];
      return [
        {
          title: `CRPS of ${variable} and its parts, ${style.title}`,
          help: `${HELP}${run.alongWords}`,
          panels: [
            {
              kind: 'lines' as const,
              summary: `CRPS of the forecast of ${variable} of ${style.title} and its parts by cycle.`,
              x: CYCLE_AXIS,
              y: { label: `CRPS of ${variable}`, unit: unitOf(variable), scale: 'fitting' as const },
              series,
            },
          ],
          legend: curveEntries(run, style, CURVES),
        },
      ];
    }),
  );
}

export const SCORE: FigureEntry = {
  id: 'score',
  name: 'CRPS and its parts',
  words: 'reliability resolution uncertainty score',
  inWindow,
  inReport,
};
