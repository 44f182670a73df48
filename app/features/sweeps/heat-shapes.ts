/**
 * Cells as shapes: those of one colour are one path, so that ten thousand cells are no more to draw than a hundred. A cell of which
 * some seeds diverged is hatched as high as their share; one of which all did has no colour and no number.
 */
import { formatMeasured } from '../../format/numbers.ts';
import type { Cell } from './cells.ts';
import type { Arrangement, Spot } from './arrangement.ts';
import { cellBox, DIGIT_EM, type HeatLayout, type Box } from './heat-layout.ts';

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

function rectangle({ left, top, width, height }: Box): string {
  const wide = tenth(width);
  return `M${tenth(left)},${tenth(top)}h${wide}v${tenth(height)}h${-wide}z`;
}

/** @returns the box of a cell without the gap to the next */
export function innerBox(layout: HeatLayout, spot: Spot): Box {
  const { left, top, width, height } = cellBox(layout, spot);
  const gap = gapOf(layout.cell);
  return { left, top, width: width - gap, height: height - gap };
}

/** The lower part of a cell, as high as a share of it. */
function lowerPart({ left, top, width, height }: Box, share: number): Box {
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
