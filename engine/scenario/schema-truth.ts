/** The scenario's hidden truth, and the background ensemble that starts beside it. */
import { forcingField } from '../forcing/index.ts';
import { backgroundInitialField, truthInitialField } from '../initial-states/index.ts';
import { count, optionalSection, perturbationSection, quantity } from '../settings/index.ts';
import { truthModelField } from './schema-truth-model.ts';

const perturbation = (whose: string) =>
  perturbationSection({ title: 'Perturbation', description: `Random smooth waves on top of ${whose}.` });

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
