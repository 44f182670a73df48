/** Gauges moored on a straight line at equal distances, its ends among them: what oceanographers call a section. */
import { z } from 'zod';
import { count, extents, kindSchema, placeProblem, tidy } from '../settings/index.ts';
import type { Problem } from '../settings/index.ts';
import { defineNetwork, fixed, MAXIMUM_POINTS } from './definition.ts';
import { positionsOf } from './positions.ts';

const end = (title: string, which: string) =>
  z.tuple([z.number(), z.number()]).meta({
    title,
    description: `Place [x, y] of the ${which} gauge, metres from the centre of cell (0, 0).`,
    unit: 'm',
  });

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
