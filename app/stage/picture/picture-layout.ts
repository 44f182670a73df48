/**
 * Where the words of a picture of the stage go: titles in the corners of the views, and a foot below them with the scenario,
 * the time and the colour bars. Pure, in CSS pixels of the stage; whoever draws scales it.
 */
import type { Rect } from '../view-grid.ts';

/** Sizes at type × 1, CSS pixels. */
export const PICTURE_TYPE = { title: 15, words: 12, small: 11 } as const;
const FOOT_LINE = 30;
const SIDE = 12;
const GAP = 24;
/** A colour bar's own width, between its ends' numbers. */
export const BAR_WIDTH = 110;
export const BAR_HEIGHT = 8;

/** Widths of the parts of the foot at type × 1, CSS pixels. */
export interface FootParts {
  /** Place of the scenario and the time. */
  readonly words: number;
  readonly bars: readonly number[];
}

export interface FootLayout {
  /** CSS pixels below the views. */
  readonly height: number;
  /** Place of each bar: its left edge, and the middle of its line below the views. */
  readonly bars: readonly { readonly x: number; readonly y: number }[];
  /** Middle of the line of words below the views. */
  readonly wordsAt: number;
  /** The words may be as wide as this. */
  readonly wordsWidth: number;
}

/**
 * Bars are to the right of the words if there is room, else in lines below them; each line ends at the right edge.
 * @param width of the stage, CSS pixels
 * @param scale of the type
 */
export function layFoot(width: number, { words, bars }: FootParts, scale: number): FootLayout {
  const line = FOOT_LINE * scale;
  const [side, gap] = [SIDE * scale, GAP * scale];
  const room = width - 2 * side;
  const rows: number[][] = [[]];
  const used = [words * scale];
  for (const [index, bar] of bars.entries()) {
    const needed = bar * scale + gap;
    const last = rows.length - 1;
    if (used[last] > 0 && used[last] + needed > room) {
      rows.push([index]);
      used.push(needed);
    } else {
      rows[last].push(index);
      used[last] += needed;
    }
  }
  const places = bars.map(() => ({ x: 0, y: 0 }));
  for (const [row, indices] of rows.entries()) {
    let right = width - side;
    for (const index of [...indices].reverse()) {
      right -= bars[index] * scale;
      places[index] = { x: Math.max(side, right), y: (row + 0.5) * line };
      right -= gap;
    }
  }
  const first = rows[0].reduce((sum, index) => sum + bars[index] * scale + gap, 0);
  return { height: rows.length * line, bars: places, wordsAt: line / 2, wordsWidth: Math.max(0, room - first) };
}

/** @returns by how much a line of words must be made smaller to fit, at least by half; 1 where it fits */
export function fitted(width: number, room: number): number {
  return width > room && width > 0 ? Math.max(0.5, room / width) : 1;
}

/** @returns a view's part of the picture in which its title may be, CSS pixels */
export function titleRoom({ x, y, width }: Rect, scale: number): Rect {
  return { x: x + SIDE * scale, y: y + 8 * scale, width: width - 2 * SIDE * scale, height: 40 * scale };
}
