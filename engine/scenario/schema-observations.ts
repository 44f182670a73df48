/** The scenario's observing networks. */
import { z } from 'zod';
import {
  choice,
  count,
  fileName,
  kind,
  oneLine,
  optionalSection,
  pair,
  quantity,
  requiredQuantity,
  section,
  toggle,
} from '../settings/index.ts';

/** Points that a list in the file may hold; more belong in a CSV file. */
export const MAXIMUM_POINTS = 65_536;

const regular = section(
  { title: 'Regular', description: 'Every so many cells along each axis.' },
  {
    kind: kind('regular', 'Cells offset, offset + stride, … along each axis.'),
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
);

const random = section(
  { title: 'Random', description: 'Places drawn at random over the basin.' },
  {
    kind: kind('random', 'Places drawn at random.'),
    count: count({
      title: 'Places',
      description: 'Number of places.',
      minimum: 1,
      maximum: MAXIMUM_POINTS,
      default: 64,
    }),
    redraw: toggle({
      title: 'Redraw',
      description: 'New places at each analysis, or the same ones throughout.',
      default: false,
    }),
  },
);

const points = section(
  { title: 'Points', description: 'Places given one by one.' },
  {
    kind: kind('points', 'Places given one by one.'),
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
);

const track = section(
  {
    title: 'Track',
    description: 'A swath that moves over the basin as a satellite’s does, and starts again at the other side.',
  },
  {
    kind: kind('track', 'A swath that moves over the basin.'),
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
    length: quantity({
      title: 'Length',
      description: 'Length of the swath behind its head, which one analysis sees.',
      unit: 'm',
      above: 0,
      maximum: 1e8,
      default: 40,
    }),
    width: quantity({
      title: 'Width',
      description: 'Width of the swath; 0 for a line.',
      unit: 'm',
      minimum: 0,
      maximum: 1e8,
      default: 0,
    }),
    spacing: quantity({
      title: 'Spacing',
      description: 'Distance between places in the swath.',
      unit: 'm',
      above: 0,
      maximum: 1e8,
      default: 2,
    }),
  },
);

const drifters = section(
  { title: 'Drifters', description: 'Buoys that start at random places and are carried by the truth.' },
  {
    kind: kind('drifters', 'Buoys that the truth’s currents carry.'),
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
);

const networkFile = section(
  { title: 'From a file', description: 'Places, times and perhaps values from a CSV file beside the scenario.' },
  {
    kind: kind('file', 'Places, times and perhaps values from a CSV file.'),
    file: fileName({
      title: 'File',
      description: 'A CSV file with a header line: x and y in metres, time in seconds, and value where it is known.',
    }),
  },
);

const network = z
  .discriminatedUnion('kind', [regular, random, points, track, drifters, networkFile])
  .prefault({ kind: 'regular' })
  .meta({ title: 'Network', description: 'Where is observed.' });

const observationsSchema = section(
  { title: 'Observations', description: 'One observing network of one variable.' },
  {
    name: oneLine()
      .default('observations')
      .meta({
        title: 'Name',
        description: 'What figures and tables call the network. No two may be the same.',
        examples: ['gauges'],
      }),
    variable: choice({
      title: 'Variable',
      description:
        'What is observed: depth, surface elevation, momenta, or the velocities and the speed, which are nonlinear in the state.',
      words: ['h', 'eta', 'hu', 'hv', 'u', 'v', 'speed'],
      default: 'h',
    }),
    network,
    errorStandardDeviation: requiredQuantity({
      title: 'Error',
      takesEffect: 'next-cycle',
      description:
        'Standard deviation of the observations’ error, in the unit of the variable. An LETKF takes none for less than 1/300 of the background’s spread or of the departure there.',
      unit: 'm, m²/s or m/s',
      minimum: 1e-12,
      maximum: 1e6,
    }).default(0.02),
    every: count({
      title: 'Every',
      takesEffect: 'next-cycle',
      description: 'Cycles between observations; 1 for each cycle.',
      unit: 'cycles',
      minimum: 1,
      maximum: 1e6,
      default: 1,
    }),
    times: z.array(z.number().gt(0).max(1e12)).max(100_000).default([]).meta({
      title: 'Times',
      description:
        'Irregular times of observations since the first cycle began, multiples of experiment.window; empty to follow "every".',
      unit: 's',
    }),
    dropout: quantity({
      title: 'Dropout',
      takesEffect: 'next-cycle',
      description: 'Share of observations that are missing, at random.',
      minimum: 0,
      maximum: 1,
      default: 0,
    }),
    outliers: optionalSection(
      {
        title: 'Outliers',
        takesEffect: 'next-cycle',
        description: 'Observations that are wrong without saying so.',
      },
      {
        share: quantity({
          title: 'Share',
          description: 'Share of observations that are outliers, at random.',
          minimum: 0,
          maximum: 1,
          default: 0,
        }),
        factor: quantity({
          title: 'Factor',
          description: 'How many times larger an outlier’s error is.',
          minimum: 1,
          maximum: 1e6,
          default: 10,
        }),
      },
    ),
    qualityControl: quantity({
      title: 'Quality control',
      takesEffect: 'next-cycle',
      description: 'Innovations beyond this many standard deviations are rejected; 0 keeps all.',
      unit: 'σ',
      minimum: 0,
      maximum: 1e6,
      default: 0,
    }),
  },
);

export const observationListSchema = z
  .array(observationsSchema)
  .max(64)
  .prefault([{}])
  .meta({ title: 'Observations', description: 'The observing networks; all of them are assimilated together.' });
