/**
 * Where everything of lines is: one axis along x, a line for each value of another, a plot for each combination of the values of the
 * rest, all over one axis of the measure. Pure; the component draws it.
 */
import { area, line } from 'd3';
import { placeLabels, wrapText } from '../../plot/labels.ts';
import { createScale, dataDomain, needsDecades, type AxisScale } from '../../plot/scales.ts';
import type { Arrangement, Cell } from './arrangement.ts';
import { facetBoxes, DIGIT_EM, LETTER_EM, LINE_EM, type FacetBox, type HeatTick } from './heat-layout.ts';
import { axisTexts, numericValues, type TableAxis } from '../reading/sweep-table.ts';

/** A combination as a point of its line. */
export interface LinePoint {
  readonly combination: number;
  readonly x: number;
  /** At the foot of the plot where it has no value. */
  readonly y: number;
  /** `lost`: without a value; `partial`: some of its seeds have none. */
  readonly kind: 'whole' | 'partial' | 'lost';
}

export interface LineLayout {
  /** Which value of the other axis it is of. */
  readonly row: number;
  readonly path: string;
  readonly band: string;
  readonly points: readonly LinePoint[];
  readonly label: { readonly text: string; readonly x: number; readonly y: number } | undefined;
}

export interface LinesFacet extends FacetBox {
  readonly title: readonly string[];
  readonly x: readonly HeatTick[];
  readonly y: readonly HeatTick[];
  readonly lines: readonly LineLayout[];
  /** Height of what the measure should be near to; undefined if there is none, or where it is not within the axis. */
  readonly reference: number | undefined;
}

export interface LinesLayout {
  readonly width: number;
  readonly height: number;
  readonly top: number;
  readonly facets: readonly LinesFacet[];
  /** Whether lines have no names at their ends, so that a key has to name them. */
  readonly needsKey: boolean;
}

/** Coefficient of variation of the steps between values in ascending order. */
function unevenness(values: readonly number[]): number {
  const steps = values.slice(1).map((value, n) => value - values[n]);
  const mean = steps.reduce((sum, step) => sum + step, 0) / steps.length;
  return Math.sqrt(steps.reduce((sum, step) => sum + (step - mean) ** 2, 0) / steps.length) / mean;
}

/** The largest value over the least that a linear axis shows well, whatever the steps. */
const LEAST_DECADES = 4;

/** @returns whether values that were tried are spaced by ratios rather than by differences */
export function isByRatios(values: readonly number[]): boolean {
  const sorted = [...values].sort((a, b) => a - b);
  const [least, largest] = [sorted[0], sorted[sorted.length - 1]];
  if (!(least > 0) || largest / least < LEAST_DECADES || sorted.length < 3) return false;
  return unevenness(sorted.map(Math.log)) < unevenness(sorted);
}

/** @returns the position of each value of an axis from 0 to 1: numbers on their scale, words at equal distances */
function placesOf(axis: TableAxis | undefined): readonly number[] {
  if (!axis || axis.values.length === 1) return [0.5];
  const numbers = numericValues(axis);
  const values = numbers ? (isByRatios(numbers) ? numbers.map(Math.log) : numbers) : axis.values.map((_, n) => n);
  const [low, high] = dataDomain(values, 'linear') ?? [0, 1];
  return values.map((value) => (value - low) / (high - low));
}

/** Share of the axis's length that is left free at either end. */
const ROOM = 0.06;

/** The axis of the measure, which need not hold zero: what counts here are differences. */
function measureScale(cells: readonly Cell[], height: number, em: number): AxisScale {
  const values = cells.flatMap(({ median, interval }) =>
    [median, interval?.low, interval?.high].filter((v) => v != null),
  );
  const [low, high] = dataDomain(values, 'linear') ?? [0, 1];
  const scale = low > 0 && needsDecades(values) ? 'log' : 'linear';
  const room = high > low ? ROOM * (high - low) : Math.abs(high) / 2 || 1;
  const domain = scale === 'log' ? ([low, high] as const) : ([low - room, high + room] as const);
  return createScale({ label: '', unit: '', scale, domain }, [], [height, 0], false, em);
}

/** @returns the ticks that have room beside those before them, always the first */
function spaced(ticks: readonly HeatTick[], em: number): HeatTick[] {
  const kept: HeatTick[] = [];
  for (const tick of [...ticks].sort((a, b) => a.at - b.at)) {
    const last = kept.at(-1);
    const needed = last ? ((last.text.length + tick.text.length) / 2) * DIGIT_EM * em + 0.7 * em : 0;
    if (!last || tick.at - last.at >= needed) kept.push(tick);
  }
  return kept;
}

interface LinesRoom {
  readonly width: number;
  readonly height: number;
  readonly em: number;
  /** Pixels above the plots that a legend takes. */
  readonly top: number;
  /** What the measure should be near to. */
  readonly near: number | undefined;
}

const LEAST_PLOT = { width: 14, height: 8 };
const MOST_PLOT = { width: 90, height: 42 };

function longest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(({ length }) => length));
}

export function layoutLines(
  { x, y, facets }: Arrangement,
  cells: readonly Cell[],
  { width, height, em, top, near }: LinesRoom,
): LinesLayout {
  const lineTexts = y ? axisTexts(y) : [];
  const labelWidth = y ? (DIGIT_EM * longest(lineTexts) + 1) * em : em;
  const ticks = measureScale(cells, height, em).ticks.map(({ text }) => text);
  const hasTitles = facets.some(({ title }) => title !== '');
  const { boxes, height: needed } = facetBoxes({
    count: facets.length,
    width: width - labelWidth,
    height: height - top,
    left: Math.round((1 + DIGIT_EM * Math.max(5, longest(ticks))) * em),
    bottom: Math.round(3.2 * em),
    head: Math.round((hasTitles ? LINE_EM + 0.8 : 0.4) * em),
    gap: Math.round(Math.max(1.6 * em, labelWidth + 0.6 * em)),
    least: { width: LEAST_PLOT.width * em, height: LEAST_PLOT.height * em },
    most: { width: MOST_PLOT.width * em, height: MOST_PLOT.height * em },
  });
  const scale = measureScale(cells, boxes[0].height, em);
  const places = placesOf(x);
  const xTexts = x ? axisTexts(x) : [];
  const inset = 0.8 * em;
  const drawn = boxes.map((box, number): LinesFacet => {
    const from = box.top + top;
    const xAt = (column: number): number => box.left + inset + places[column] * (box.width - 2 * inset);
    const yAt = (value: number): number => from + scale.at(value);
    const lines = facets[number].rows.map((row, index) =>
      lineOf(row, index, cells, { xAt, yAt, foot: from + box.height }),
    );
    const labels = y ? endLabels(lines, lineTexts, from, from + box.height, em) : undefined;
    return {
      ...box,
      top: from,
      title: wrapText(facets[number].title, box.width, (text) => text.length * LETTER_EM * em).slice(0, 1),
      x: box.isLowest
        ? spaced(
            xTexts.map((text, column) => ({ at: xAt(column), text })),
            em,
          )
        : [],
      y: scale.ticks.map(({ value, text }) => ({ at: yAt(value), text })),
      lines: lines.map((each) => {
        const at = labels?.get(String(each.row));
        const last = each.points.findLast(({ kind }) => kind !== 'lost');
        const label =
          at === undefined || !last ? undefined : { text: lineTexts[each.row], x: last.x + 0.8 * em, y: at };
        return { ...each, label };
      }),
      reference: near !== undefined && near >= scale.domain[0] && near <= scale.domain[1] ? yAt(near) : undefined,
    };
  });
  const needsKey = y !== undefined && drawn.some(({ lines }) => lines.some(({ label, path }) => path !== '' && !label));
  return { width, height: top + needed, top, facets: drawn, needsKey };
}

interface LineScales {
  readonly xAt: (column: number) => number;
  readonly yAt: (value: number) => number;
  /** Where what has no value is marked. */
  readonly foot: number;
}

function kindOf({ median, seeds, diverged }: Cell): LinePoint['kind'] {
  if (median === null) return 'lost';
  return diverged > 0 && diverged < seeds ? 'partial' : 'whole';
}

function lineOf(
  row: readonly (number | undefined)[],
  index: number,
  cells: readonly Cell[],
  { xAt, yAt, foot }: LineScales,
): LineLayout {
  const tried = row.flatMap((combination, column) =>
    combination === undefined ? [] : [{ combination, x: xAt(column), cell: cells[combination] }],
  );
  type Tried = (typeof tried)[number];
  const sorted = [...tried].sort((a, b) => a.x - b.x);
  const path = line<Tried>(
    ({ x }) => x,
    ({ cell }) => yAt(cell.median ?? 0),
  ).defined(({ cell }) => cell.median !== null);
  const band = area<Tried>(
    ({ x }) => x,
    ({ cell }) => yAt(cell.interval?.low ?? 0),
    ({ cell }) => yAt(cell.interval?.high ?? 0),
  ).defined(({ cell }) => cell.interval !== null);
  return {
    row: index,
    path: path(sorted) ?? '',
    band: band(sorted) ?? '',
    points: sorted.map(({ combination, x, cell }) => ({
      combination,
      x,
      y: cell.median === null ? foot : yAt(cell.median),
      kind: kindOf(cell),
    })),
    label: undefined,
  };
}

/** A label farther from its line's end names another line, in sizes of the type. */
const MOST_SHIFT = 1.4;

/** @returns heights of the labels at the lines' ends by row; undefined where they have no room near them */
function endLabels(lines: readonly LineLayout[], texts: readonly string[], top: number, bottom: number, em: number) {
  const wanted = lines.flatMap(({ row, points }) => {
    const last = points.findLast(({ kind }) => kind !== 'lost');
    return last && texts[row] !== undefined ? [{ key: String(row), wanted: last.y }] : [];
  });
  const placed = placeLabels(wanted, 1.15 * em, top + 0.5 * em, bottom - 0.3 * em);
  const isNear = wanted.every(
    (label) => Math.abs((placed?.get(label.key) ?? Infinity) - label.wanted) <= MOST_SHIFT * em,
  );
  return isNear ? placed : undefined;
}

/** @returns the combination whose point is nearest to a place inside a plot */
export function pointAt({ facets }: LinesLayout, x: number, y: number): number | undefined {
  const facet = facets.find(
    ({ left, top, width, height }) => x >= left && x <= left + width && y >= top - 8 && y <= top + height + 8,
  );
  let found: number | undefined;
  let least = Infinity;
  for (const { points } of facet?.lines ?? []) {
    for (const point of points) {
      const distance = Math.hypot(point.x - x, point.y - y);
      if (distance >= least) continue;
      least = distance;
      found = point.combination;
    }
  }
  return found;
}
