/** A state as the model is at any time: of a chaotic one a draw from its climate. */
import { kindSchema, quantity } from '../settings/index.ts';
import { defineInitialState } from './definition.ts';

export const climatology = defineInitialState(
  kindSchema(
    'climatology',
    {
      title: 'Climatology',
      description: 'A draw of the climate: noise of unit variance about the steady state, run for a while.',
      gist: 'A state of the model at any time.',
    },
    {
      spinup: quantity({
        title: 'Spin-up',
        description: 'How long noise about the steady state runs to become a state of the climate.',
        unit: 's',
        minimum: 0,
        maximum: 1000,
        default: 20,
      }),
    },
  ),
  {
    world: 'ring',
    varies: () => true,
    draw({ spinup }, { climate }, stream) {
      if (!climate) throw new RangeError('the model has no climate to draw from');
      return climate(stream, spinup);
    },
  },
);
