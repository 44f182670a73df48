/** Initial states that raise or lower the surface: drops, a dam break, a standing wave. */
import type { Grid } from '../models/index.ts';
import type { RandomStream } from '../random/stream.ts';
import { boundaryOf, extents, tidy, count, kindSchema, choice, drawnFrom } from '../settings/index.ts';
import type { BasinSettings, Problem } from '../settings/index.ts';
import {
  difference,
  extent,
  amplitudeField,
  volumeField,
  widthField,
  atRest,
  fill,
  still,
  defineInitialState,
  differs,
} from './definition.ts';
import type { Basin, FlowAt } from './definition.ts';
import { z } from 'zod';

const standingWaveSchema = kindSchema(
  'standing-wave',
  {
    title: 'Standing wave',
    description: 'Surface a·cos(mπx/Lx)·cos(nπy/Ly), the water at rest.',
    gist: 'A standing wave.',
  },
  {
    modes: z
      .tuple([z.int().min(0).max(1000), z.int().min(0).max(1000)])
      .default([1, 1])
      .meta({ title: 'Modes', description: 'Half waves m along x and n along y.' }),
    amplitude: amplitudeField('Height a of the wave, drawn from this range.', [0.1, 0.1]),
  },
);

/** cos of `modes` half waves along an axis, at a place measured from the first centre; the walls lie half a cell beyond. */
function standingPhase(modes: number, place: number, cells: number, d: number): number {
  return Math.cos((modes * Math.PI * (place + d / 2)) / (cells * d));
}

/** η = a cos(mπx′/Lx) cos(nπy′/Ly), x′ and y′ measured from the walls, which lie half a cell beyond the outer centres. */
function standingWaveFlow(spec: z.output<typeof standingWaveSchema>, { grid }: Basin, stream: RandomStream): FlowAt {
  const [m, n] = spec.modes;
  const a = stream.between(...spec.amplitude);
  return (x, y) => still(a * standingPhase(m, x, grid.nx, grid.dx) * standingPhase(n, y, grid.ny, grid.dy));
}

/** A standing wave, the water at rest. */
export const standingWave = defineInitialState(standingWaveSchema, {
  world: 'basin',
  reach({ amplitude }) {
    const highest = Math.max(...amplitude.map(Math.abs));
    return { lowest: -highest, highest, speed: 0 };
  },
  varies: ({ amplitude }) => differs(amplitude),
  draw: (settings, basin, stream) => fill(standingWaveFlow(settings, basin, stream), basin),
});

const damBreakSchema = kindSchema(
  'dam-break',
  {
    title: 'Dam break',
    description: 'Water at rest, higher before a straight dam than behind it; the dam is gone at once.',
    gist: 'A straight dam that is gone at once.',
  },
  {
    axis: choice({ title: 'Axis', description: 'Axis across the dam.', words: ['x', 'y'], default: 'x' }),
    amplitude: amplitudeField(
      'Height of the surface before the dam, above the water at rest, drawn from this range.',
      [0.5, 0.5],
    ),
    position: drawnFrom({
      title: 'Place of the dam',
      description: 'Drawn from this range, as a share of the basin’s length along the axis.',
      minimum: 0,
      maximum: 1,
      default: [0.5, 0.5],
    }),
  },
);

function damBreakFlow(spec: z.output<typeof damBreakSchema>, { grid }: Basin, stream: RandomStream): FlowAt {
  const a = stream.between(...spec.amplitude);
  const along = spec.axis === 'x';
  const length = along ? (grid.nx - 1) * grid.dx : (grid.ny - 1) * grid.dy;
  const dam = stream.between(...spec.position) * length;
  return (x, y) => still((along ? x : y) < dam ? a : 0);
}

export const damBreak = defineInitialState(damBreakSchema, {
  world: 'basin',
  reach: ({ amplitude: [low, high] }) => ({ lowest: Math.min(0, low), highest: Math.max(0, high), speed: 0 }),
  varies: ({ amplitude, position }) => differs(amplitude) || differs(position),
  draw: (settings, basin, stream) => fill(damBreakFlow(settings, basin, stream), basin),
});

/** What the width of drops is, in words. */
export const DROP_WIDTH = 'A drop raises the water by a·exp(−5 r²/width²) at distance r from its centre.';

/** How drops fall: η = Σ a·exp(−5 r²/width²), centres half a width or more away from walls. */
export interface Drops {
  readonly count: number;
  /** Lowest and highest a, metres. */
  readonly amplitude: readonly [number, number];
  /** Metres. */
  readonly width: number;
  readonly volume: 'added' | 'displaced';
}

/** Widths from its centre beyond which a drop is less than 1e-17 of its height: nothing beside the water's depth. */
const DROP_REACH = 2.8;

/** @returns the rows (or columns) whose centres lie within a distance of a place along their axis, in ascending order */
function rowsWithin(reach: number, place: number, n: number, d: number, periodic: boolean): number[] {
  const first = Math.ceil((place - reach) / d);
  const last = Math.floor((place + reach) / d);
  if (periodic) {
    if (last - first + 1 >= n) return Array.from({ length: n }, (_, row) => row);
    return Array.from({ length: last - first + 1 }, (_, index) => (((first + index) % n) + n) % n).sort(
      (a, b) => a - b,
    );
  }
  const from = Math.max(0, first);
  return Array.from({ length: Math.max(0, Math.min(n - 1, last) - from + 1) }, (_, index) => from + index);
}

/** One drop: where its middle is, metres from the centre of cell (0, 0), how high it is there, and its width, metres. */
export interface Drop {
  readonly x: number;
  readonly y: number;
  readonly height: number;
  readonly width: number;
}

/** Adds height·exp(−5 r²/width²) to an elevation at cell centres, metres, [ny][nx]. */
export function addDrop(elevation: Float64Array, grid: Grid, { x, y, height, width }: Drop): void {
  const { nx, ny, dx, dy, periodicX, periodicY } = grid;
  // exp(−5r²/w²) is a product of one factor an axis.
  const factor = (distance: number): number => Math.exp((-5 * distance * distance) / (width * width));
  const columns = rowsWithin(DROP_REACH * width, x, nx, dx, periodicX);
  const along = columns.map((i) => factor(difference(i * dx, x, extent(nx, dx, periodicX), periodicX)));
  for (const j of rowsWithin(DROP_REACH * width, y, ny, dy, periodicY)) {
    const across = height * factor(difference(j * dy, y, extent(ny, dy, periodicY), periodicY));
    for (let k = 0; k < columns.length; k++) elevation[j * nx + columns[k]] += across * along[k];
  }
}

/**
 * @param bed elevation of the bed above the water at rest, metres, [ny][nx]
 * @returns the elevation of randomly placed drops at cell centres, metres, [ny][nx]
 */
export function dropElevation(
  { count, amplitude, width, volume }: Drops,
  grid: Grid,
  bed: Readonly<Float64Array>,
  stream: RandomStream,
): Float64Array {
  const { nx, ny, dx, dy } = grid;
  const place = (length: number, periodic: boolean): number => {
    if (periodic) return stream.between(0, length);
    const margin = Math.min(width, length) / 2;
    return stream.between(margin, length - margin);
  };
  const elevation = new Float64Array(nx * ny);
  for (let drop = 0; drop < count; drop++) {
    const x = place(extent(nx, dx, grid.periodicX), grid.periodicX);
    const y = place(extent(ny, dy, grid.periodicY), grid.periodicY);
    addDrop(elevation, grid, { x, y, height: stream.between(...amplitude), width });
  }
  if (volume === 'displaced') displace(elevation, bed);
  return elevation;
}

/**
 * Takes the water of an elevation from the basin, in place: its sum over all cells becomes 0, by a level that falls by the same
 * height wherever there is water at rest. No slope changes but at a shore, so the waves are those of the original elevation, a
 * ring around each drop would make others; and no cell falls by more than the drops' volume over the basin's area.
 *
 * @param elevation metres, [ny][nx]
 * @param bed elevation of the bed above the water at rest, metres, [ny][nx]
 */
export function displace(elevation: Float64Array, bed: Readonly<Float64Array>): void {
  let wet = 0;
  let sum = 0;
  for (let cell = 0; cell < bed.length; cell++) {
    if (bed[cell] < 0) wet += 1;
    sum += elevation[cell];
  }
  if (wet === 0) return;
  const fall = sum / wet;
  for (let cell = 0; cell < bed.length; cell++) if (bed[cell] < 0) elevation[cell] -= fall;
}

/** @returns that drops are wider than the basin between its walls, at the setting `width`; of the first axis where they are */
export function dropProblems({ width }: Pick<Drops, 'width'>, basin: BasinSettings): Problem[] {
  const boundary = boundaryOf(basin.model);
  const [mostX, mostY] = extents(basin);
  const tight = [
    { axis: 'x', most: mostX, periodic: boundary.x === 'periodic' },
    { axis: 'y', most: mostY, periodic: boundary.y === 'periodic' },
  ].find(({ most, periodic }) => !periodic && width > most);
  if (!tight) return [];
  const { axis, most } = tight;
  const message = `found ${width} m, allowed: at most the basin's ${tidy(most)} m along ${axis}: drops stay half a width from the walls`;
  return [{ path: ['width'], message }];
}

export const drops = defineInitialState(
  kindSchema(
    'drops',
    {
      title: 'Water drops',
      description: 'Bumps of water at random places, half a width or more away from the walls.',
      gist: 'Bumps of water at random places.',
    },
    {
      count: count({ title: 'Drops', description: 'Number of drops.', minimum: 1, maximum: 10_000, default: 6 }),
      amplitude: amplitudeField('Height a of each drop, drawn from this range.', [0.1, 0.5]),
      width: widthField(DROP_WIDTH),
      volume: volumeField(),
    },
  ),
  {
    world: 'basin',
    reach: ({ amplitude: [low, high] }) => ({ lowest: Math.min(0, low), highest: Math.max(0, high), speed: 0 }),
    // Their places are drawn, whatever their height.
    varies: ({ amplitude }) => amplitude.some((height) => height !== 0),
    features: (settings) => settings.count,
    problems: dropProblems,
    draw: (settings, { grid, bed }, stream) => atRest(dropElevation(settings, grid, bed, stream), bed),
  },
);
