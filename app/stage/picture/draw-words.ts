/** Writes over a picture of the stage its words on screen, and below it the scenario, the time and the colour bars. */
import { wrapText } from '../../plot/labels.ts';
import { COLOUR_MAP_SIZE, PALETTES } from '../../fields/colours.ts';
import { barTexts, barTitle, type FieldWords } from '../../document/views/shown-planes.ts';
import type { Range } from '../../fields/ranges.ts';
import type { Rect } from '../view-grid.ts';

/** Sizes at type × 1, CSS pixels of the stage; whoever draws scales them. */
const PICTURE_TYPE = { title: 15, words: 12, small: 11 } as const;
const FOOT_LINE = 30;
const SIDE = 12;
const GAP = 24;
/** A colour bar's own width, between its ends' numbers. */
const BAR_WIDTH = 110;
const BAR_HEIGHT = 8;

/** Widths of the parts of the foot at type × 1, CSS pixels. */
interface FootParts {
  /** Place of the scenario and the time. */
  readonly words: number;
  readonly bars: readonly number[];
}

interface FootLayout {
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
function titleRoom({ x, y, width }: Rect, scale: number): Rect {
  return { x: x + SIDE * scale, y: y + 8 * scale, width: width - 2 * SIDE * scale, height: 40 * scale };
}

const FONT = "'Inter Variable', system-ui, sans-serif";
const NUMBERS = "'JetBrains Mono Variable', ui-monospace, monospace";

export interface PictureView {
  readonly rect: Rect;
  readonly title: string;
  /** Under the title: `Surface height, RMSE 0.0170 m`. */
  readonly words: string;
  readonly colour: string;
  /** Dashes of the line before the title, as on screen; empty for a solid one. */
  readonly dash: string;
}

export interface PictureBar {
  /** What is said of the numbers. */
  readonly words: FieldWords;
  readonly range: Range;
  /** The colour at a share of the range. */
  readonly colourAt: (share: number) => string;
  /** Whether the range is of numbers that were seen. */
  readonly isKnown: boolean;
  /** The view that contains it, if the range is its own; undefined for the foot. */
  readonly inside: Rect | undefined;
}

export interface PictureWords {
  readonly theme: 'dark' | 'light';
  /** Scale of the type: 1, or more in stage mode. */
  readonly scale: number;
  /** Width of the stage, CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly views: readonly PictureView[];
  readonly bars: readonly PictureBar[];
  readonly scenario: string;
  /** `cycle 18, 19.0 s`. */
  readonly when: string;
}

type Context = CanvasRenderingContext2D;

function setFont(context: Context, size: number, weight: number, family = FONT): void {
  context.font = `${weight} ${size}px ${family}`;
}

function css([red, green, blue]: readonly [number, number, number]): string {
  return `rgb(${[red, green, blue].map((each) => Math.round(255 * each)).join(' ')})`;
}

/** Writes with an edge of the ground's colour, so that it is read over water too. */
function write(
  context: Context,
  text: string,
  x: number,
  y: number,
  { theme, scale }: PictureWords,
  ink: string,
): void {
  context.lineJoin = 'round';
  context.lineWidth = 4 * scale;
  context.strokeStyle = css(PALETTES[theme].background);
  context.strokeText(text, x, y);
  context.fillStyle = ink;
  context.fillText(text, x, y);
}

function drawTitle(context: Context, view: PictureView, words: PictureWords): void {
  const { ink, quiet } = PALETTES[words.theme];
  const room = titleRoom(view.rect, words.scale);
  const swatch = 22 * words.scale;
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  const first = room.y + 9 * words.scale;
  context.strokeStyle = view.colour;
  context.lineWidth = 2.4 * words.scale;
  context.setLineDash(
    view.dash
      .split(/[ ,]+/)
      .filter(Boolean)
      .map((part) => Number(part) * words.scale),
  );
  context.beginPath();
  context.moveTo(room.x, first);
  context.lineTo(room.x + swatch, first);
  context.stroke();
  context.setLineDash([]);
  let y = first;
  const lines = (text: string, size: number, weight: number, left: number, colour: string): void => {
    const width = room.width - left;
    setFont(context, size * words.scale, weight);
    const wrapped = wrapText(text, width, (part) => context.measureText(part).width);
    const widest = Math.max(0, ...wrapped.map((part) => context.measureText(part).width));
    setFont(context, size * words.scale * fitted(widest, width), weight);
    for (const part of wrapped) {
      write(context, part, room.x + left, y, words, colour);
      y += 1.3 * size * words.scale;
    }
  };
  lines(view.title, PICTURE_TYPE.title, 600, swatch + 8 * words.scale, ink);
  lines(view.words, PICTURE_TYPE.words, 400, 0, quiet);
}

/** The lines between views, as on screen. */
function drawEdges(context: Context, { views, theme, width, height }: PictureWords): void {
  context.fillStyle = css(PALETTES[theme].wall);
  for (const { rect } of views) {
    const [right, bottom] = [rect.x + rect.width, rect.y + rect.height];
    if (right < width - 1) context.fillRect(right, rect.y, 1, rect.height + 1);
    if (bottom < height - 1) context.fillRect(rect.x, bottom, rect.width + 1, 1);
  }
}

/** Texts of a bar: what it is of, and its ends. */
function barLine({ words, range, isKnown }: PictureBar): readonly [string, string, string] {
  const [from, , to] = barTexts(range, isKnown);
  return [barTitle(words, range), from, to];
}

/** Pixels at type × 1 that a bar takes with its texts. */
function barWidth(context: Context, bar: PictureBar): number {
  const [title, from, to] = barLine(bar);
  setFont(context, PICTURE_TYPE.small, 400);
  const name = context.measureText(title).width;
  setFont(context, PICTURE_TYPE.small, 400, NUMBERS);
  return name + 8 + context.measureText(from).width + 5 + BAR_WIDTH + 5 + context.measureText(to).width;
}

function drawBar(
  context: Context,
  bar: PictureBar,
  at: { readonly x: number; readonly y: number },
  words: PictureWords,
) {
  const { ink, quiet } = PALETTES[words.theme];
  const { scale } = words;
  const [title, from, to] = barLine(bar);
  const { x: left, y } = at;
  let x = left;
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  const part = (text: string, colour: string, family: string, gap: number): void => {
    setFont(context, PICTURE_TYPE.small * scale, 400, family);
    context.fillStyle = colour;
    context.fillText(text, x, y);
    x += context.measureText(text).width + gap * scale;
  };
  part(title, quiet, FONT, 8);
  part(from, ink, NUMBERS, 5);
  const step = (BAR_WIDTH * scale) / COLOUR_MAP_SIZE;
  for (let n = 0; n < COLOUR_MAP_SIZE; n++) {
    context.fillStyle = bar.colourAt(n / (COLOUR_MAP_SIZE - 1));
    context.fillRect(x + n * step, y - (BAR_HEIGHT * scale) / 2, step + 0.5, BAR_HEIGHT * scale);
  }
  x += (BAR_WIDTH + 5) * scale;
  part(to, ink, NUMBERS, 0);
}

function barsOfFoot({ bars }: PictureWords): readonly PictureBar[] {
  return bars.filter(({ inside }) => inside === undefined);
}

/** Lower right in the views that have a range of their own. */
function drawBarsInside(context: Context, words: PictureWords): void {
  for (const bar of words.bars) {
    if (bar.inside === undefined) continue;
    const { x, y, width, height } = bar.inside;
    const left = x + width - (barWidth(context, bar) + 12) * words.scale;
    drawBar(context, bar, { x: Math.max(x + 4, left), y: y + height - 14 * words.scale }, words);
  }
}

/** @returns where the foot's parts go */
export function footOf(context: Context, words: PictureWords): FootLayout {
  setFont(context, PICTURE_TYPE.title, 600);
  const scenario = context.measureText(words.scenario).width;
  setFont(context, PICTURE_TYPE.words, 400, NUMBERS);
  const when = context.measureText(words.when).width;
  const parts = { words: scenario + 16 + when, bars: barsOfFoot(words).map((bar) => barWidth(context, bar)) };
  return layFoot(words.width, parts, words.scale);
}

function drawFoot(context: Context, words: PictureWords, foot: FootLayout): void {
  const { ink, quiet, background, wall } = PALETTES[words.theme];
  const { scale, width, height } = words;
  context.fillStyle = css(background);
  context.fillRect(0, height, width, foot.height);
  context.fillStyle = css(wall);
  context.fillRect(0, height, width, 1);
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  const y = height + foot.wordsAt;
  setFont(context, PICTURE_TYPE.title * scale, 600);
  const own = context.measureText(words.scenario).width;
  setFont(context, PICTURE_TYPE.words * scale, 400, NUMBERS);
  const factor = fitted(own + 16 * scale + context.measureText(words.when).width, foot.wordsWidth);
  setFont(context, PICTURE_TYPE.title * scale * factor, 600);
  context.fillStyle = ink;
  context.fillText(words.scenario, 12 * scale, y);
  setFont(context, PICTURE_TYPE.words * scale * factor, 400, NUMBERS);
  context.fillStyle = quiet;
  context.fillText(words.when, (12 + 16 * factor) * scale + own * factor, y);
  for (const [index, bar] of barsOfFoot(words).entries()) {
    const at = foot.bars[index];
    drawBar(context, bar, { x: at.x, y: height + at.y }, words);
  }
}

/**
 * Draws the stage and all that is to be read.
 * @param stage picture of the views, of any resolution
 * @param context whose unit is a CSS pixel of the stage
 * @param foot as it was laid out; what does not fit a film that began with less is omitted
 */
export function drawPicture(context: Context, stage: CanvasImageSource, words: PictureWords, foot: FootLayout): void {
  context.drawImage(stage, 0, 0, words.width, words.height);
  drawEdges(context, words);
  for (const view of words.views) drawTitle(context, view, words);
  drawBarsInside(context, words);
  drawFoot(context, words, foot);
}
