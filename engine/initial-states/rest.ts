/** A flat surface and no current; of a model without water the state that it keeps. */
import { kindSchema } from '../settings/index.ts';
import { defineInitialState } from './definition.ts';
import { atRest } from './flow.ts';

export const rest = defineInitialState(
  kindSchema(
    'rest',
    {
      title: 'Rest',
      description: 'A flat surface and no current; with the model "lorenz-96" x = F everywhere, which is unstable.',
      gist: 'A flat surface and no current, or the steady state of another model.',
    },
    {},
  ),
  {
    varies: () => false,
    draw: (_settings, { bed, steadyState }) =>
      steadyState
        ? Float64Array.from(steadyState.flatMap((value) => Array.from(bed, () => value)))
        : atRest(new Float64Array(bed.length), bed),
  },
);
