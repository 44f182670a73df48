/** What was changed while a run went on: kept in the scenario, so that the run can be repeated with the same numbers. */
import { z } from 'zod';
import { kind, section } from '../settings/index.ts';

/** More would take longer to check than a person can make. */
const MAXIMUM_INTERVENTIONS = 256;

const setting = section(
  { title: 'Setting', description: 'Another value of a setting.' },
  {
    kind: kind('setting', 'Another value of a setting that takes hold at the next cycle.'),
    cycle: z
      .int()
      .min(0)
      .max(1e6)
      .meta({ title: 'Cycle', description: 'The first cycle with it: it takes hold before the forecast.' }),
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

export const interventionListSchema = z
  .array(z.discriminatedUnion('kind', [setting]))
  .max(MAXIMUM_INTERVENTIONS)
  .default([])
  .meta({
    title: 'Interventions',
    description: 'What is changed while the run goes on, by ascending cycle.',
  });
