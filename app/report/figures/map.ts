/** A plane of the basin as a map: a cell is a pixel of a picture, seen from above, with y upwards. */
import { colourMap, COLOUR_MAP_SIZE, PALETTES } from '../../fields/colours.ts';
import type { ColourMapName } from '../../fields/field.ts';
import type { Range } from '../../fields/ranges.ts';
import { createScale } from '../../plot/scales.ts';
import { formatIndexedPng } from '../../files/png.ts';
import { dataUrl, html, type Markup } from '../markup.ts';
import { EM, tenth } from './plot.ts';

/** Cells along an axis that a map shows; finer grids are averaged over blocks of cells. */
const MOST_PIXELS = 320;
/** The last place of a palette: land, and what has no value. */
const LAND = COLOUR_MAP_SIZE - 1;
const COLOURS = COLOUR_MAP_SIZE - 1;
/** Width of the drawing, pixels. */
const MAP_WIDTH = 200;
/** More places than that cover what they observe. */
const MOST_MARKS = 1200;

interface MapGrid {
  readonly nx: number;
  readonly ny: number;
  readonly dx: number;
  readonly dy: number;
}

export interface MapParts {
  readonly grid: MapGrid;
  /** [y][x] */
  readonly values: ArrayLike<number>;
  readonly isWater: (cell: number) => boolean;
  readonly range: Range;
  readonly map: ColourMapName;
  /** What is seen: for those who do not see it. */
  readonly summary: string;
  /** Places that were observed, in cells. */
  readonly marks?: { readonly x: ArrayLike<number>; readonly y: ArrayLike<number> };
}

/** Red, green and blue of the colours, and of land behind them. */
function paletteOf(map: ColourMapName): Uint8Array {
  const colours = colourMap(map);
  const palette = new Uint8Array(3 * COLOUR_MAP_SIZE);
  for (let n = 0; n < COLOURS; n++) {
    const from = 4 * Math.round((n * (COLOUR_MAP_SIZE - 1)) / (COLOURS - 1));
    palette.set(colours.subarray(from, from + 3), 3 * n);
  }
  palette.set(
    PALETTES.light.land.map((part) => Math.round(255 * part)),
    3 * LAND,
  );
  return palette;
}

function placeOf(value: number, { from, to }: Range): number {
  const share = (value - from) / (to - from);
  return Math.round(Math.min(1, Math.max(0, share)) * (COLOURS - 1));
}

/** A picture of the plane: places in the palette, the last row of the grid at the top. */
function pixelsOf({ grid: { nx, ny }, values, isWater, range }: MapParts) {
  const block = Math.ceil(Math.max(nx, ny) / MOST_PIXELS);
  const [width, height] = [Math.ceil(nx / block), Math.ceil(ny / block)];
  const places = new Uint8Array(width * height);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      let [sum, count] = [0, 0];
      for (let y = row * block; y < Math.min(ny, (row + 1) * block); y++) {
        for (let x = column * block; x < Math.min(nx, (column + 1) * block); x++) {
          const cell = y * nx + x;
          if (!isWater(cell) || !Number.isFinite(values[cell])) continue;
          sum += values[cell];
          count += 1;
        }
      }
      places[(height - 1 - row) * width + column] = count === 0 ? LAND : placeOf(sum / count, range);
    }
  }
  return { width, height, places };
}

/** Several instruments in one place are one mark. */
function placesOf({ x, y }: NonNullable<MapParts['marks']>): readonly (readonly [x: number, y: number])[] {
  const places = Array.from({ length: x.length }, (_, n) => [x[n], y[n]] as const);
  return [...new Map(places.map((place) => [place.join(), place])).values()];
}

function marksOf({ grid: { nx, ny }, marks }: MapParts, height: number): Markup[] {
  const places = marks ? placesOf(marks) : [];
  if (places.length > MOST_MARKS) return [];
  const radius = places.length > 150 ? 1.1 : 2;
  return places.map(([column, row]) => {
    const [x, y] = [((column + 0.5) / nx) * MAP_WIDTH, (1 - (row + 0.5) / ny) * height];
    return html`<circle cx="${tenth(x)}" cy="${tenth(y)}" r="${radius}" />`;
  });
}

export function mapSvg(parts: MapParts): Markup {
  const { grid, map, summary } = parts;
  const height = tenth((MAP_WIDTH * grid.ny * grid.dy) / (grid.nx * grid.dx));
  const { width: columns, height: rows, places } = pixelsOf(parts);
  const picture = dataUrl('image/png', formatIndexedPng(columns, rows, paletteOf(map), places));
  return html`<svg class="map" role="img" aria-label="${summary}" viewBox="0 0 ${MAP_WIDTH} ${height}">
    <image href="${picture}" width="${MAP_WIDTH}" height="${height}" preserveAspectRatio="none" />
    <g class="observed">${marksOf(parts, height)}</g>
  </svg>`;
}

const BAR_WIDTH = 320;
const BAR_HEIGHT = 10;

/** The colours of a range with its numbers. @param label the quantity with its unit */
export function colourBar(map: ColourMapName, { from, to }: Range, label: string): Markup {
  const margin = 2 * EM;
  const places = Uint8Array.from({ length: COLOURS }, (_, n) => n);
  const picture = dataUrl('image/png', formatIndexedPng(COLOURS, 1, paletteOf(map), places));
  const { at, ticks } = createScale(
    { label, unit: '', scale: 'linear', domain: [from, to] },
    [],
    [margin, BAR_WIDTH - margin],
    false,
    EM,
  );
  const top = 1.5 * EM;
  const foot = top + BAR_HEIGHT;
  const numbers = ticks.map(
    ({ value, text }) =>
      html`<line class="axis" x1="${tenth(at(value))}" x2="${tenth(at(value))}" y1="${foot}" y2="${foot + 3}" /><text
          class="tick"
          x="${tenth(at(value))}"
          y="${foot + 3 + EM}"
          text-anchor="middle"
          >${text}</text
        >`,
  );
  return html`<svg
    class="colour-bar"
    role="img"
    aria-label="${`Colours of ${label}, from ${from} to ${to}`}"
    viewBox="0 0 ${BAR_WIDTH} ${foot + 3 + 1.4 * EM}"
  >
    <text class="axis-title" x="${margin}" y="${EM}">${label}</text>
    <image
      href="${picture}"
      x="${margin}"
      y="${top}"
      width="${BAR_WIDTH - 2 * margin}"
      height="${BAR_HEIGHT}"
      preserveAspectRatio="none"
    />
    ${numbers}
  </svg>`;
}
