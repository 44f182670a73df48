/**
 * The picture of a scenario: its water seen from above, coloured by height and lit from the upper left, and its shore; or a ring's
 * variables across and time downwards.
 */
import type { BasinPreview, Preview, RingPreview } from '../../../engine/index.ts';
import { COLOUR_MAP_SIZE, colourMap } from '../../fields/colours.ts';
import { nextTask } from '../../page/render-pace.ts';

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha of each pixel, from the upper left. */
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;
}

/** Pixels to a cell along each axis. */
const FINENESS = 4;
/** Rows of pixels that are painted in one task of the page. */
const ROWS_AT_ONCE = 48;
/** How steep the steepest wave looks, whatever its height. */
const STEEPNESS = 0.9;
const LIGHT = [-0.48, 0.48, 0.73] as const;
const SAND = [196, 172, 130] as const;
const HILL = [134, 120, 96] as const;
/** Metres: a surface that is flatter is flat. */
const TINY = 1e-9;
/** Less water than this share of the deepest is dry. */
const DRY = 1e-4;

interface Grid {
  readonly nx: number;
  readonly ny: number;
}

/** Bilinear between cell centres, held at the edge. */
function sample(values: Float64Array, { nx, ny }: Grid, x: number, y: number): number {
  const i = Math.min(nx - 1, Math.max(0, x));
  const j = Math.min(ny - 1, Math.max(0, y));
  const [i0, j0] = [Math.floor(i), Math.floor(j)];
  const [i1, j1] = [Math.min(nx - 1, i0 + 1), Math.min(ny - 1, j0 + 1)];
  const [s, t] = [i - i0, j - j0];
  const below = (1 - s) * values[j0 * nx + i0] + s * values[j0 * nx + i1];
  const above = (1 - s) * values[j1 * nx + i0] + s * values[j1 * nx + i1];
  return (1 - t) * below + t * above;
}

function largest(values: Iterable<number>): number {
  let most = 0;
  for (const value of values) most = Math.max(most, Math.abs(value));
  return most;
}

/** Paints band by band, so that the page is not held up. */
export function paintPreview(preview: Preview): Promise<Picture> {
  return preview.kind === 'ring' ? paintRing(preview) : paintBasin(preview);
}

/** The distance from the mean as a colour: the first row at the top. */
async function paintRing({ nx, rows, values }: RingPreview): Promise<Picture> {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const range = Math.max(largest(values.map((value) => value - mean)), TINY);
  const colours = colourMap('diverging');
  const grid = { nx, ny: rows };
  const [width, height] = [nx * FINENESS, rows * FINENESS];
  const pixels = new Uint8ClampedArray(4 * width * height);
  for (let row = 0; row < height; row++) {
    if (row % ROWS_AT_ONCE === 0) await nextTask();
    for (let column = 0; column < width; column++) {
      const value = sample(values, grid, (column + 0.5) / FINENESS - 0.5, (row + 0.5) / FINENESS - 0.5);
      const share = Math.min(1, Math.max(0, 0.5 + (value - mean) / (2 * range)));
      const colour = 4 * Math.round(share * (COLOUR_MAP_SIZE - 1));
      const at = 4 * (row * width + column);
      for (let channel = 0; channel < 3; channel++) pixels[at + channel] = colours[colour + channel];
      pixels[at + 3] = 255;
    }
  }
  return { width, height, pixels };
}

/** @returns y upwards, as the stage has it from above */
async function paintBasin({ nx, ny, bed, depth }: BasinPreview): Promise<Picture> {
  const deepest = largest(depth);
  const wet = depth.map((water) => (water > DRY * deepest ? 1 : 0));
  const eta = depth.map((water, cell) => (wet[cell] === 1 ? water + bed[cell] : 0));
  // The highest half percent may be one splash; the map's ends represent common values.
  const sorted = eta.map(Math.abs).sort();
  const range = Math.max(sorted[Math.floor(0.995 * (sorted.length - 1))], TINY);
  const land = Math.max(
    TINY,
    bed.reduce((most, elevation) => Math.max(most, elevation), 0),
  );
  const slopes = eta.map((value, cell) => (cell % nx === 0 ? 0 : value - eta[cell - 1]));
  const steepest = Math.max(largest(slopes), TINY);
  const colours = colourMap('diverging');
  const grid = { nx, ny };
  const [width, height] = [nx * FINENESS, ny * FINENESS];
  const pixels = new Uint8ClampedArray(4 * width * height);
  for (let row = 0; row < height; row++) {
    if (row % ROWS_AT_ONCE === 0) await nextTask();
    const y = ny - 0.5 - (row + 0.5) / FINENESS;
    for (let column = 0; column < width; column++) {
      const x = (column + 0.5) / FINENESS - 0.5;
      const value = sample(eta, grid, x, y);
      const scale = STEEPNESS / steepest / 2;
      const across = scale * (sample(eta, grid, x + 1, y) - sample(eta, grid, x - 1, y));
      const along = scale * (sample(eta, grid, x, y + 1) - sample(eta, grid, x, y - 1));
      const facing = (LIGHT[2] - LIGHT[0] * across - LIGHT[1] * along) / Math.hypot(across, along, 1);
      const light = 0.45 + 0.75 * Math.max(0, facing);
      const share = Math.min(1, Math.max(0, 0.5 + value / (2 * range)));
      const colour = 4 * Math.round(share * (COLOUR_MAP_SIZE - 1));
      const dry = 1 - sample(wet, grid, x, y);
      const height01 = Math.min(1, Math.max(0, sample(bed, grid, x, y) / land));
      const at = 4 * (row * width + column);
      for (let channel = 0; channel < 3; channel++) {
        const water = colours[colour + channel] * light;
        const shore = SAND[channel] + (HILL[channel] - SAND[channel]) * height01;
        pixels[at + channel] = (1 - dry) * water + dry * shore;
      }
      pixels[at + 3] = 255;
    }
  }
  return { width, height, pixels };
}
