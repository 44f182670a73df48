/**
 * Cells as shapes: those of one colour are one path, so that ten thousand cells are no more to draw than a hundred. A cell of which
 * some seeds diverged is hatched as high as their share; one of which all did has no colour and no number.
 */
import { formatMeasured } from '../charts/numbers.ts';
import type { Cell } from './cells.ts';
import type { Arrangement, Spot } from './arrangement.ts';
import { cellBox, DIGIT_EM } from './heat-layout.ts';
import type { HeatLayout } from './heat-layout.ts';
import type { Box } from './facet-boxes.ts';

/** A colour, as CSS, and whether words on it are dark. */
export interface Ink {
  readonly colour: string;
  readonly dark: boolean;
}

/** What is drawn of a cell. */
export interface Paint {
  /** Undefined of a cell without a value. */
  readonly ink: Ink | undefined;
  /** Without a word where there is no room, or nothing to say. */
  readonly text: string;
  /** Share of its seeds that diverged. */
  readonly hatched: number;
}

export interface HeatText {
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
}

/** Pixels between two cells, where they are large enough to spare one. */
function gapOf({ width, height }: HeatLayout['cell']): number {
  return Math.min(width, height) >= 8 ? 1 : 0;
}

function rectangle({ left, top, width, height }: Box): string {
  return `M${left.toFixed(1)},${top.toFixed(1)}h${width.toFixed(1)}v${height.toFixed(1)}h${(-width).toFixed(1)}z`;
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
  const joined = (parts: readonly string[]): string => parts.join('');
  return {
    fills: [...fills].map(([colour, parts]) => ({ colour, path: joined(parts) })),
    empty: joined(empty),
    untried: joined(untried),
    hatches: { dark: joined(hatches.dark), light: joined(hatches.light), whole: joined(hatches.whole) },
    texts,
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
