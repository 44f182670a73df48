/** From data to where everything of a chart is drawn: a pure function, which the SVG components print. */
import { area, line } from 'd3';
import { decimate, type Point, createScale, DIGIT, type AxisScale, type AxisSpec } from './scales.ts';
import { breakLabel, placeLabels } from './labels.ts';

/** How a line looks: never by its colour alone. */
export interface LineStyle {
  /** A CSS colour, also `var(--…)`. */
  readonly color: string;
  /** `stroke-dasharray`; empty for a solid line. */
  readonly dash: string;
}

export interface BandPoint {
  readonly x: number;
  readonly low: number;
  readonly high: number;
}

export interface ErrorBar extends Point {
  /** Half the length of the bar. */
  readonly deviation: number;
}

export interface PlotSeries extends LineStyle {
  readonly key: string;
  readonly label: string;
  /** By ascending x. */
  readonly points: readonly Point[];
  readonly band?: readonly BandPoint[];
  /** Many thin lines behind: the members of an ensemble. */
  readonly bundle?: readonly (readonly Point[])[];
  readonly errorBars?: readonly ErrorBar[];
  /** Draws the points as dots, without a line between them. */
  readonly dots?: boolean;
  /** Draws the points as dots on their line. */
  readonly marked?: boolean;
  /** What lines are compared with: it is drawn, and not read. */
  readonly guide?: boolean;
  readonly thin?: boolean;
  /** Drawn back, while another one is pointed at. */
  readonly faded?: boolean;
  /** Whether it has no label at its line's end. */
  readonly unlabelled?: boolean;
  /** The text at the line's end, if it is shorter than the label. */
  readonly endLabel?: string;
  /** For a line of another run, the key of the line that it is compared with. If not all labels fit, those of such lines are omitted first. */
  readonly beside?: string;
  /** The line ends for good: a cross marks its last point. */
  readonly ends?: boolean;
  /** The axis of values is not widened for it: where the line leaves it, the line is cut off, and its label says so. */
  readonly outside?: boolean;
}

/** A horizontal line that values are compared with. */
export interface ReferenceLine {
  readonly y: number;
  readonly label: string;
}

export interface PlotSpec {
  readonly width: number;
  readonly height: number;
  /** Size of the labels' type, pixels: everything else follows it. */
  readonly em: number;
  readonly x: AxisSpec;
  readonly y: AxisSpec;
  readonly series: readonly PlotSeries[];
  readonly references?: readonly ReferenceLine[];
  /** Room at the right for labels of so many letters, if there are any: charts below each other are aligned. */
  readonly labelLetters?: number;
}

interface SeriesLayout {
  readonly series: PlotSeries;
  readonly line: string;
  readonly band: string;
  readonly bundle: string;
  readonly dots: readonly { readonly x: number; readonly y: number }[];
  readonly errorBars: readonly { readonly x: number; readonly from: number; readonly to: number }[];
  /** Where the line ends for good, within what is shown. */
  readonly end: { readonly x: number; readonly y: number } | undefined;
}

interface LabelLayout {
  readonly key: string;
  /** One below the other. */
  readonly lines: readonly string[];
  readonly color: string;
  readonly x: number;
  /** The middle of the first line. */
  readonly y: number;
}

export interface PlotLayout {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly x: AxisScale;
  readonly y: AxisScale;
  readonly series: readonly SeriesLayout[];
  /** None where they do not fit: then a legend has to name the lines. */
  readonly labels: readonly LabelLayout[];
  /** Whether there are lines that carry no label of their own. */
  readonly needsLegend: boolean;
  /** From line to line of a label, pixels. */
  readonly lineHeight: number;
  /** Lines that the axis was not made for and that leave it: their last value where it lies beyond, else the farthest that does. */
  readonly beyond: readonly { readonly label: string; readonly value: number }[];
  readonly references: readonly { readonly y: number; readonly label: string }[];
}

/** Width of a letter in the labels' type, at most on average. */
const LETTER = 0.62;
/** From line to line of labels, in sizes of the type. */
const LINE = 1.15;
/** Room for at least so many, so that charts below each other are aligned. */
const FEWEST_LETTERS = 5;
/** Precedes the label of a line that leaves the axis at its top. */
const ABOVE = '↑';
/** Points that are isolated or nearly so are drawn as dots, since a line through them would not be seen. */
const FEW_POINTS = 1;

function* allValues(series: readonly PlotSeries[], inside: (x: number) => boolean): Generator<number> {
  for (const { points, band = [], bundle = [], errorBars = [] } of series) {
    for (const list of [points, ...bundle]) {
      for (const { x, y } of list) if (inside(x)) yield y;
    }
    for (const { x, low, high } of band) {
      if (inside(x)) {
        yield low;
        yield high;
      }
    }
    for (const { x, y, deviation } of errorBars) {
      if (inside(x)) {
        yield y - deviation;
        yield y + deviation;
      }
    }
  }
}

function* allPlaces(series: readonly PlotSeries[]): Generator<number> {
  for (const { points, band = [], errorBars = [] } of series) {
    for (const { x } of points) yield x;
    for (const { x } of band) yield x;
    for (const { x } of errorBars) yield x;
  }
}

/** Reference lines that the axis can show. */
function levelsOf({ y, references = [] }: PlotSpec): readonly ReferenceLine[] {
  return y.scale === 'log' ? references.filter((reference) => reference.y > 0) : references;
}

/** The axis of values, which always shows the reference lines. */
function yAxisOf(spec: PlotSpec): AxisSpec {
  return { ...spec.y, include: [...(spec.y.include ?? []), ...levelsOf(spec).map((reference) => reference.y)] };
}

/** Series that the axis of values is made for; all of them if nothing else is left. */
function measured({ series }: PlotSpec): readonly PlotSeries[] {
  const inside = series.filter(({ outside, points }) => outside !== true && points.length > 0);
  return inside.length > 0 ? inside : series;
}

/** Lengths of the ticks' words along y, which do not depend on the room that they need. */
function tickLetters(spec: PlotSpec, top: number, bottom: number): number[] {
  const [from, to] = spec.x.domain ?? [-Infinity, Infinity];
  const values = allValues(measured(spec), (place) => place >= from && place <= to);
  return createScale(yAxisOf(spec), values, [bottom, top], true, spec.em).ticks.map(({ text }) => text.length);
}

/** Pixels that labels in lines take beside the plot. */
function widthOf(lines: readonly string[], em: number): number {
  return Math.max(...lines.map(({ length }) => length)) * LETTER * em;
}

/** Series with their labels, in lines. */
interface Labelled {
  readonly labelled: readonly PlotSeries[];
  readonly lines: readonly (readonly string[])[];
}

/** Whether a line of another run ends exactly where the line ends that it is beside: one label serves both. */
function endsAlike(one: PlotSeries, series: readonly PlotSeries[]): boolean {
  const [own, other] = [one, series.find(({ key }) => key === one.beside)].map((each) => each?.points.at(-1));
  return own !== undefined && own.x === other?.x && own.y === other.y;
}

/** @returns the labels of all series that are to have one, else of those of the run on screen; undefined where they do not fit */
function labelsThatFit(series: readonly PlotSeries[], room: number, lineHeight: number): Labelled | undefined {
  const labelled = series.filter(
    (one) => !one.unlabelled && one.points.length > 0 && (one.beside === undefined || !endsAlike(one, series)),
  );
  const lines = labelled.map((one) =>
    breakLabel(one.outside === true ? `${ABOVE} ${endLabelOf(one)}` : endLabelOf(one)),
  );
  const count = lines.reduce((sum, each) => sum + (each?.length ?? Infinity), 0);
  if ((count - 1) * lineHeight <= room) return { labelled, lines: lines.filter((each) => each !== undefined) };
  const own = series.filter(({ beside }) => beside === undefined);
  return own.length < series.length ? labelsThatFit(own, room, lineHeight) : undefined;
}

function endLabelOf({ label, endLabel }: PlotSeries): string {
  return endLabel ?? label;
}

/** A line that may leave the axis is taken onto it if the axis grows by no more than this factor. */
const TAKEN_IN = 1.25;

/** @returns the plot, with lines that would leave a linear axis by a little kept on it: a cut-off peak would look like a mark */
function withNearLines(spec: PlotSpec): PlotSpec {
  if (spec.y.scale === 'log' || !spec.series.some(({ outside }) => outside === true)) return spec;
  const [from, to] = spec.x.domain ?? [-Infinity, Infinity];
  const inside = (place: number): boolean => place >= from && place <= to;
  const most = Math.max(0, ...[...allValues(measured(spec), inside)].filter(Number.isFinite));
  const isNear = ({ points }: PlotSeries): boolean =>
    points.every(({ x, y }) => !inside(x) || !Number.isFinite(y) || Math.abs(y) <= TAKEN_IN * most);
  const series = spec.series.map((one) => (one.outside === true && isNear(one) ? { ...one, outside: false } : one));
  return { ...spec, series };
}

export function layoutPlot(given: PlotSpec): PlotLayout {
  const spec = withNearLines(given);
  const { width, height, em, series } = spec;
  // A line of type above for the title of the axis, and half a line for the highest tick.
  const top = Math.round(2.2 * em);
  const bottom = Math.max(top + 20, Math.round(height - 2.9 * em));
  const fitting = labelsThatFit(series, bottom - top, LINE * em);
  const { labelled, lines }: Labelled = fitting ?? { labelled: [], lines: [] };
  const left = Math.round((0.7 + DIGIT * Math.max(FEWEST_LETTERS, ...tickLetters(spec, top, bottom))) * em + 5);
  const least = lines.length > 0 ? (spec.labelLetters ?? 0) * LETTER * em : 0;
  const beside = Math.max(least, ...lines.map((each) => widthOf(each, em)));
  const right = Math.max(left + 40, Math.round(width - (beside > 0 ? beside + 10 : 1.6 * em)));
  const x = createScale(spec.x, allPlaces(series), [left, right], false, em);
  const [from, to] = x.domain;
  const inside = (place: number): boolean => place >= from && place <= to;
  const level = levelsOf(spec);
  const y = createScale(yAxisOf(spec), allValues(measured(spec), inside), [bottom, top], true, em);
  const visible = (value: number): boolean => Number.isFinite(y.at(value));
  const columns = Math.max(1, right - left);
  const path = line<Point>(
    (point) => x.at(point.x),
    (point) => y.at(point.y),
  ).defined((point) => visible(point.y));
  const floor = y.at(y.domain[0]);
  const bandPath = area<BandPoint>()
    .x((point) => x.at(point.x))
    .y0((point) => (visible(point.low) ? y.at(point.low) : floor))
    .y1((point) => y.at(point.high))
    .defined((point) => visible(point.high));

  const laidOut = series.map((one): SeriesLayout => {
    const shown = decimate(one.points, columns);
    const dotted = one.dots === true || one.points.length <= FEW_POINTS;
    const last = one.ends === true ? one.points.findLast(({ y: value }) => visible(value)) : undefined;
    return {
      series: one,
      // At the edge where the last value lies beyond the axis.
      end: last && inside(last.x) ? { x: x.at(last.x), y: Math.min(bottom, Math.max(top, y.at(last.y))) } : undefined,
      line: dotted ? '' : (path(shown as Point[]) ?? ''),
      band: one.band === undefined ? '' : (bandPath(one.band as BandPoint[]) ?? ''),
      bundle: (one.bundle ?? []).map((points) => path(decimate(points, columns) as Point[]) ?? '').join(''),
      dots:
        dotted || one.marked === true
          ? shown.filter((point) => visible(point.y)).map((point) => ({ x: x.at(point.x), y: y.at(point.y) }))
          : [],
      errorBars: (one.errorBars ?? []).map((bar) => ({
        x: x.at(bar.x),
        from: visible(bar.y - bar.deviation) ? y.at(bar.y - bar.deviation) : floor,
        to: y.at(bar.y + bar.deviation),
      })),
    };
  });
  const labels = fitting && labelsAtEnds(labelled, lines, { y, right, top, bottom, em, inside, visible });
  return {
    left,
    right,
    top,
    bottom,
    x,
    y,
    series: laidOut,
    labels: labels ?? [],
    needsLegend:
      labels === undefined ||
      series.some((one) => one.unlabelled === true || (one.points.length > 0 && !labelled.includes(one))),
    lineHeight: LINE * em,
    beyond: series.filter(({ outside }) => outside === true).flatMap((one) => beyondAxis(one, inside, y.domain)),
    references: level.map((reference) => ({ y: y.at(reference.y), label: reference.label })),
  };
}

/** @returns of a line that leaves the axis somewhere in what is shown its last value, or the farthest one beyond; else nothing */
function beyondAxis(
  { label, points }: PlotSeries,
  inside: (x: number) => boolean,
  [low, high]: readonly [number, number],
): PlotLayout['beyond'] {
  const shown = points.filter(({ x, y }) => inside(x) && Number.isFinite(y)).map(({ y }) => y);
  const excess = (y: number): number => Math.max(y - high, low - y);
  const beyond = shown.filter((y) => excess(y) > 0);
  const last = shown.at(-1);
  if (last === undefined || beyond.length === 0) return [];
  const farthest = beyond.reduce((found, y) => (excess(y) > excess(found) ? y : found));
  return [{ label, value: excess(last) > 0 ? last : farthest }];
}

interface LabelRoom {
  readonly y: AxisScale;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly em: number;
  readonly inside: (x: number) => boolean;
  readonly visible: (y: number) => boolean;
}

/** @returns undefined where they do not fit */
function labelsAtEnds(
  labelled: readonly PlotSeries[],
  lines: readonly (readonly string[])[],
  { y, right, top, bottom, em, inside, visible }: LabelRoom,
): LabelLayout[] | undefined {
  const ends = labelled.flatMap((one, n) => {
    const { key, color, points, outside } = one;
    const last = points.findLast((point) => inside(point.x) && visible(point.y));
    if (last === undefined) return [];
    const wanted = y.at(last.y);
    const leaves = outside === true && wanted < top;
    const own = outside === true && !leaves ? (breakLabel(endLabelOf(one)) ?? lines[n]) : lines[n];
    return [{ key, color, lines: own, wanted: Math.min(bottom, Math.max(top, wanted)) }];
  });
  const places = placeLabels(
    ends.map(({ key, wanted, lines: own }) => ({ key, wanted, lines: own.length })),
    LINE * em,
    top,
    bottom,
  );
  return (
    places &&
    ends.map(({ key, color, lines: own }) => ({
      key,
      lines: own,
      color,
      x: right + 6,
      y: (places.get(key) ?? top) - ((own.length - 1) * LINE * em) / 2,
    }))
  );
}

/** @returns the point nearest to a place, of points by ascending x; undefined if there are none */
export function nearestPoint<P extends Point>(points: readonly P[], place: number): P | undefined {
  let [low, high] = [0, points.length - 1];
  if (high < 0) return undefined;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (points[middle].x <= place) low = middle;
    else high = middle;
  }
  return Math.abs(points[high].x - place) < Math.abs(points[low].x - place) ? points[high] : points[low];
}

/** @returns a domain zoomed about a place by a factor (below 1 nearer), within the whole one */
export function zoomDomain(
  domain: readonly [number, number],
  whole: readonly [number, number],
  about: number,
  factor: number,
  smallest: number,
): readonly [number, number] | undefined {
  const length = Math.max(smallest, (domain[1] - domain[0]) * factor);
  if (length >= whole[1] - whole[0]) return undefined;
  const share = domain[1] > domain[0] ? (about - domain[0]) / (domain[1] - domain[0]) : 0.5;
  const from = Math.min(Math.max(whole[0], about - share * length), whole[1] - length);
  return [from, from + length];
}

/** @returns a domain moved by a share of its length, within the whole one */
export function panDomain(
  [from, to]: readonly [number, number],
  whole: readonly [number, number],
  share: number,
): readonly [number, number] {
  const by = Math.min(whole[1] - to, Math.max(whole[0] - from, share * (to - from)));
  return [from + by, to + by];
}

/** @returns a part of an axis of whole numbers that begins and ends on one, and holds what is asked for */
export function wholeDomain([from, to]: readonly [number, number]): readonly [number, number] {
  const [first, last] = [Math.floor(from), Math.ceil(to)];
  return last > first ? [first, last] : [first, first + 1];
}
