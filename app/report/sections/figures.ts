/** The figures of the registry as parts of the page, and consistency as a table: a line a figure, a column a method. */
import { TRUTH_STYLE, type MethodStyle } from '../../document/views/method-style.ts';
import { type RunSpectra, radialSpectrum, type Spectrum } from '../../figures/spectrum.ts';
import { valueAxis, type FigureData, type ReportedFigures } from '../../figures/figure-data.ts';
import type { FigureSection } from '../../figures/registry.ts';
import { colourOf } from '../style.ts';
import { drawnFigure, figures, swatch, tenth } from '../figures/plot.ts';
import { html, type Markup, scrolled, tableHead } from '../markup.ts';
import { countedCycles, headOf, type Report, type Section } from '../report.ts';
import type { ReportedRun, Plane } from '../run/reported-run.ts';
import type { Point } from '../../plot/scales.ts';
import { consistencyOf, type ConsistencyFigure, type ConsistencyVerdict } from '../../../engine/index.ts';
import { beyondMark, layoutStrip, STRIP_HEIGHT, stripWords } from '../../figures/consistency-rows.ts';
import { formatNumber, formatQuantity } from '../../format/numbers.ts';

/** Points of a line, at most: more than a chart has pixels say nothing. */
const MOST_POINTS = 240;

/** @returns how many cycles a point of a run's charts represents */
export function stretchOf(cycles: number, most = MOST_POINTS): number {
  return Math.max(1, Math.ceil(cycles / most));
}

/** @param points one a cycle. @returns means over stretches, at their middles; what is not finite takes no part */
export function overStretches(points: readonly Point[], stretch: number): readonly Point[] {
  if (stretch === 1) return points;
  return Array.from({ length: Math.ceil(points.length / stretch) }, (_, n) => {
    const part = points.slice(n * stretch, (n + 1) * stretch);
    const known = part.filter(({ y }) => Number.isFinite(y));
    const y = known.reduce((sum, point) => sum + point.y, 0) / known.length;
    return { x: (part[0].x + part[part.length - 1].x) / 2, y };
  });
}

/** @returns what a caption says about it; nothing where a point is a cycle */
function stretchWords(stretch: number): string {
  return stretch === 1 ? '' : ` Means over stretches of ${stretch} cycles.`;
}

function inInk(style: MethodStyle): MethodStyle {
  return { ...style, colour: colourOf(style) };
}

function minus(a: Plane, b: Plane): Plane {
  return a.map((value, cell) => value - b[cell]);
}

/** @returns the spectra of the last state that is stored; undefined of a ring, which has one dimension */
function spectraOf({ basin, states }: ReportedRun): RunSpectra | undefined {
  const state = basin.isRing === true ? undefined : states?.states.at(-1);
  if (!state) return undefined;
  const { nx, ny, dx, dy, periodicX, periodicY } = basin;
  const of = (values: Plane): Spectrum => radialSpectrum({ values, nx, ny, dx, dy, periodicX, periodicY });
  const { cycle, truth, methods } = state;
  const increments = methods.flatMap(({ label, forecast, analysis }) =>
    forecast?.some((value, cell) => value !== analysis[cell]) === true
      ? [[label, of(minus(analysis, forecast))] as const]
      : [],
  );
  return {
    cycle,
    truth: of(truth),
    errors: new Map(methods.map(({ label, analysis }) => [label, of(minus(analysis, truth))])),
    increments: new Map(increments),
  };
}

function reportedFigures({ comparison: { variables } }: Report, run: ReportedRun): ReportedFigures {
  const stretch = stretchOf(run.record.cycles);
  return {
    styles: run.styles.map(inInk),
    truth: inInk(TRUTH_STYLE),
    diagnostics: run.rows,
    ended: new Set(run.compared.diverged.map(({ method }) => method)),
    ...countedCycles(run),
    variables,
    scenario: run.scenario,
    basin: run.basin,
    // Only one part of the page needs them.
    get spectra() {
      return spectraOf(run);
    },
    shown: { overlaid: [], highlightedMethod: undefined, highlightedRun: undefined, withFreeRun: true },
    along: (points) => overStretches(points, stretch),
    alongWords: stretchWords(stretch),
  };
}

/** A figure of one of several runs. */
interface RunFigure {
  readonly head: string | undefined;
  readonly data: FigureData;
}

/** The same figure is that with the same axis of values. */
function nameOf({ data: { panels } }: RunFigure): string {
  return panels[0].y.label;
}

/** The same figure of several runs with one axis for all. */
function besideEachOther(same: readonly RunFigure[]): readonly Markup[] {
  const lines = same.flatMap(({ data: { panels } }) =>
    panels.flatMap((panel) => (panel.kind === 'lines' ? panel : [])),
  );
  const axis = valueAxis(lines);
  return same.map(({ data, head }) => drawnFigure(data, head, axis));
}

function bodyOf(all: readonly RunFigure[], { isCompared = false }: FigureSection, runs: number): Markup {
  if (!isCompared || runs < 2) return figures(all.map(({ data, head }) => drawnFigure(data, head)));
  const rows = [...new Set(all.map(nameOf))].map((name) => all.filter((one) => nameOf(one) === name));
  return html`${rows.map((row) => figures(besideEachOther(row)))}`;
}

/** @returns the part of the page with the figures of a section, if a run has any */
export function figureSection(section: FigureSection): (report: Report) => Section | undefined {
  return (report) => {
    const { figured } = report;
    const drawn = figured.flatMap((run): RunFigure[] => {
      const given = reportedFigures(report, run);
      const head = headOf(report, run);
      return section.figures.flatMap(({ inReport }) => (inReport?.(given) ?? []).map((data) => ({ head, data })));
    });
    if (drawn.length === 0) return undefined;
    const intro = section.intro?.(countedCycles(figured[0]));
    const body = bodyOf(drawn, section, figured.length);
    return {
      id: section.id,
      title: section.title,
      body: html`${intro !== undefined && html`<p>${intro}</p>`}${body}`,
    };
  };
}

const VERDICTS: Readonly<Record<ConsistencyVerdict, readonly [sign: string, word: string]>> = {
  good: ['✓', 'good'],
  low: ['▼', 'low'],
  high: ['▲', 'high'],
  unknown: ['', 'cannot be said'],
};

/** Width of a strip, pixels. */
const STRIP_WIDTH = 96;

/** As in the window: what is good shaded, the value a mark, its interval a line, a triangle where the value lies beyond an end. */
function stripOf(figure: ConsistencyFigure, good: readonly [number, number], style: MethodStyle): Markup {
  const { good: shaded, value, beyond, interval } = layoutStrip(figure, good);
  const pixels = (share: number): number => tenth(share * STRIP_WIDTH);
  const [words, middle] = [stripWords(figure), STRIP_HEIGHT / 2];
  const mark =
    beyond === undefined
      ? html`<circle cx="${pixels(value)}" cy="${middle}" r="4" />`
      : html`<polygon points="${beyondMark(beyond)}" transform="translate(${pixels(value)} 0)" />`;
  return html`<svg
    class="strip"
    role="img"
    aria-label="${words}"
    width="${STRIP_WIDTH}"
    height="${STRIP_HEIGHT}"
    fill="${colourOf(style)}"
    stroke="${colourOf(style)}"
  >
    <title>${words}</title>
    <rect width="${STRIP_WIDTH}" height="${STRIP_HEIGHT}" />
    <rect class="shaded" x="${pixels(shaded[0])}" width="${pixels(shaded[1] - shaded[0])}" height="${STRIP_HEIGHT}" />
    ${
      interval && html`<line x1="${pixels(interval[0])}" x2="${pixels(interval[1])}" y1="${middle}" y2="${middle}" />`
    }${mark}
  </svg>`;
}

function cellOf(figure: ConsistencyFigure | undefined, style: MethodStyle | undefined): Markup {
  if (!figure) return html`<td>–</td>`;
  const { value, unit, interval, good, verdict } = figure;
  const [sign, word] = VERDICTS[verdict];
  const ends = interval && `${formatNumber(interval[0])} to ${formatNumber(interval[1])}`;
  return html`<td>
    <b>${formatQuantity(value, unit)}</b>${ends !== undefined && html`<span>${ends}</span>`}<span
      class="judged ${verdict}"
      >${sign} ${word}</span
    >${style && good && stripOf(figure, good, style)}
  </td>`;
}

function goodWords({ good, unit }: ConsistencyFigure): string {
  return good === undefined ? '–' : `${formatNumber(good[0])} to ${formatQuantity(good[1], unit)}`;
}

function tableOf(run: ReportedRun): Markup | undefined {
  const found = consistencyOf([...run.rows.values()].flat(), run.scenario).filter(({ figures }) => figures.length > 0);
  const keys = [...new Set(found.flatMap(({ figures }) => figures.map(({ key }) => key)))];
  if (keys.length === 0) return undefined;
  const columns = found.map(({ label, figures }) => ({
    style: run.styles.find((style) => style.label === label),
    label,
    byKey: new Map(figures.map((figure) => [figure.key, figure])),
  }));
  const lines = keys.flatMap((key) => {
    const [first] = columns.flatMap(({ byKey }) => byKey.get(key) ?? []);
    return html`<tr>
      <th scope="row">${first.title}<span>${first.meaning}</span></th>
      <td>${goodWords(first)}</td>
      ${columns.map(({ byKey, style }) => cellOf(byKey.get(key), style))}
    </tr>`;
  });
  const heads = columns.map(({ style, label }) => html`${style && swatch(style)}${style?.title ?? label}`);
  return scrolled(
    'consistency',
    html`<table class="numbers consistency">
      ${tableHead(['What is looked at', 'Good', ...heads])}
      <tbody>
        ${lines}
      </tbody>
    </table>`,
  );
}

export function consistencySection(report: Report): Section | undefined {
  const parts = report.figured.flatMap((run) => {
    const table = tableOf(run);
    const head = headOf(report, run);
    return table ? [html`${head !== undefined && html`<h3>${head}</h3>`}${table}`] : [];
  });
  if (parts.length === 0) return undefined;
  return {
    id: 'consistency',
    title: 'Consistency',
    body: html`<p>
        Whether each method’s own idea of its errors agrees with its errors, over the cycles after the spin-up, with 95
        % intervals by block bootstrap. A figure is called low or high only where its whole interval is. The shaded part
        of a strip is what is good; a triangle at its end is a value beyond it.
      </p>
      ${parts}`,
  };
}
