/** The scenario's hidden truth, and the background ensemble that starts beside it. */
import { forcingField } from '../forcing/index.ts';
import { backgroundInitialField, truthInitialField } from '../initial-states/index.ts';
import { choice, count, optionalSection, quantity } from '../settings/index.ts';
import { truthModelField } from './schema-truth-model.ts';

const perturbation = (whose: string) =>
  optionalSection(
    { title: 'Perturbation', description: `Random smooth waves on top of ${whose}.` },
    {
      standardDeviation: quantity({
        title: 'Standard deviation',
        description: 'Of the surface’s elevation, at every place; 0 for no perturbation.',
        unit: 'm',
        minimum: 0,
        maximum: 1000,
        default: 0,
      }),
      length: quantity({
        title: 'Length',
        description: 'L of the perturbation’s correlation exp(−r²/2L²) at distance r.',
        unit: 'm',
        above: 0,
        maximum: 1e8,
        default: 5,
      }),
      balance: choice({
        title: 'Balance',
        description:
          'geostrophic: the currents that the Coriolis force would balance come with the perturbation of the surface.',
        words: ['none', 'geostrophic'],
        default: 'none',
      }),
    },
  );

export const truthSchema = optionalSection(
  { title: 'Truth', description: 'The run that observations are made of and errors are measured against.' },
  {
    initial: truthInitialField,
    perturbation: perturbation('the initial state'),
    spinup: quantity({
      title: 'Spin-up',
      description: 'Time run before the first cycle, by truth, background and members alike.',
      unit: 's',
      minimum: 0,
      maximum: 1e9,
      default: 0,
    }),
    forcing: forcingField,
    model: truthModelField,
  },
);

export const backgroundSchema = optionalSection(
  {
    title: 'Background',
    description:
      'The ensemble before the first observation, drawn independently of the truth. A deterministic method starts from its mean.',
  },
  {
    initial: backgroundInitialField,
    perturbation: perturbation('each member’s initial state'),
    members: count({
      title: 'Members',
      description: 'States in the ensemble.',
      minimum: 1,
      maximum: 4096,
      default: 20,
    }),
  },
);
