/**
 * Where everything of a heat map is: cells of all grids as shapes, their words, the values of the axes. Cells of one colour are one
 * path, so that ten thousand cells are no more to draw than a hundred. Pure; the component draws it.
 */
import type { GridBox } from '../../plot/grid-cursor.tsx';
import { wrapText } from '../../plot/labels.ts';
import type { Arrangement, Spot, Cell } from './arrangement.ts';
import { axisTexts, type TableAxis } from '../reading/sweep-table.ts';
import { formatMeasured } from '../../format/numbers.ts';

/** One of small multiples: equal boxes in rows, as large as their place allows. */
export interface FacetBox extends GridBox {
  /** Whether it is at the left, and whether none is below it: there its axes have their labels. */
  readonly isFirst: boolean;
  readonly isLowest: boolean;
}

interface FacetRoom {
  readonly count: number;
  readonly width: number;
  readonly height: number;
  /** Pixels that the words of the axes take at the left of all and below all. */
  readonly left: number;
  readonly bottom: number;
  /** Above each box. */
  readonly head: number;
  /** Between two boxes. */
  readonly gap: number;
  /** A box is never smaller, which may take more height than there is, and never larger. */
  readonly least: { readonly width: number; readonly height: number };
  readonly most: { readonly width: number; readonly height: number };
}

/** Width over height that a box is best read at. */
const ASPECT = 1.6;

function boxOf(room: FacetRoom, columns: number): { readonly width: number; readonly height: number } {
  const rows = Math.ceil(room.count / columns);
  const width = (room.width - room.left - (columns - 1) * room.gap) / columns;
  const height = (room.height - room.bottom - rows * room.head - (rows - 1) * room.gap) / rows;
  return {
    width: Math.max(Math.min(room.least.width, room.width - room.left), Math.min(room.most.width, width)),
    height: Math.max(room.least.height, Math.min(room.most.height, height)),
  };
}

/** @returns the boxes in reading order, and the height that all of them take */
export function facetBoxes(room: FacetRoom): { readonly boxes: readonly FacetBox[]; readonly height: number } {
  const { count, left, head, gap, bottom } = room;
  let columns = 1;
  let largest = 0;
  for (let tried = 1; tried <= count; tried++) {
    if (tried > 1 && (room.width - left - (tried - 1) * gap) / tried < room.least.width) break;
    const { width, height } = boxOf(room, tried);
    const size = Math.min(width, ASPECT * height);
    // Of two that are as large, the one with fewer rows.
    if (size < largest) continue;
    largest = size;
    columns = tried;
  }
  const { width, height } = boxOf(room, columns);
  const boxes = Array.from({ length: count }, (_, index): FacetBox => {
    const [row, column] = [Math.floor(index / columns), index % columns];
    return {
      left: left + column * (width + gap),
      top: head + row * (height + head + gap),
      width,
      height,
      isFirst: column === 0,
      isLowest: index + columns >= count,
    };
  });
  const rows = Math.ceil(count / columns);
  return { boxes, height: rows * (head + height) + (rows - 1) * gap + bottom };
}

/** Width of a letter and of a digit, and from line to line, in sizes of the type. */
export const LETTER_EM = 0.56;
export const DIGIT_EM = 0.62;
export const LINE_EM = 1.35;

export interface HeatTick {
  readonly at: number;
  readonly text: string;
}

interface HeatFacet extends GridBox {
  readonly title: readonly string[];
  /** Along x under it and along y beside it; none where another grid has them. */
  readonly x: readonly HeatTick[];
  readonly y: readonly HeatTick[];
}

export interface HeatLayout {
  readonly width: number;
  readonly height: number;
  readonly cell: { readonly width: number; readonly height: number };
  readonly columns: number;
  readonly rows: number;
  readonly facets: readonly HeatFacet[];
  /** Lines from the top that the grids begin below. */
  readonly top: number;
}

/** @returns the box of a cell; rows go upwards, as values along y grow */
export function cellBox({ facets, cell, rows }: HeatLayout, { facet, row, column }: Spot): GridBox {
  const { left, top } = facets[facet];
  return { left: left + column * cell.width, top: top + (rows - 1 - row) * cell.height, ...cell };
}

/** @returns the spot at a place, whether something was tried there or not */
export function spotAt({ facets, cell, rows, columns }: HeatLayout, x: number, y: number): Spot | undefined {
  for (const [facet, { left, top }] of facets.entries()) {
    const column = Math.floor((x - left) / cell.width);
    const down = Math.floor((y - top) / cell.height);
    if (column >= 0 && column < columns && down >= 0 && down < rows) return { facet, row: rows - 1 - down, column };
  }
  return undefined;
}

/** @returns the texts of values that have room, every second or third of them where not all have */
function thinned(texts: readonly string[], pitch: number, needed: number): readonly (string | undefined)[] {
  const step = Math.max(1, Math.ceil(needed / pitch));
  return texts.map((text, n) => (n % step === 0 ? text : undefined));
}

function ticks(texts: readonly (string | undefined)[], at: (number: number) => number): HeatTick[] {
  return texts.flatMap((text, number) => (text === undefined ? [] : [{ at: at(number), text }]));
}

function textsOf(axis: TableAxis | undefined): readonly string[] {
  return axis === undefined ? [] : axisTexts(axis);
}

function longest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(({ length }) => length));
}

interface HeatRoom {
  readonly width: number;
  readonly height: number;
  /** Size of the type, pixels. */
  readonly em: number;
  /** Pixels above the grids that a legend takes. */
  readonly top: number;
}

/** Sizes of a cell in sizes of the type. */
const LEAST_CELL = { width: 0.4, height: 0.24 };
const MOST_CELL = { width: 14, height: 9 };
/** A grid is not smaller, however few cells it has. */
const LEAST_GRID = 7;

export function layoutHeat({ x, y, facets }: Arrangement, { width, height, em, top }: HeatRoom): HeatLayout {
  const [xTexts, yTexts] = [textsOf(x), textsOf(y)];
  const [columns, rows] = [Math.max(1, xTexts.length), Math.max(1, yTexts.length)];
  const left = yTexts.length === 0 ? 0 : Math.round((0.8 + DIGIT_EM * longest(yTexts)) * em);
  const hasTitles = facets.some(({ title }) => title !== '');
  const widest = Math.max(...facets.map(({ title }) => title.length)) * LETTER_EM * em;
  const narrow = Math.max(LEAST_GRID * em, columns * LEAST_CELL.width * em);
  const titleLines = hasTitles ? Math.min(3, Math.ceil(widest / Math.max(narrow, (width - left) / 3))) : 0;
  const { boxes, height: needed } = facetBoxes({
    count: facets.length,
    width,
    height: height - top,
    left,
    bottom: xTexts.length === 0 ? 0 : Math.round(3 * em),
    head: Math.round((titleLines * LINE_EM + (hasTitles ? 0.4 : 0)) * em),
    gap: Math.round(1.2 * em),
    least: { width: narrow, height: Math.max(1.4 * em, rows * LEAST_CELL.height * em) },
    most: { width: columns * MOST_CELL.width * em, height: rows * MOST_CELL.height * em },
  });
  const cell = { width: boxes[0].width / columns, height: boxes[0].height / rows };
  const shownX = thinned(xTexts, cell.width, (DIGIT_EM * longest(xTexts) + 0.9) * em);
  const shownY = thinned(yTexts, cell.height, LINE_EM * em);
  return {
    width,
    height: top + needed,
    cell,
    columns,
    rows,
    top,
    facets: boxes.map((box, number) => ({
      left: box.left,
      top: box.top + top,
      width: box.width,
      height: box.height,
      title: wrapText(facets[number].title, box.width, (text) => text.length * LETTER_EM * em).slice(0, titleLines),
      x: box.isLowest ? ticks(shownX, (column) => box.left + (column + 0.5) * cell.width) : [],
      y: box.isFirst ? ticks(shownY, (row) => top + box.top + (rows - 0.5 - row) * cell.height) : [],
    })),
  };
}

/** @returns the right edge of all boxes */
export function rightOf(boxes: readonly GridBox[], width: number): number {
  return Math.min(width, Math.max(...boxes.map((box) => box.left + box.width)));
}

/** A colour, as CSS, and whether words on it are dark. */
interface Ink {
  readonly colour: string;
  readonly dark: boolean;
}

/** What is drawn of a cell. */
export interface Paint {
  /** Undefined of a cell without a value. */
  readonly ink: Ink | undefined;
  /** Without a word if there is no room, or nothing to say. */
  readonly text: string;
  /** Share of its seeds that diverged. */
  readonly hatched: number;
}

interface HeatText {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly dark: boolean | undefined;
}

export interface HeatShapes {
  readonly fills: readonly { readonly colour: string; readonly path: string }[];
  /** Cells that were tried and have no value. */
  readonly empty: string;
  /** Places that were not tried. */
  readonly untried: string;
  /** Hatches over coloured cells, on dark and on light colours, and over those without. */
  readonly hatches: { readonly dark: string; readonly light: string; readonly whole: string };
  readonly texts: readonly HeatText[];
  /** Cells touch each other: their edges are drawn on whole pixels, so that no seams show. */
  readonly isSeamless: boolean;
}

/** Smaller cells touch each other. */
const LEAST_APART = 8;
/** The overlap of adjacent cells: rounding to pixels would leave seams between them. */
const OVERLAP = 0.4;

function areApart({ width, height }: HeatLayout['cell']): boolean {
  return Math.min(width, height) >= LEAST_APART;
}

/** Pixels between two cells. */
function gapOf(cell: HeatLayout['cell']): number {
  return areApart(cell) ? 1 : -OVERLAP;
}

/** To a tenth of a pixel. */
function tenth(pixels: number): number {
  return Math.round(10 * pixels) / 10;
}

function rectangle({ left, top, width, height }: GridBox): string {
  const wide = tenth(width);
  return `M${tenth(left)},${tenth(top)}h${wide}v${tenth(height)}h${-wide}z`;
}

/** @returns the box of a cell without the gap to the next */
export function innerBox(layout: HeatLayout, spot: Spot): GridBox {
  const { left, top, width, height } = cellBox(layout, spot);
  const gap = gapOf(layout.cell);
  return { left, top, width: width - gap, height: height - gap };
}

/** The lower part of a cell, as high as a share of it. */
function lowerPart({ left, top, width, height }: GridBox, share: number): GridBox {
  return { left, top: top + (1 - share) * height, width, height: share * height };
}

/** @returns whether words of that many letters have room in a cell */
export function hasRoom({ width, height }: HeatLayout['cell'], letters: number, em: number): boolean {
  return width >= (DIGIT_EM * letters + 0.8) * em && height >= 1.5 * em;
}

/** @param paints by combination */
export function heatShapes(
  layout: HeatLayout,
  { facets }: Pick<Arrangement, 'facets'>,
  paints: readonly Paint[],
): HeatShapes {
  const fills = new Map<string, string[]>();
  const hatches = { dark: [] as string[], light: [] as string[], whole: [] as string[] };
  const [empty, untried]: string[][] = [[], []];
  const texts: HeatText[] = [];
  for (const [facet, { rows }] of facets.entries()) {
    for (const [row, cells] of rows.entries()) {
      for (const [column, combination] of cells.entries()) {
        const box = innerBox(layout, { facet, row, column });
        if (combination === undefined) {
          untried.push(rectangle(box));
          continue;
        }
        const { ink, text, hatched } = paints[combination];
        if (ink === undefined) empty.push(rectangle(box));
        else if (fills.has(ink.colour)) fills.get(ink.colour)?.push(rectangle(box));
        else fills.set(ink.colour, [rectangle(box)]);
        if (hatched > 0) {
          const kind = ink === undefined ? 'whole' : ink.dark ? 'dark' : 'light';
          hatches[kind].push(rectangle(ink === undefined ? box : lowerPart(box, hatched)));
        }
        if (text !== '')
          texts.push({ x: box.left + box.width / 2, y: box.top + box.height / 2, text, dark: ink?.dark });
      }
    }
  }
  return {
    fills: [...fills].map(([colour, parts]) => ({ colour, path: parts.join('') })),
    empty: empty.join(''),
    untried: untried.join(''),
    hatches: { dark: hatches.dark.join(''), light: hatches.light.join(''), whole: hatches.whole.join('') },
    texts,
    isSeamless: !areApart(layout.cell),
  };
}

/** @returns the share of a cell's seeds that diverged */
export function divergedShare({ diverged, seeds }: Cell): number {
  return seeds === 0 ? 0 : diverged / seeds;
}

/** @returns the words of a cell: its median; of one without, why */
export function cellText({ median, failed, waiting, diverged }: Cell): string {
  if (median !== null) return formatMeasured(median);
  if (diverged > 0) return '';
  if (failed > 0) return 'failed';
  return waiting > 0 ? '…' : '–';
}
