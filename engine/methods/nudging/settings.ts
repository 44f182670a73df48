/** The settings of nudging. */
import { quantity } from '../../settings/index.ts';
import { methodSchema } from '../definition.ts';
import type { SettingsOf } from '../definition.ts';
import { assumedTimesField } from '../shared/assumed.ts';
import { localisation } from '../shared/localisation.ts';

export const nudgingSchema = methodSchema(
  'nudging',
  {
    title: 'Nudging',
    description: 'Newtonian relaxation of one state towards the observations around each grid point.',
    gist: 'Newtonian relaxation towards the observations.',
  },
  {
    localisation,
    strength: quantity({
      title: 'Strength',
      description:
        'Share of the departures that one analysis takes up: 1 − exp(−window/τ) for a relaxation time τ; 1 for all of them.',
      above: 0,
      maximum: 1,
      default: 0.5,
    }),
    assumed: assumedTimesField,
  },
);

export type NudgingSettings = SettingsOf<typeof nudgingSchema>;
