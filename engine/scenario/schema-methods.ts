/** The scenario's assimilation methods. Lengths are metres, also where the operators count in cells. */
import { z } from 'zod';
import { choice, count, kind, oneLine, optionalSection, quantity, section, toggle } from './schema-fields.ts';

const label = oneLine()
  .optional()
  .meta({
    title: 'Label',
    description: 'What figures and tables call the method; its kind where left out. No two may be the same.',
    examples: ['letkf, half-width 8'],
  });

const deviation = (variable: string, unit: string) =>
  quantity({
    title: variable,
    description: `Standard deviation of the background error of ${variable}; 0 for no increment of its own.`,
    unit,
    minimum: 0,
    maximum: 1e6,
    default: 0,
  });

const standardDeviation = z
  .strictObject({ h: deviation('h', 'm'), hu: deviation('hu', 'm²/s'), hv: deviation('hv', 'm²/s') })
  .prefault({ h: 0.05 })
  .meta({
    title: 'Standard deviation',
    description:
      'Of the background error, by variable; a variable left out gets no increment unless the balance makes one.',
  });

const covarianceShape = {
  length: quantity({
    title: 'Length',
    description: 'L of the correlation exp(−r²/2L²) of the background errors at distance r.',
    unit: 'm',
    above: 0,
    maximum: 1e8,
    default: 4,
  }),
  standardDeviation,
  normalised: toggle({
    title: 'Normalised',
    description: 'Unit variance everywhere before the standard deviation is applied, also near walls.',
    default: true,
  }),
  balance: choice({
    title: 'Balance',
    description: 'geostrophic: an increment of h brings the momenta that the Coriolis force would balance.',
    words: ['none', 'geostrophic'],
    default: 'none',
  }),
};

const recursiveFilter = section(
  {
    title: 'Recursive filter',
    description: 'B from repeated first-order recursive filters, which tends to a Gaussian.',
  },
  {
    kind: kind('recursive-filter', 'Repeated first-order recursive filters.'),
    ...covarianceShape,
    iterations: count({
      title: 'Iterations',
      description: 'Passes of the filter; more make the correlation rounder.',
      minimum: 1,
      maximum: 1000,
      default: 4,
    }),
  },
);

const gaussian = section(
  { title: 'Gaussian', description: 'B from separable convolution with a sampled Gaussian.' },
  { kind: kind('gaussian', 'Separable convolution with a sampled Gaussian.'), ...covarianceShape },
);

const freeRun = section(
  { title: 'Free run', description: 'The ensemble without assimilation; its mean is compared.' },
  { kind: kind('free-run', 'No assimilation.'), label },
);

const variational = section(
  { title: '3D-Var', description: 'Variational analysis of one state with a static background-error covariance.' },
  {
    kind: kind('3dvar', 'Variational analysis with a static background-error covariance.'),
    label,
    covariance: z.discriminatedUnion('kind', [recursiveFilter, gaussian]).prefault({ kind: 'recursive-filter' }).meta({
      title: 'Background-error covariance',
      description: 'How background errors are correlated, and how large they are.',
    }),
    minimisation: optionalSection(
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
      },
    ),
  },
);

const localisation = optionalSection(
  {
    title: 'Localisation',
    description:
      'Weight of an observation by its distance: the Gaspari–Cohn function, which is zero beyond two half-widths.',
  },
  {
    halfWidth: quantity({
      title: 'Half-width',
      description: 'Half of the distance beyond which an observation has no influence.',
      unit: 'm',
      above: 0,
      maximum: 1e9,
      default: 4,
    }),
  },
);

const inflation = quantity({
  title: 'Inflation',
  description: 'Multiplies the forecast’s covariance, not its anomalies; 1 for none.',
  minimum: 1,
  maximum: 100,
  default: 1,
});

const factor = (description: string) =>
  quantity({ title: 'Factor', description, minimum: 0, maximum: 1, default: 0.5 });

const relaxation = z
  .discriminatedUnion('kind', [
    section({ title: 'None', description: 'No relaxation.' }, { kind: kind('none', 'No relaxation.') }),
    section(
      { title: 'To prior spread', description: 'The analysis spread is relaxed to the forecast spread.' },
      {
        kind: kind('spread', 'Relaxation to prior spread (RTPS).'),
        factor: factor('Share of the lost spread that is given back.'),
      },
    ),
    section(
      { title: 'To prior perturbations', description: 'The analysis anomalies are relaxed to the forecast anomalies.' },
      {
        kind: kind('perturbations', 'Relaxation to prior perturbations (RTPP).'),
        factor: factor('Share of the forecast anomalies in the relaxed ones.'),
      },
    ),
  ])
  .prefault({ kind: 'none' })
  .meta({ title: 'Relaxation', description: 'Gives back some of the spread that an analysis took.' });

const letkf = section(
  { title: 'LETKF', description: 'Local ensemble transform Kalman filter.' },
  {
    kind: kind('letkf', 'Local ensemble transform Kalman filter.'),
    label,
    localisation,
    inflation,
    relaxation,
    rotation: toggle({
      title: 'Rotation',
      description: 'Turns the anomalies at random after each analysis, keeping mean and covariance.',
      default: false,
    }),
  },
);

const enkf = section(
  { title: 'Stochastic EnKF', description: 'Ensemble Kalman filter with perturbed observations and a tapered gain.' },
  {
    kind: kind('enkf', 'Ensemble Kalman filter with perturbed observations.'),
    label,
    localisation,
    inflation,
    relaxation,
  },
);

export const methodSchema = z
  .discriminatedUnion('kind', [freeRun, variational, letkf, enkf])
  // Always last, whether it was written or not: the same settings are then the same text, too.
  .transform(({ label, ...method }) => ({ ...method, label: label ?? method.kind }))
  .meta({ title: 'Method', description: 'One assimilation method with its settings.' });

export const methodListSchema = z
  .array(methodSchema)
  .min(1)
  .max(32)
  .prefault([{ kind: 'free-run' }, { kind: '3dvar' }, { kind: 'letkf' }])
  .meta({
    title: 'Methods',
    description: 'The methods that are compared, any number, also one kind twice with other settings and a label.',
  });
