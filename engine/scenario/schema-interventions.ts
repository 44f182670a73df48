/**
 * What was changed while a run continued: settings, gauges, water and the bed. Kept in the scenario, so that the run can be repeated
 * with the same numbers.
 */
import { z } from 'zod';
import { volumeField } from '../initial-states/index.ts';
import { kind, oneLine, requiredQuantity, section } from '../settings/index.ts';
import { MAXIMUM_CELLS } from './schema-truth.ts';
import { errorField, variableField } from './schema-observations.ts';

/** More would take longer to check than anybody can make. */
export const MAXIMUM_INTERVENTIONS = 256;
/** Places that one intervention adds, and takes away; more are a network of the scenario's own. */
export const MAXIMUM_PLACES = 4096;
/** Beside the main line, what a stage and its charts can show side by side. */
export const MAXIMUM_BRANCHES = 3;

const cycleField = (description: string) => z.int().min(0).max(1e6).meta({ title: 'Cycle', description });

const placeField = z.tuple([z.number(), z.number()]).meta({
  title: 'Place',
  description:
    '[x, y] in cells: [0, 0] is the centre of the first cell, [1.5, 0] lies between the second and the third along x.',
  unit: 'cells',
});

const placesField = (title: string, description: string) =>
  z.array(placeField).max(MAXIMUM_PLACES).default([]).meta({ title, description, unit: 'cells' });

const coordinate = (axis: 'x' | 'y', what: string) =>
  requiredQuantity({
    title: axis,
    description: `Place of ${what} along ${axis}, in cells from the centre of the first one.`,
    unit: 'cells',
    minimum: 0,
    maximum: MAXIMUM_CELLS,
  });

const radiusField = requiredQuantity({
  title: 'Radius',
  description:
    'Distance from the middle at which the height has fallen to exp(−5/4), 29 %: it is that of height·exp(−5 r²/(2·radius)²).',
  unit: 'm',
  above: 0,
  maximum: 1e8,
});

const setting = section(
  { title: 'Setting', description: 'Another value of a setting.' },
  {
    kind: kind('setting', 'Another value of a setting that takes effect at the next cycle.'),
    cycle: cycleField('The first cycle with it: it takes effect before the forecast.'),
    path: z
      .string()
      .min(1)
      .max(256)
      .meta({
        title: 'Path',
        description: 'Which setting, as after --set.',
        examples: ['methods[1].inflation'],
      }),
    value: z
      .unknown()
      .refine((value) => value !== undefined, { error: 'a value is needed' })
      .meta({ title: 'Value', description: 'What it is from then on.' }),
  },
);

const gauges = section(
  {
    title: 'Gauges',
    description: 'Gauges that are put into the water, and taken out of it. A move is one of each.',
  },
  {
    kind: kind('gauges', 'Gauges that are put into the water, and taken out of it.'),
    cycle: cycleField('The first cycle whose analysis they are, or are not, a part of.'),
    variable: variableField,
    errorStandardDeviation: errorField(),
    add: placesField('Added', 'Places [x, y] of the new gauges, in cells. They observe at the end of every cycle.'),
    remove: placesField(
      'Removed',
      'Places [x, y] that are left, in cells: every fixed gauge there is removed, whatever it observes.',
    ),
  },
);

const drop = section(
  { title: 'Drop', description: 'Water that falls into the basin, or is taken from it.' },
  {
    kind: kind('drop', 'Water that falls into the basin, or is taken from it.'),
    cycle: cycleField('The cycle at whose beginning it falls, before the forecast.'),
    x: coordinate('x', 'its middle'),
    y: coordinate('y', 'its middle'),
    radius: radiusField,
    height: requiredQuantity({
      title: 'Height',
      description: 'How far it raises the water in the middle; below zero it takes water away.',
      unit: 'm',
      minimum: -12_000,
      maximum: 12_000,
    }),
    volume: volumeField(),
    seenBy: z.enum(['truth', 'all', 'each']).default('truth').meta({
      title: 'Seen by',
      description:
        'truth: the truth alone, a model error. all: truth and members alike. each: the truth as it is, and every member a drop of its own: its place displaced by a normal number of radii along each axis, its radius and its height times numbers drawn evenly from 0.5 to 1.5. A method with one state has the members’ mean.',
    }),
  },
);

const island = section(
  {
    title: 'Island',
    description: 'The bed raised: a hill under water, or an island. It needs the scheme central-upwind.',
  },
  {
    kind: kind('island', 'The bed raised: a hill under water, or an island.'),
    cycle: cycleField('0: it is part of the bed from the beginning, and the run starts again with it.'),
    x: coordinate('x', 'its top'),
    y: coordinate('y', 'its top'),
    radius: radiusField,
    height: requiredQuantity({
      title: 'Height',
      description: 'How far it raises the bed in the middle.',
      unit: 'm',
      above: 0,
      maximum: 12_000,
    }),
  },
);

const interventionList = z
  .array(z.discriminatedUnion('kind', [setting, gauges, drop, island]))
  .max(MAXIMUM_INTERVENTIONS)
  .default([]);

export const interventionListSchema = interventionList.meta({
  title: 'Interventions',
  description: 'What is changed while the run continues, by ascending cycle.',
});

const branch = section(
  { title: 'Branch', description: 'The run from one of its cycles on, with other changes.' },
  {
    name: oneLine()
      .optional()
      .meta({
        title: 'Name',
        description: 'What figures and folders call it; named by what differs if omitted. No two may be the same.',
        examples: ['more gauges'],
      }),
    cycle: cycleField('The cycle from which on it differs: what the main line changes before it is in the branch too.'),
    interventions: interventionList.meta({
      title: 'Interventions',
      description:
        'What the branch changes from its cycle on, in place of what the main line does, by ascending cycle.',
    }),
  },
);

export const branchListSchema = z.array(branch).max(MAXIMUM_BRANCHES).default([]).meta({
  title: 'Branches',
  takesEffect: 'label',
  description:
    'Runs beside this one that leave it at a cycle, to be compared with it. They have no part in its numbers.',
});
