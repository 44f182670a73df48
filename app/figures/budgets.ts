/** What analyses do to the water, by cycle and method, beside the truth: a chart for each of several quantities. */
import type { Budget, CycleDiagnostics } from '../../engine/index.ts';
import { methodRows, overlaidLines } from '../document/lines/overlaid.ts';
import type { MethodDiagnostics } from '../document/views/series.ts';
import { withUnit } from '../fields/fields.ts';
import type { DataTable } from '../format/tables.ts';
import type { Point } from '../plot/scales.ts';
import type { PlotSeries } from '../plot/layout.ts';
import { CYCLE_AXIS, labelLetters, latestOf, methodLine, overlaidEntries, rowsOf } from './figure-data.ts';
import type { FigureData, FigureEntry, FigureRun, LinePanel, ReportedFigures, ShownRun } from './figure-data.ts';

type Budgets = NonNullable<NonNullable<CycleDiagnostics['consistency']>['budgets']>;

interface BudgetChart {
  readonly title: string;
  readonly unit: string;
  /** What good looks like, and what it would say otherwise. */
  readonly caption: string;
  /** Undefined where it is drawn against the truth, which is then no line of its own. */
  readonly ofTruth: ((truth: Budget) => number | undefined) | undefined;
  /** Undefined where a run has no such thing. */
  readonly of: (budgets: Budgets) => number | undefined;
}

/** What is in the water. */
const CONTENT_CHARTS: readonly BudgetChart[] = [
  {
    title: 'Mass over the truth’s, less 1',
    unit: '%',
    caption:
      'Mass of the analysis against that of the truth: 0 where increments neither fill nor empty the basin; above it they bring in water, below it they take it out.',
    ofTruth: undefined,
    of: ({ analysis, truth }) => 100 * (analysis.mass / truth.mass - 1),
  },
  {
    title: 'Energy',
    unit: 'm⁵/s²',
    caption:
      'Energy over density, above that of the same water at rest: on the truth’s line the mean has its waves. Below it members disagree and waves are averaged away, above it the analyses add waves.',
    ofTruth: ({ energy }) => energy,
    of: ({ analysis }) => analysis.energy,
  },
  {
    title: 'Potential enstrophy',
    unit: 'm/s²',
    caption:
      'Potential enstrophy: on the truth’s line the mean has its eddies. Above it the analyses add eddies or noise, below it they smooth them away.',
    ofTruth: ({ potentialEnstrophy }) => potentialEnstrophy,
    of: ({ analysis }) => analysis.potentialEnstrophy,
  },
];

/** How calm the water is. */
const BALANCE_CHARTS: readonly BudgetChart[] = [
  {
    title: 'Mean |∂η/∂t| after the analysis',
    unit: 'm/s',
    caption:
      'How fast the surface moves after the analysis: on the truth’s line it moves as it should. Above it the analysis sets off waves of its own, below it it smooths the flow.',
    ofTruth: ({ tendency }) => tendency,
    of: ({ analysis }) => analysis.tendency,
  },
  {
    title: 'Ageostrophic share of kinetic energy',
    unit: '%',
    caption:
      'Share of motions out of geostrophic balance after the analysis: on the truth’s line the increments are as balanced as the flow. Above it they put energy into such motions, below it they take them out.',
    ofTruth: ({ ageostrophicShare }) => inPercent(ageostrophicShare),
    of: ({ analysis }) => inPercent(analysis.ageostrophicShare),
  },
];

function inPercent(share: number | undefined): number | undefined {
  return share === undefined ? undefined : 100 * share;
}

/** @returns what a chart draws, a point a cycle that has it */
function budgetPoints(rows: MethodDiagnostics, of: (budgets: Budgets) => number | undefined): Point[] {
  return rows.flatMap(({ cycle, consistency }) => {
    const y = consistency?.budgets && of(consistency.budgets);
    return y === undefined ? [] : [{ x: cycle, y }];
  });
}

/** What is zero throughout, as potential enstrophy of water without eddies, says nothing. */
function saysSomething(lines: readonly (readonly Point[])[]): boolean {
  return lines.some((points) => points.some(({ y }) => y !== 0));
}

/** @returns the truth's line, of the method that continued longest: all have the same truth */
function truthPoints(diagnostics: FigureRun['diagnostics'], { ofTruth }: BudgetChart): readonly Point[] {
  if (!ofTruth) return [];
  const [longest = []] = [...diagnostics.values()].sort((a, b) => b.length - a.length);
  return budgetPoints(longest, ({ truth }) => ofTruth(truth));
}

function truthLine({ truth: { label, title, colour, dash } }: FigureRun, points: readonly Point[]): PlotSeries {
  return { key: label, label: title, color: colour, dash, thin: true, points };
}

/** @returns the truth of the run on screen, and those of overlaid runs whose truth is another */
function truthLines(run: FigureRun, chart: BudgetChart): readonly PlotSeries[] {
  const points = truthPoints(run.diagnostics, chart);
  if (points.length === 0) return [];
  const own = truthLine(run, points);
  const known = new Map(points.map(({ x, y }) => [x, y]));
  const others = run.shown.overlaid.flatMap(({ id, title, dash, diagnostics }): PlotSeries[] => {
    const ofOther = truthPoints(diagnostics, chart);
    const shared = ofOther.filter(({ x }) => known.has(x));
    if (ofOther.length === 0 || (shared.length > 0 && shared.every(({ x, y }) => known.get(x) === y))) return [];
    const words = { key: `${id} ${own.key}`, label: `${own.label}, ${title}`, endLabel: title };
    return [{ ...own, ...words, dash, beside: own.key, points: ofOther }];
  });
  return [own, ...others];
}

function methodLines(run: FigureRun, chart: BudgetChart): readonly PlotSeries[] {
  return run.styles.flatMap((style) => {
    const points = budgetPoints(rowsOf(run, style), chart.of);
    return points.length === 0 ? [] : [methodLine(run, style, points)];
  });
}

function panelOf({ title, unit, ofTruth }: BudgetChart, series: readonly PlotSeries[], summary: string): LinePanel {
  return {
    kind: 'lines',
    summary,
    x: CYCLE_AXIS,
    y: { label: title, unit, scale: ofTruth ? 'fitting' : 'linear' },
    series,
    ...(!ofTruth && { references: [{ y: 0, label: '' }] }),
    heightEm: 12.5,
  };
}

function table(charts: readonly BudgetChart[], run: FigureRun): DataTable {
  return {
    columns: [
      'cycle',
      'time (s)',
      'method',
      ...charts.flatMap((chart) => [
        withUnit(chart.title, chart.unit),
        ...(chart.ofTruth ? [`${withUnit(chart.title, chart.unit)}, of the truth`] : []),
      ]),
    ],
    rows: methodRows(run, run.shown.overlaid).flatMap(({ title, rows }) =>
      rows.flatMap(({ cycle, timeSeconds, consistency }) => {
        const budgets = consistency?.budgets;
        if (!budgets) return [];
        const numbers = charts.flatMap(({ of, ofTruth }) => [
          of(budgets) ?? null,
          ...(ofTruth ? [ofTruth(budgets.truth) ?? null] : []),
        ]);
        return [[cycle, timeSeconds, title, ...numbers]];
      }),
    ),
  };
}

function inWindow(run: ShownRun, title: string, charts: readonly BudgetChart[]): FigureData | undefined {
  // A ring has no water.
  if (!run.basin || run.basin.isRing === true) return undefined;
  const letters = labelLetters(run);
  const drawn = charts.flatMap((chart) => {
    const methods = methodLines(run, chart);
    const beside = overlaidLines(run.shown, (rows) => budgetPoints(rows, chart.of));
    const series = [...truthLines(run, chart), ...methods, ...beside];
    if (methods.length === 0 || !saysSomething(series.map(({ points }) => points))) return [];
    const summary = `${chart.title} by cycle. Latest: ${latestOf(series, chart.unit)}.`;
    return [{ chart, panel: { ...panelOf(chart, series, summary), labelLetters: letters } }];
  });
  return {
    title,
    // One line of words a chart, in the order of the charts.
    help: drawn.map(({ chart }) => chart.caption).join(' '),
    panels: drawn.map(({ panel }) => panel),
    table: () => table(charts, run),
    legend: [run.truth, ...run.styles, ...overlaidEntries(run)],
    note: 'Thin line: the truth.',
    empty: drawn.length === 0 ? 'What the analyses do to the water appears here after the first cycle.' : undefined,
    controls: ['zoom'],
  };
}

function inReport(run: ReportedFigures, charts: readonly BudgetChart[]): readonly FigureData[] {
  return charts.flatMap((chart) => {
    const methods = methodLines(run, chart);
    const truth = chart.ofTruth ? [truthLine(run, truthPoints(run.diagnostics, chart))] : [];
    const series = [...truth, ...methods].map((line) => ({ ...line, ends: false, points: run.along(line.points) }));
    if (methods.length === 0 || !saysSomething(series.map(({ points }) => points))) return [];
    const summary = `${chart.title} by cycle for ${series.map(({ label }) => label).join(', ')}.`;
    return [
      {
        title: '',
        help: `${chart.caption}${run.alongWords}`,
        panels: [panelOf(chart, series, summary)],
        legend: [...(chart.ofTruth ? [run.truth] : []), ...run.styles],
      },
    ];
  });
}

function entryOf(id: string, name: string, words: string, charts: readonly BudgetChart[]): FigureEntry {
  return {
    id,
    name,
    words,
    inWindow: (run) => inWindow(run, name, charts),
    inReport: (run) => inReport(run, charts),
  };
}

export const BUDGETS = entryOf('budgets', 'Budgets', 'mass energy potential enstrophy', CONTENT_CHARTS);
export const IMBALANCE = entryOf('imbalance', 'Imbalance', 'tendency ageostrophic waves balance', BALANCE_CHARTS);
