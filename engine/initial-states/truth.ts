/** The truth's own initial state, before its perturbation: for the background alone. */
import { kindSchema } from '../settings/index.ts';
import { defineInitialState } from './definition.ts';

export const ofTruth = defineInitialState(
  kindSchema(
    'truth',
    {
      title: 'The truth',
      description:
        'The truth’s own initial state before truth.perturbation; with perturbations of one size the truth is like a member.',
      gist: 'The truth’s own initial state before its perturbation.',
    },
    {},
  ),
  {
    varies: () => false,
    isOfTruth: true,
    draw(_settings, _basin, _stream, { truth }) {
      if (!truth) throw new RangeError('a truth cannot start from the truth');
      return truth.slice();
    },
  },
);
