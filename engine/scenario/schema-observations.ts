/** The scenario's observing networks. */
import { z } from 'zod';
import { OBSERVED_NAMES } from '../model-kinds/index.ts';
import { networkField } from '../networks/index.ts';
import { choice, count, oneLine, optionalSection, quantity, requiredQuantity, section } from '../settings/index.ts';
import type { TakesEffect } from '../settings/index.ts';
import { assumedField, errorCorrelationField } from './schema-errors.ts';
import { timingField } from './schema-timing.ts';

/** What is observed. */
export const variableField = choice({
  title: 'Variable',
  description:
    'What is observed: depth, surface elevation, momenta, or the velocities and the speed, which are nonlinear in the state; x with the model "lorenz-96".',
  words: OBSERVED_NAMES,
  default: 'h',
});

/** @param takesEffect of a change of it in a run that continues */
export const errorField = (takesEffect?: TakesEffect) =>
  requiredQuantity({
    title: 'Error',
    ...(takesEffect && { takesEffect }),
    description:
      'Standard deviation of the observations’ error, in the unit of the variable. An LETKF takes none for less than 1/300 of the background’s spread or of the departure there.',
    unit: 'm, m²/s or m/s',
    minimum: 1e-12,
    maximum: 1e6,
  }).default(0.02);

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
    variable: variableField,
    network: networkField,
    errorStandardDeviation: errorField('next-cycle'),
    errorCorrelation: errorCorrelationField,
    assumed: assumedField,
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
    timing: timingField,
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
