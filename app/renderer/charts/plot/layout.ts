/** From data to where everything of a chart is drawn: a pure function, which the SVG components print. */
import { area, line } from 'd3';
import { decimate } from './decimate.ts';
import type { Point } from './decimate.ts';
import { placeLabels } from './labels.ts';
import { createScale } from './scales.ts';
import type { AxisScale, AxisSpec } from './scales.ts';

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
  readonly thin?: boolean;
  /** Drawn back, while another one is pointed at. */
  readonly faded?: boolean;
  /** Left out of the labels at the lines' ends. */
  readonly unlabelled?: boolean;
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
}

export interface SeriesLayout {
  readonly series: PlotSeries;
  readonly line: string;
  readonly band: string;
  readonly bundle: string;
  readonly dots: readonly { readonly x: number; readonly y: number }[];
  readonly errorBars: readonly { readonly x: number; readonly from: number; readonly to: number }[];
}

export interface LabelLayout {
  readonly key: string;
  readonly text: string;
  readonly color: string;
  readonly x: number;
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
  readonly labels: readonly LabelLayout[];
  readonly references: readonly { readonly y: number; readonly label: string }[];
}

/** Width of a letter in the labels' type, on average. */
const LETTER = 0.58;
/** The same of a digit in the ticks' type, which is wider. */
const DIGIT = 0.62;
/** Room for at least so many, so that charts below each other are aligned. */
const FEWEST_LETTERS = 5;
/** Longer labels are cut off. */
const MOST_LETTERS = 14;
/** Points that stand alone or nearly so are drawn as dots, since a line through them would not be seen. */
const FEW_POINTS = 1;

/** @returns a label that fits beside the plot */
export function shortLabel(label: string): string {
  return label.length > MOST_LETTERS ? `${label.slice(0, MOST_LETTERS - 1)}…` : label;
}

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

/** Lengths of the ticks' words along y, which do not depend on the room that they need. */
function tickLetters(spec: PlotSpec, top: number, bottom: number): number[] {
  const [from, to] = spec.x.domain ?? [-Infinity, Infinity];
  const values = allValues(spec.series, (place) => place >= from && place <= to);
  return createScale(yAxisOf(spec), values, [bottom, top], true).ticks.map(({ text }) => text.length);
}

export function layoutPlot(spec: PlotSpec): PlotLayout {
  const { width, height, em, series } = spec;
  const labelled = series.filter(({ unlabelled, points }) => !unlabelled && points.length > 0);
  const letters = Math.max(0, ...labelled.map(({ label }) => shortLabel(label).length));
  const top = Math.round(em);
  const bottom = Math.max(top + 20, Math.round(height - 2.9 * em));
  const left = Math.round((2.3 + DIGIT * Math.max(FEWEST_LETTERS, ...tickLetters(spec, top, bottom))) * em);
  const right = Math.max(left + 40, Math.round(width - (letters > 0 ? letters * LETTER * em + 10 : em)));
  const x = createScale(spec.x, allPlaces(series), [left, right], false);
  const [from, to] = x.domain;
  const inside = (place: number): boolean => place >= from && place <= to;
  const level = levelsOf(spec);
  const y = createScale(yAxisOf(spec), allValues(series, inside), [bottom, top], true);
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
    return {
      series: one,
      line: dotted ? '' : (path(shown as Point[]) ?? ''),
      band: one.band === undefined ? '' : (bandPath(one.band as BandPoint[]) ?? ''),
      bundle: (one.bundle ?? []).map((points) => path(decimate(points, columns) as Point[]) ?? '').join(''),
      dots: dotted
        ? shown.filter((point) => visible(point.y)).map((point) => ({ x: x.at(point.x), y: y.at(point.y) }))
        : [],
      errorBars: (one.errorBars ?? []).map((bar) => ({
        x: x.at(bar.x),
        from: visible(bar.y - bar.deviation) ? y.at(bar.y - bar.deviation) : floor,
        to: y.at(bar.y + bar.deviation),
      })),
    };
  });
  return {
    left,
    right,
    top,
    bottom,
    x,
    y,
    series: laidOut,
    labels: labelsAtEnds(labelled, { x, y, right, top, bottom, em, inside, visible }),
    references: level.map((reference) => ({ y: y.at(reference.y), label: reference.label })),
  };
}

interface LabelRoom {
  readonly x: AxisScale;
  readonly y: AxisScale;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly em: number;
  readonly inside: (x: number) => boolean;
  readonly visible: (y: number) => boolean;
}

function labelsAtEnds(labelled: readonly PlotSeries[], room: LabelRoom): LabelLayout[] {
  const { y, right, top, bottom, em, inside, visible } = room;
  const ends = labelled.flatMap(({ key, points }) => {
    const last = points.findLast((point) => inside(point.x) && visible(point.y));
    return last === undefined ? [] : [{ key, wanted: y.at(last.y) }];
  });
  const places = placeLabels(ends, 1.15 * em, top, bottom);
  return labelled.flatMap(({ key, label, color }) => {
    const place = places.get(key);
    return place === undefined ? [] : [{ key, text: shortLabel(label), color, x: right + 6, y: place }];
  });
}

/** @returns the point nearest to a place, of points by ascending x; undefined where there are none */
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
