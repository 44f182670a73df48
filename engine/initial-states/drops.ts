import { count, kindSchema } from '../settings/index.ts';
import { defineInitialState } from './definition.ts';
import { DROP_WIDTH, dropElevation, dropProblems } from './drop-elevation.ts';
import { amplitudeField, volumeField, widthField } from './fields.ts';
import { atRest } from './flow.ts';

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
