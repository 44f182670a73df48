/** The scenario's observing networks, and how the impact of observations on a later forecast is asked for. */
import { z } from 'zod';
import { MOST_LEAD } from '../methods/index.ts';
import { OBSERVED_NAMES } from '../model-kinds/index.ts';
import { networkField } from '../networks/index.ts';
import {
  choice,
  count,
  oneLine,
  optionalSection,
  quantity,
  requiredQuantity,
  section,
  cellLength,
  type TakesEffect,
} from '../settings/index.ts';

/** Omitted where errors are independent: files from before do not say it, and runs of theirs continue as they began. */
const errorCorrelationField = section(
  { title: 'Error correlation', description: 'Spatially correlated errors; default: none.' },
  {
    length: cellLength({
      title: 'Length',
      description:
        'L of the correlation at distance r, exp(−r/L) or exp(−r²/2L²): along a line the first is an autoregressive process of order one.',
      unit: 'm',
      above: 0,
      maximum: 1e8,
      cells: 10,
    }),
    share: quantity({
      title: 'Share',
      description: 'Share of the errors’ variance that is correlated; the rest is independent from place to place.',
      minimum: 0,
      maximum: 1,
      default: 1,
    }),
    shape: choice({
      title: 'Shape',
      description: 'exponential: exp(−r/L), rough. gaussian: exp(−r²/2L²), smooth.',
      words: ['exponential', 'gaussian'],
      default: 'exponential',
    }),
  },
)
  .optional()
  .meta({
    title: 'Error correlation',
    description:
      'Spatially correlated errors, as along a satellite’s track; default: independent. Methods treat all errors as independent unless their errorCorrelation is full.',
  });

/** Omitted where methods take the errors for what they are. */
const assumedField = section(
  { title: 'Assumed', description: 'What methods make of the observations’ errors.' },
  {
    errorFactor: quantity({
      title: 'Error factor',
      description:
        'Times the error that methods take for the observations’: above 1 is the usual remedy for errors that are correlated.',
      minimum: 0.01,
      maximum: 1000,
      default: 1,
    }),
    thinning: count({
      title: 'Thinning',
      description:
        'Methods are given every so many of the places, in the network’s order; the others count as missing.',
      unit: 'places',
      minimum: 1,
      maximum: 65_536,
      default: 1,
    }),
  },
)
  .optional()
  .meta({
    title: 'Assumed',
    takesEffect: 'next-cycle',
    description: 'What methods make of the observations’ errors; if omitted, that they are as large as stated.',
  });

/** Times that a network observes in a window, at most. */
const MOST_MOMENTS = 16;

/** Omitted where it observes at the end: files from before do not say it, and runs of theirs continue as they began. */
const timingField = section(
  { title: 'Timing', description: 'When in the window the network observes; at its end if omitted.' },
  {
    moments: z.array(z.number().gt(0).max(1)).min(1).max(MOST_MOMENTS).default([1]).meta({
      title: 'Moments',
      description:
        'Shares of the window that have passed when the network observes, rising; 1 at its end, which is when the analysis is.',
    }),
    firstGuess: choice({
      title: 'First guess',
      takesEffect: 'next-cycle',
      description:
        'What an observation is compared with: the forecast at its own time (first guess at appropriate time, FGAT), or the forecast at the analysis, as if it had been made then.',
      words: ['at-observation', 'at-analysis'],
      default: 'at-observation',
    }),
  },
)
  .optional()
  .meta({ title: 'Timing', description: 'When in the window the network observes; at its end if omitted.' });

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

/** What the forecast is compared with. */
const VERIFICATIONS = ['truth', 'analysis'] as const;
/** By what impacts are listed. */
const IMPACT_ROWS = ['observation', 'network', 'region'] as const;

const asked = {
  lead: z.int().min(0).max(MOST_LEAD).default(1).meta({
    title: 'Lead',
    description: 'From the analysis to the forecast that is judged; with 0 the analysis itself is.',
    unit: 'cycles',
  }),
  verification: z.enum(VERIFICATIONS).default('truth').meta({
    title: 'Compared with',
    description: 'What the forecast is compared with: the truth, or the method’s own analysis at that time.',
  }),
};

type Asked = z.output<z.ZodObject<typeof asked>>;

const isPossible = ({ lead, verification }: Asked): boolean => lead > 0 || verification === 'truth';
const IMPOSSIBLE = {
  path: ['verification'],
  error: 'an analysis is compared with the truth alone; give a lead of 1 or more',
};

/** Impacts of every cycle of a run. */
export const recordedImpactSchema = optionalSection(
  {
    title: 'Impact',
    description:
      'What the observations of each cycle change about a later forecast, by network, of the ensemble filters; each takes as long as its forecasts.',
  },
  {
    ...asked,
    lead: z
      .union([z.literal('none'), z.int().min(0).max(MOST_LEAD)])
      .default('none')
      .meta({
        title: 'Lead',
        description:
          'From the analysis to the forecast that is judged; with 0 the analysis itself is. With none, nothing is recorded.',
        unit: 'cycles',
      }),
  },
).refine(({ lead, verification }) => lead === 'none' || isPossible({ lead, verification }), IMPOSSIBLE);

/** @returns what is recorded of every cycle of an experiment; undefined if nothing is */
export function recordedImpact({
  impact,
}: {
  readonly impact: z.output<typeof recordedImpactSchema>;
}): Asked | undefined {
  const { lead, verification } = impact;
  return lead === 'none' ? undefined : { lead, verification };
}

/** Impacts of the cycle on screen. */
export const viewedImpactSchema = section(
  { title: 'Impact', description: 'What each observation of the cycle changed about a later forecast.' },
  {
    ...asked,
    rows: z.enum(IMPACT_ROWS).default('observation').meta({
      title: 'Rows',
      description: 'Whether the table has a row for each observation, network or region.',
    }),
  },
)
  .refine(isPossible, IMPOSSIBLE)
  .optional();

/** A view of impacts. */
export type ViewedImpact = NonNullable<z.output<typeof viewedImpactSchema>>;
