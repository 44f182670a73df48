/** Impacts of the observations of a run, added up from cycle to cycle by network: which network pays for itself. */
import { impactMeans, networkNames, networkSums, recordedImpact } from '../../engine/index.ts';
import type { ImpactMean, ImpactSum } from '../../engine/index.ts';
import type { MethodStyle } from '../document/views/method-style.ts';
import { counted, type MethodDiagnostics } from '../document/views/series.ts';
import { withUnit } from '../fields/fields.ts';
import type { DataTable } from '../format/tables.ts';
import { formatQuantity } from '../format/numbers.ts';
import type { PlotSeries } from '../plot/layout.ts';
import { methodChoice, methodOf, CYCLE_AXIS, curveEntries, latestOf, rowsOf } from './figure-data.ts';
import type { FigureData, FigureEntry, FigureRun, LinePanel, ReportedFigures, ShownRun } from './figure-data.ts';

const HELP =
  'What the observations of each network have changed about the squared error of the later forecast, added up over the cycles. A line that falls is of a network that helps; one that stays level adds little while the others are there. The standard error of a mean over cycles takes them for correlated.';

/** Networks are distinguished by their dashes. */
const DASHES = ['', '6 3', '2 3', '10 3 2 3'];

interface CycleSums {
  readonly cycle: number;
  readonly sums: readonly ImpactSum[];
}

function sumsOf(rows: MethodDiagnostics, run: FigureRun): readonly CycleSums[] {
  const { scenario } = run;
  if (!scenario) return [];
  const names = networkNames(scenario);
  return counted(rows, run).flatMap(({ cycle, impact }) =>
    impact ? [{ cycle, sums: networkSums(impact, names) }] : [],
  );
}

function meansOf(run: FigureRun, style: MethodStyle): readonly ImpactMean[] {
  return impactMeans(sumsOf(rowsOf(run, style), run).map(({ sums }) => sums));
}

/** Unit of an impact: of water an energy over density, as a mean over the basin. */
function unitOfImpact({ basin }: FigureRun): string {
  return basin?.isRing === true ? '' : 'm³/s²';
}

/** A line a network. */
function linesOf(run: FigureRun, style: MethodStyle): readonly PlotSeries[] {
  const cycles = sumsOf(rowsOf(run, style), run);
  const names = cycles[0]?.sums.map(({ group }) => group) ?? [];
  return names.map((name, n) => {
    let total = 0;
    const points = cycles.map(({ cycle, sums }) => ({ x: cycle, y: (total += sums[n].impact) }));
    return { key: name, label: name, color: style.colour, dash: DASHES[n % DASHES.length], points };
  });
}

function panelOf(run: FigureRun, style: MethodStyle, series: readonly PlotSeries[]): LinePanel {
  const unit = unitOfImpact(run);
  return {
    kind: 'lines',
    summary: `Impact of the networks by ${style.title}, added up from cycle ${run.from} on. Latest: ${latestOf(series, unit)}.`,
    x: CYCLE_AXIS,
    y: { label: 'Impact, added up', unit, scale: 'linear' },
    series,
    references: [{ y: 0, label: '' }],
    heightEm: 17,
  };
}

/** @returns as in `gauges −0.12 ± 0.03 m³/s² (58 % help)` */
function meanWords({ group, impact, standardError, count, helped }: ImpactMean, unit: string): string {
  const about = standardError === undefined ? '' : ` ± ${formatQuantity(standardError, '')}`;
  const share = count === 0 ? 'none used' : `${Math.round((100 * helped) / count)} % help`;
  return `${group} ${formatQuantity(impact, '')}${about}${unit === '' ? '' : ` ${unit}`} (${share})`;
}

function noteOf(run: FigureRun, style: MethodStyle): string {
  const unit = unitOfImpact(run);
  const words = meansOf(run, style).map((mean) => meanWords(mean, unit));
  return `${style.title}, each cycle in the mean of cycles ${run.from} to ${run.to}, ± standard error: ${words.join('; ')}.`;
}

function table(run: FigureRun, answering: readonly MethodStyle[]): DataTable {
  const unit = unitOfImpact(run);
  return {
    columns: [
      'method',
      'network',
      'observations used',
      'of these help',
      withUnit('mean impact of a cycle', unit),
      withUnit('standard error', unit),
    ],
    rows: answering.flatMap((style) =>
      meansOf(run, style).map(({ group, count, helped, impact, standardError }) => [
        style.title,
        group,
        count,
        helped,
        impact,
        standardError ?? null,
      ]),
    ),
  };
}

/** Methods that have impacts. */
function answeringIn(run: FigureRun): readonly MethodStyle[] {
  return run.styles.filter((style) => sumsOf(rowsOf(run, style), run).length > 0);
}

/** @returns undefined for a run that asks for no impacts */
function inWindow(run: ShownRun): FigureData | undefined {
  if (!run.scenario || !recordedImpact(run.scenario.experiment)) return undefined;
  const answering = answeringIn(run);
  const style = methodOf(run, answering);
  const series = style ? linesOf(run, style) : [];
  return {
    title: 'Impact by network',
    help: HELP,
    panels: style ? [panelOf(run, style, series)] : [],
    table: () => table(run, answering),
    note: style && noteOf(run, style),
    empty: style ? undefined : 'Impacts by network appear here after the cycles that settle.',
    legend: style ? curveEntries(run, style, series) : [],
    controls: answering.length > 1 ? [methodChoice(answering, style)] : [],
  };
}

function inReport(run: ReportedFigures): readonly FigureData[] {
  return answeringIn(run).map((style) => {
    const series = linesOf(run, style).map((line) => ({ ...line, points: run.along(line.points) }));
    return {
      title: `Impact by network, ${style.title}`,
      help: `${noteOf(run, style)} ${HELP}${run.alongWords}`,
      panels: [panelOf(run, style, series)],
      legend: curveEntries(run, style, series),
    };
  });
}

export const IMPACT_BY_NETWORK: FigureEntry = {
  id: 'impact-networks',
  name: 'Impact by network',
  words: 'efso observations pay which network gauge sum',
  inWindow,
  inReport,
};
