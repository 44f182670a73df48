/** How the impact of observations on a later forecast is asked for: of a cycle that a view shows, and of all cycles of a run. */
import { z } from 'zod';
import { optionalSection, section } from '../settings/index.ts';

/** What the forecast is compared with. */
const VERIFICATIONS = ['truth', 'analysis'] as const;
/** By what impacts are listed. */
const IMPACT_ROWS = ['observation', 'network', 'region'] as const;
/** Cycles from an analysis to the forecast that is judged, at most. */
export const MOST_LEAD = 4;

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
