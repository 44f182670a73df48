import { count, kindSchema, oneLine } from '../settings/index.ts';
import { defineNetwork, MAXIMUM_POINTS } from './definition.ts';

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
    // What lies in these arrays moves: each analysis has an object of its own.
    create: (settings, { buoys }) => ({
      capacity: settings.count,
      positions: () => buoys.positions(settings.fleet, settings.count),
    }),
  },
);
