import { z } from 'zod';
import { extents, kindSchema, placeProblem, tidy } from '../settings/index.ts';
import type { Problem } from '../settings/index.ts';
import { defineNetwork, fixed, MAXIMUM_POINTS } from './definition.ts';
import { positionsOf } from './positions.ts';

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
