/** The figures of the registry as parts of the page. */
import { TRUTH_STYLE, type MethodStyle } from '../../document/views/method-style.ts';
import type { RunSpectra } from '../../figures/error-spectrum.ts';
import { valueAxis, type FigureData, type ReportedFigures } from '../../figures/figure-data.ts';
import type { FigureSection } from '../../figures/registry.ts';
import { radialSpectrum, type Spectrum } from '../../figures/spectrum.ts';
import { colourOf } from '../style.ts';
import { drawnFigure, figures } from '../figures/plot.ts';
import { html, type Markup } from '../markup.ts';
import { countedCycles, headOf, type Report, type Section } from '../report.ts';
import type { ReportedRun, Plane } from '../run/reported-run.ts';
import type { Point } from '../../plot/decimate.ts';

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
