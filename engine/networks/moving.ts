/** Networks that move: a swath as a satellite has it, and buoys that the truth carries. */
import { z } from 'zod';
import { cellLength, extents, kindSchema, placeProblem, quantity, tidy, count, oneLine } from '../settings/index.ts';
import type { Problem } from '../settings/index.ts';
import { defineNetwork, MAXIMUM_POINTS, lengths, positionsOf } from './definition.ts';

export const drifters = defineNetwork(
  kindSchema(
    'drifters',
    {
      title: 'Drifters',
      description: 'Buoys that start at random places and are carried by the truth.',
      gist: 'Buoys that the truth’s currents carry.',
    },
    {
      count: count({
        title: 'Drifters',
        description: 'Number of buoys.',
        minimum: 1,
        maximum: MAXIMUM_POINTS,
        default: 20,
      }),
      fleet: oneLine().default('buoys').meta({
        title: 'Fleet',
        description:
          'Networks of one fleet observe the same buoys: u and v are of one place. Where counts differ, the smaller takes the first.',
      }),
    },
  ),
  {
    world: 'basin',
    capacity: (settings) => settings.count,
    drifting: (settings) => settings,
    // The places in these arrays change, so each analysis gets its own object.
    create: (settings, { buoys }) => ({
      capacity: settings.count,
      positions: () => buoys.positions(settings.fleet, settings.count),
    }),
  },
);

const DEGREE = Math.PI / 180;

const trackSchema = kindSchema(
  'track',
  {
    title: 'Track',
    description: 'A swath that moves over the basin as a satellite’s does, and starts again at the other side.',
    gist: 'A swath that moves over the basin.',
  },
  {
    start: z.tuple([z.number(), z.number()]).default([0, 0]).meta({
      title: 'Start',
      description: 'Place [x, y] of the swath’s head when the first cycle begins.',
      unit: 'm',
    }),
    heading: quantity({
      title: 'Heading',
      description: 'Direction of the movement, anticlockwise from x.',
      unit: '°',
      minimum: -360,
      maximum: 360,
      default: 60,
    }),
    speed: quantity({
      title: 'Speed',
      description: 'Speed of the swath.',
      unit: 'm/s',
      minimum: 0,
      maximum: 1e5,
      default: 10,
    }),
    length: cellLength({
      title: 'Length',
      description: 'Length of the swath behind its head, which one analysis sees.',
      unit: 'm',
      above: 0,
      maximum: 1e8,
      cells: 40,
    }),
    width: quantity({
      title: 'Width',
      description: 'Width of the swath; 0 for a line.',
      unit: 'm',
      minimum: 0,
      maximum: 1e8,
      default: 0,
    }),
    spacing: cellLength({
      title: 'Spacing',
      description: 'Distance between places in the swath.',
      unit: 'm',
      above: 0,
      maximum: 1e8,
      cells: 2,
    }),
  },
);

type TrackSettings = z.output<typeof trackSchema>;

/** Rows of places behind the head's own, and columns on either side of its path. */
function extentInPlaces({ length, width, spacing }: TrackSettings): { readonly rows: number; readonly side: number } {
  return { rows: Math.floor(length / spacing), side: Math.floor(width / 2 / spacing) };
}

function capacityOf(settings: TrackSettings): number {
  const { rows, side } = extentInPlaces(settings);
  return (rows + 1) * (2 * side + 1);
}

/** The remainder that lies in [0, length). */
function modulo(value: number, length: number): number {
  const remainder = value % length;
  return remainder < 0 ? remainder + length : remainder;
}

export const track = defineNetwork(trackSchema, {
  world: 'basin',
  keepsDistances: () => true,
  capacity: capacityOf,
  problems(settings, basin) {
    const problems: Problem[] = [];
    const outside = placeProblem(settings.start, basin);
    if (outside !== undefined) problems.push({ path: ['start'], message: outside });
    const { spacing } = settings;
    const places = capacityOf(settings);
    if (places > MAXIMUM_POINTS) {
      const message =
        `found ${spacing} m, which makes ${places} places in the swath, allowed: ${MAXIMUM_POINTS}; ` +
        'use a wider spacing, or a smaller length or width';
      problems.push({ path: ['spacing'], message });
    }
    const diagonal = Math.hypot(...extents(basin));
    if (spacing > diagonal) {
      const message = `found ${spacing} m, allowed: at most the basin's diagonal, ${tidy(diagonal)} m`;
      problems.push({ path: ['spacing'], message });
    }
    return problems;
  },
  /** Places are `spacing` apart along and across the track; those that leave the basin come in again at the other side. */
  create(settings, { grid, windowSeconds }) {
    const { start, heading, speed, spacing } = settings;
    const [lengthX, lengthY] = lengths(grid);
    const [alongX, alongY] = [Math.cos(heading * DEGREE), Math.sin(heading * DEGREE)];
    const { rows, side } = extentInPlaces(settings);
    const swath: [number, number][] = [];
    for (let row = 0; row <= rows; row++) {
      for (let column = -side; column <= side; column++) swath.push([-row * spacing, column * spacing]);
    }
    /** From the head of the track, along x and along y, m. */
    const turned = swath.map(
      ([along, across]) => [along * alongX - across * alongY, along * alongY + across * alongX] as const,
    );
    return {
      capacity: capacityOf(settings),
      swath: positionsOf(turned),
      positions(cycle, share = 1) {
        const head = speed * windowSeconds * (cycle + share);
        return positionsOf(
          swath.map(([behind, across]) => {
            const along = head + behind;
            return [
              modulo((start[0] + along * alongX - across * alongY) / grid.dx, lengthX),
              modulo((start[1] + along * alongY + across * alongX) / grid.dy, lengthY),
            ] as const;
          }),
        );
      },
    };
  },
});
