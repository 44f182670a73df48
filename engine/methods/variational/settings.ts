/** The settings of a minimisation. */
import type { z } from 'zod';
import { count, optionalSection, quantity } from '../../settings/index.ts';

export const minimisationField = optionalSection(
  { title: 'Minimisation', description: 'Conjugate gradients in control space.' },
  {
    tolerance: quantity({
      title: 'Tolerance',
      description: 'Stops when the residual has fallen to this share of the first one.',
      above: 0,
      below: 1,
      default: 1e-4,
    }),
    maxIterations: count({
      title: 'Most iterations',
      description: 'Stops after this many iterations in any case.',
      minimum: 1,
      maximum: 10_000,
      default: 60,
    }),
    outerLoops: count({
      title: 'Outer loops',
      description:
        'Minimisations of an analysis, each with what is observed linearised about the last one’s result: it matters for speeds.',
      minimum: 1,
      maximum: 20,
      default: 1,
    }),
  },
);

export type Minimisation = z.output<typeof minimisationField>;
