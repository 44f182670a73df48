/** Networks that do not move: their places are given, or drawn once or each time. */
import { kindSchema, pair, count, toggle, extents, placeProblem, tidy, fileName } from '../settings/index.ts';
import type { Problem } from '../settings/index.ts';
import { defineNetwork, fixed, MAXIMUM_POINTS, positionsOf, randomPositions, type Positions } from './definition.ts';
import { z } from 'zod';

/** Times that are distinguished in a window. */
const TIMES_OF_A_WINDOW = 1e6;

/** A time in windows, to the rounding of decimal fractions. */
function keyOf(windows: number): number {
  return Math.round(windows * TIMES_OF_A_WINDOW);
}

/** In grid units, with the value in the unit of the variable. */
type Row = readonly [x: number, y: number, value: number];

export const file = defineNetwork(
  kindSchema(
    'file',
    {
      title: 'From a file',
      description: 'Places, times and perhaps values from a CSV file beside the scenario.',
      gist: 'Places, times and perhaps values from a CSV file.',
    },
    {
      file: fileName({
        title: 'File',
        description: 'A CSV file with a header line: x and y in metres, time in seconds, and value where it is known.',
      }),
    },
  ),
  {
    capacity: () => undefined,
    reads: { type: '.csv', file: (settings) => settings.file },
    create(settings, { grid, windowSeconds, files }) {
      const byTime = new Map<number, Row[]>();
      const { count, x, y, time, value } = files.table(settings.file);
      for (let i = 0; i < count; i++) {
        const key = keyOf(time[i] / windowSeconds);
        const rows = byTime.get(key) ?? [];
        rows.push([x[i] / grid.dx, y[i] / grid.dy, value[i]]);
        byTime.set(key, rows);
      }
      return {
        capacity: [...byTime.values()].reduce((most, { length }) => Math.max(most, length), 0),
        positions(cycle, share = 1) {
          const rows = byTime.get(keyOf(cycle + share)) ?? [];
          const given = Float64Array.from(rows, ([, , known]) => known);
          return { ...positionsOf(rows.map(([along, across]) => [along, across])), given };
        },
      };
    },
  },
);

const end = (title: string, which: string) =>
  z.tuple([z.number(), z.number()]).meta({
    title,
    description: `Place [x, y] of the ${which} gauge, metres from the centre of cell (0, 0).`,
    unit: 'm',
  });

/** Gauges moored on a straight line at equal distances, its ends among them: what oceanographers call a section. */
export const section = defineNetwork(
  kindSchema(
    'section',
    {
      title: 'Section',
      description: 'Gauges moored on a straight line at equal distances, its ends among them.',
      gist: 'Gauges at equal distances on a straight line.',
    },
    {
      from: end('From', 'first'),
      to: end('To', 'last'),
      count: count({
        title: 'Gauges',
        description: 'Number of gauges, those at both ends among them.',
        minimum: 2,
        maximum: MAXIMUM_POINTS,
        default: 16,
      }),
    },
  ),
  {
    keepsDistances: () => true,
    world: 'basin',
    capacity: (settings) => settings.count,
    problems({ from, to }, basin) {
      const problems = Object.entries({ from, to }).flatMap(([key, place]): Problem[] => {
        const message = placeProblem(place, basin);
        return message === undefined ? [] : [{ path: [key], message }];
      });
      if (from[0] !== to[0] || from[1] !== to[1]) return problems;
      const message = `found [${to.join(', ')}], which is where the section begins; allowed: another place`;
      return [...problems, { path: ['to'], message }];
    },
    /** Across the middle half of the basin, along x. */
    proposal(basin) {
      const [lengthX, lengthY] = extents(basin);
      const [first, last, middle] = [lengthX / 4, (3 * lengthX) / 4, lengthY / 2].map((place) => Number(tidy(place)));
      return { from: [first, middle], to: [last, middle] };
    },
    create({ from, to, count: gauges }, { grid }) {
      const place = (axis: 0 | 1, gauge: number): number =>
        from[axis] + ((to[axis] - from[axis]) * gauge) / (gauges - 1);
      return fixed(
        positionsOf(
          Array.from({ length: gauges }, (_, gauge) => [place(0, gauge) / grid.dx, place(1, gauge) / grid.dy] as const),
        ),
      );
    },
  },
);

export const points = defineNetwork(
  kindSchema(
    'points',
    { title: 'Points', description: 'Places given one by one.', gist: 'Places given one by one.' },
    {
      points: z
        .array(
          z
            .tuple([z.number(), z.number()])
            .meta({ title: 'Place', description: '[x, y] in metres from the centre of cell (0, 0).', unit: 'm' }),
        )
        .min(1)
        .max(MAXIMUM_POINTS)
        .meta({ title: 'Places', description: 'List of [x, y], metres from the centre of cell (0, 0).', unit: 'm' }),
    },
  ),
  {
    keepsDistances: () => true,
    capacity: (settings) => settings.points.length,
    problems: (settings, basin) =>
      settings.points.flatMap((point, index): Problem[] => {
        const message = placeProblem(point, basin);
        return message === undefined ? [] : [{ path: ['points', index], message }];
      }),
    proposal(basin) {
      const middle = extents(basin).map((length) => Number(tidy(length / 2)));
      return { points: [middle] };
    },
    create: (settings, { grid }) => fixed(positionsOf(settings.points.map(([x, y]) => [x / grid.dx, y / grid.dy]))),
  },
);

export const random = defineNetwork(
  kindSchema(
    'random',
    { title: 'Random', description: 'Places drawn at random over the basin.', gist: 'Places drawn at random.' },
    {
      count: count({
        title: 'Places',
        description: 'Number of places.',
        minimum: 1,
        maximum: MAXIMUM_POINTS,
        default: 64,
      }),
      redraw: toggle({
        title: 'Redraw',
        description: 'New places each time that it observes, or the same ones throughout.',
        default: false,
      }),
    },
  ),
  {
    capacity: (settings) => settings.count,
    drawsItsOwn: true,
    keepsDistances: ({ redraw }) => !redraw,
    create(settings, { grid, seed, streamName }) {
      const draw = (cycle: number, _share = 1, before = 0): Positions =>
        randomPositions(settings.count, grid, seed, `${streamName}.places`, cycle, before);
      return settings.redraw ? { capacity: settings.count, positions: draw } : fixed(draw(0));
    },
  },
);

/** Cells offset, offset + stride, … below `cells`. */
function cellsAlong(cells: number, offset: number, stride: number): number {
  return Math.max(0, Math.ceil((cells - offset) / stride));
}

export const regular = defineNetwork(
  kindSchema(
    'regular',
    {
      title: 'Regular',
      description: 'Every so many cells along each axis.',
      gist: 'Cells offset, offset + stride, … along each axis.',
    },
    {
      stride: pair({
        title: 'Stride',
        description: 'Cells between neighbours, along x and along y.',
        unit: 'cells',
        integer: true,
        minimum: 1,
        maximum: 8192,
        default: [4, 4],
      }),
      offset: pair({
        title: 'Offset',
        description: 'The first cell observed, along x and along y.',
        unit: 'cells',
        integer: true,
        minimum: 0,
        maximum: 8191,
        default: [0, 0],
      }),
    },
  ),
  {
    keepsDistances: () => true,
    capacity: ({ stride, offset }, { nx, ny }) =>
      cellsAlong(nx, offset[0], stride[0]) * cellsAlong(ny, offset[1], stride[1]),
    problems: ({ offset }, { grid }) =>
      [grid.nx, grid.ny].flatMap((cells, axis): Problem[] => {
        if (offset[axis] < cells) return [];
        const message = `found ${offset[axis]}, allowed: a cell of the grid: from 0 to ${cells - 1}`;
        return [{ path: ['offset', axis], message }];
      }),
    create({ stride, offset }, { grid }) {
      const points: [number, number][] = [];
      for (let y = offset[1]; y < grid.ny; y += stride[1]) {
        for (let x = offset[0]; x < grid.nx; x += stride[0]) points.push([x, y]);
      }
      return fixed(positionsOf(points));
    },
  },
);
