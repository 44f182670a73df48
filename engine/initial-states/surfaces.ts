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

/** One drop: where its middle is, metres from the centre of cell (0, 0), how high it is there, and its width, metres. */
export interface Drop {
  readonly x: number;
  readonly y: number;
  readonly height: number;
  readonly width: number;
}

/** An axis of a grid: cells, their length, metres, and whether the last one is beside the first. */
interface DropAxis {
  readonly n: number;
  readonly d: number;
  readonly periodic: boolean;
}

function axesOf({ nx, ny, dx, dy, periodicX, periodicY }: Grid): readonly [x: DropAxis, y: DropAxis] {
  return [
    { n: nx, d: dx, periodic: periodicX },
    { n: ny, d: dy, periodic: periodicY },
  ];
}

/** A factor of exp(−5 r²/width²) along one axis: the cells that it reaches, and its values at their centres. */
interface Factor {
  readonly cells: Int32Array;
  readonly values: Float64Array;
}

function factorOf(place: number, width: number, { n, d, periodic }: DropAxis): Factor {
  const reach = DROP_REACH * width;
  let [first, last] = [Math.ceil((place - reach) / d), Math.floor((place + reach) / d)];
  if (!periodic) [first, last] = [Math.max(0, first), Math.min(n - 1, last)];
  else if (last - first + 1 >= n) [first, last] = [0, n - 1];
  const count = Math.max(0, last - first + 1);
  const [cells, values] = [new Int32Array(count), new Float64Array(count)];
  const length = extent(n, d, periodic);
  for (let k = 0; k < count; k++) {
    cells[k] = (((first + k) % n) + n) % n;
    const distance = difference(cells[k] * d, place, length, periodic);
    values[k] = Math.exp((-5 * distance * distance) / (width * width));
  }
  return { cells, values };
}

/** height·exp(−5 r²/width²) as a product of two lines. */
interface DropLines {
  /** [nx] */
  readonly along: Float64Array;
  /** With the height, metres. [ny] */
  readonly across: Float64Array;
}

/** @returns a drop as a product of one line along each axis, at cell centres, 0 where it is less than 1e-17 of its height */
export function dropLines(grid: Grid, { x, y, height, width }: Drop): DropLines {
  const [axisX, axisY] = axesOf(grid);
  const [columns, rows] = [factorOf(x, width, axisX), factorOf(y, width, axisY)];
  const [along, across] = [new Float64Array(grid.nx), new Float64Array(grid.ny)];
  for (let k = 0; k < columns.cells.length; k++) along[columns.cells[k]] = columns.values[k];
  for (let k = 0; k < rows.cells.length; k++) across[rows.cells[k]] = height * rows.values[k];
  return { along, across };
}

/** Adds height·exp(−5 r²/width²) to an elevation at cell centres, metres, [ny][nx]. */
export function addDrop(elevation: Float64Array, grid: Grid, { x, y, height, width }: Drop): void {
  const [axisX, axisY] = axesOf(grid);
  const [columns, rows] = [factorOf(x, width, axisX), factorOf(y, width, axisY)];
  rows.cells.forEach((j, row) => {
    const across = height * rows.values[row];
    for (let k = 0; k < columns.cells.length; k++) {
      elevation[j * grid.nx + columns.cells[k]] += across * columns.values[k];
    }
  });
}

/** @returns randomly placed drops, in the order in which they were drawn */
export function drawDrops(
  { count, amplitude, width }: Pick<Drops, 'count' | 'amplitude' | 'width'>,
  { nx, ny, dx, dy, periodicX, periodicY }: Grid,
  stream: RandomStream,
): readonly Drop[] {
  const place = (length: number, periodic: boolean): number => {
    if (periodic) return stream.between(0, length);
    const margin = Math.min(width, length) / 2;
    return stream.between(margin, length - margin);
  };
  return Array.from({ length: count }, () => {
    const x = place(extent(nx, dx, periodicX), periodicX);
    const y = place(extent(ny, dy, periodicY), periodicY);
    return { x, y, height: stream.between(...amplitude), width };
  });
}

/**
 * @param bed elevation of the bed above the water at rest, metres, [ny][nx]
 * @returns the elevation of randomly placed drops at cell centres, metres, [ny][nx]
 */
export function dropElevation(
  drops: Drops,
  grid: Grid,
  bed: Readonly<Float64Array>,
  stream: RandomStream,
): Float64Array {
  const elevation = new Float64Array(grid.nx * grid.ny);
  for (const drop of drawDrops(drops, grid, stream)) addDrop(elevation, grid, drop);
  if (drops.volume === 'displaced') displace(elevation, bed);
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
