/** Error, spread, skill and innovations by cycle. */
import { unitOf } from '../../../engine/index.ts';
import { formatQuantity } from '../../format/numbers.ts';
import type { Point } from '../../plot/decimate.ts';
import type { PlotSeries } from '../../plot/layout.ts';
import { needsDecades } from '../../plot/scales.ts';
import { innovationSeries, rmseSeries, spreadSeries } from '../../document/views/series.ts';
import type { MethodDiagnostics, Stage } from '../../document/views/series.ts';
import { isFreeRun } from '../../document/views/method-style.ts';
import type { MethodStyle } from '../../document/views/method-style.ts';
import { colourOf } from '../colours.ts';
import { figure, figures } from '../figures/figure.ts';
import { plotSvg } from '../figures/plot.ts';
import type { Plot } from '../figures/plot.ts';
import { html } from '../markup.ts';
import type { Markup, Piece } from '../markup.ts';
import { headOf } from '../report.ts';
import type { Report, Section } from '../report.ts';
import type { ReportedRun } from '../run/reported-run.ts';
import { overStretches, stretchOf, stretchWords } from '../stretches.ts';

const CYCLES = { label: 'Cycle', unit: '', scale: 'linear', whole: true } as const;

/** A chart of one run, and its quantity if runs are beside each other: they share one axis of values. */
interface Curve {
  readonly title: string;
  readonly unit: string;
  readonly scale: 'linear' | 'log';
  readonly series: (run: ReportedRun) => readonly PlotSeries[];
  readonly references?: Plot['references'];
  /** Below it the axis of values does not reach: lines are cut off there. */
  readonly lowest?: number;
  readonly caption: string;
}

function lineOf(run: ReportedRun, style: MethodStyle, cycles: readonly Point[]): PlotSeries {
  const { label, title, dash } = style;
  const points = overStretches(cycles, stretchOf(run.record.cycles));
  const ended = run.compared.diverged.some(({ method }) => method === label);
  return { key: label, label: title, color: colourOf(style), dash, points, ...(ended && { ends: true }) };
}

function rowsOf(run: ReportedRun, { label }: MethodStyle): MethodDiagnostics {
  return run.rows.get(label) ?? [];
}

function errorCurve(runs: readonly ReportedRun[], variable: string, stage: Stage): Curve {
  const unit = unitOf(variable);
  const series = (run: ReportedRun): PlotSeries[] =>
    run.styles.map((style) => {
      const rows = rowsOf(run, style);
      const spread = overStretches(spreadSeries(rows, variable, stage), stretchOf(run.record.cycles));
      const band = spread.map(({ x, y }) => ({ x, low: 0, high: y }));
      return { ...lineOf(run, style, rmseSeries(rows, variable, stage)), ...(band.length > 0 && { band }) };
    });
  const values = runs.flatMap((run) => series(run).flatMap(({ points }) => points.map(({ y }) => y)));
  return {
    title: `RMSE of ${variable}, ${stage}`,
    unit,
    scale: needsDecades(values) ? 'log' : 'linear',
    series,
    caption: `RMSE of ${variable} of the ${stage} against the truth. Bands end at the ensemble’s spread: for a consistent ensemble the line follows the edge of its band.`,
  };
}

/** 1 − RMSE / RMSE of the free run, of the analysis, cycle by cycle. */
function skillPoints(rows: MethodDiagnostics, free: MethodDiagnostics, variable: string): Point[] {
  const reference = new Map(free.map(({ cycle, rmse }) => [cycle, rmse.analysis[variable]]));
  return rows.flatMap(({ cycle, rmse }) => {
    const against = reference.get(cycle);
    return against !== undefined && against > 0 ? [{ x: cycle, y: 100 * (1 - rmse.analysis[variable] / against) }] : [];
  });
}

function skillCurve(variable: string): Curve {
  return {
    title: `Skill in ${variable}`,
    unit: '%',
    scale: 'linear',
    series: (run) => {
      const free = run.styles.find(({ kind }) => isFreeRun(kind));
      if (!free) return [];
      return run.styles
        .filter((style) => style !== free)
        .map((style) => lineOf(run, style, skillPoints(rowsOf(run, style), rowsOf(run, free), variable)));
    },
    references: [{ y: 0, label: '' }],
    lowest: -100,
    caption: `Share of the free run’s error in ${variable} that is gone after the analysis; dashed: the free run itself.`,
  };
}

/** Where spread says what the error is. */
function ratioCurve(variable: string): Curve {
  return {
    title: `Spread over error of ${variable}, forecast`,
    unit: '',
    scale: 'linear',
    series: (run) =>
      run.styles.flatMap((style) => {
        const rows = rowsOf(run, style);
        const points = rows.flatMap(({ cycle, rmse, spread }) =>
          rmse.forecast[variable] > 0 && spread.forecast[variable] > 0
            ? [{ x: cycle, y: spread.forecast[variable] / rmse.forecast[variable] }]
            : [],
        );
        return points.length > 0 && !isFreeRun(style.kind) ? [lineOf(run, style, points)] : [];
      }),
    references: [{ y: 1, label: '' }],
    caption: `Spread of ${variable} over its error before the analysis: below 1 the ensemble is underdispersive, above 1 overdispersive; dashed: consistent.`,
  };
}

const CHI_SQUARE: Curve = {
  title: 'Innovation χ²/p',
  unit: '',
  scale: 'log',
  series: (run) =>
    run.styles.flatMap((style) => {
      const points = innovationSeries(rowsOf(run, style), 'chiSquare').filter(({ y }) => Number.isFinite(y));
      return points.length > 0 ? [lineOf(run, style, points)] : [];
    }),
  references: [{ y: 1, label: '' }],
  caption:
    'Innovations against what the method expects of them, dᵀ(HBHᵀ + R)⁻¹d/p: above 1 errors are larger than it believes, below 1 smaller; dashed: consistent.',
};

function latestOf(series: readonly PlotSeries[], unit: string): string {
  return series.map(({ label, points }) => `${label} ${formatQuantity(points.at(-1)?.y, unit)}`).join(', ');
}

/** The values that an axis shared by several runs must show. */
function reachOf(curve: Curve, runs: readonly ReportedRun[]): readonly number[] {
  if (runs.length < 2) return [];
  const values = runs
    .flatMap((run) => curve.series(run).flatMap(({ points }) => points.map(({ y }) => y)))
    .filter((value) => Number.isFinite(value) && (curve.scale === 'linear' || value > 0));
  return values.length === 0 ? [] : [Math.min(...values), Math.max(...values)];
}

/** Fixed where a line goes far below what is of interest. */
function domainOf({ lowest }: Curve, values: readonly number[]): readonly [number, number] | undefined {
  const finite = values.filter(Number.isFinite);
  if (lowest === undefined || finite.every((value) => value >= lowest)) return undefined;
  return [lowest, Math.max(0, ...finite)];
}

function curveFigure(curve: Curve, run: ReportedRun, include: readonly number[], head: string | undefined): Piece {
  const { title, unit, scale, references, caption } = curve;
  const series = curve.series(run);
  if (series.every(({ points }) => points.length === 0)) return undefined;
  const what = head === undefined ? title : `${head}: ${title}`;
  const domain = domainOf(curve, [...include, ...series.flatMap(({ points }) => points.map(({ y }) => y))]);
  const words = `${caption}${stretchWords(stretchOf(run.record.cycles))}`;
  const { svg, needsLegend } = plotSvg({
    summary: `${what} by cycle. Latest: ${latestOf(series, unit)}.`,
    x: CYCLES,
    y: { label: title, unit, scale, ...(domain ? { domain } : { include }) },
    series,
    ...(references && { references }),
  });
  const named = run.styles.filter(({ label }) => series.some(({ key }) => key === label));
  return figure(svg, {
    caption: head === undefined ? words : html`<b>${head}.</b> ${words}`,
    ...(needsLegend && { legend: named }),
  });
}

function curvesOf({ figured, comparison }: Report): readonly Curve[] {
  return [
    ...comparison.variables.flatMap((variable) => [
      errorCurve(figured, variable, 'analysis'),
      errorCurve(figured, variable, 'forecast'),
      skillCurve(variable),
      ratioCurve(variable),
    ]),
    CHI_SQUARE,
  ];
}

export function curvesSection(report: Report): Section | undefined {
  const { figured } = report;
  const drawn = curvesOf(report).map((curve): readonly Piece[] => {
    const include = reachOf(curve, figured);
    return figured.map((run) => curveFigure(curve, run, include, headOf(report, run)));
  });
  const body: Markup = figured.length > 1 ? html`${drawn.map((row) => figures(row))}` : figures(drawn.flat());
  return figured.length === 0 ? undefined : { id: 'curves', title: 'Error, spread and skill', body };
}
