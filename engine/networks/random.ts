import { count, kindSchema, toggle } from '../settings/index.ts';
import { defineNetwork, fixed, MAXIMUM_POINTS } from './definition.ts';
import { randomPositions } from './positions.ts';
import type { Positions } from './positions.ts';

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
