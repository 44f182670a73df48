/** How the errors of a network's observations are correlated, and what methods take them for. */
import { cellLength, choice, count, quantity, section } from '../settings/index.ts';

/** Omitted where errors are independent: files from before do not say it, and runs of theirs continue as they began. */
export const errorCorrelationField = section(
  { title: 'Error correlation', description: 'Spatially correlated errors; default: none.' },
  {
    length: cellLength({
      title: 'Length',
      description:
        'L of the correlation at distance r, exp(−r/L) or exp(−r²/2L²): along a line the first is an autoregressive process of order one.',
      unit: 'm',
      above: 0,
      maximum: 1e8,
      cells: 10,
    }),
    share: quantity({
      title: 'Share',
      description: 'Share of the errors’ variance that is correlated; the rest is independent from place to place.',
      minimum: 0,
      maximum: 1,
      default: 1,
    }),
    shape: choice({
      title: 'Shape',
      description: 'exponential: exp(−r/L), rough. gaussian: exp(−r²/2L²), smooth.',
      words: ['exponential', 'gaussian'],
      default: 'exponential',
    }),
  },
)
  .optional()
  .meta({
    title: 'Error correlation',
    description:
      'Spatially correlated errors, as along a satellite’s track; default: independent. Methods treat all errors as independent, except for a 3D-Var, hybrid or EnKF whose errorCorrelation is full.',
  });

/** Omitted where methods take the errors for what they are. */
export const assumedField = section(
  { title: 'Assumed', description: 'What methods make of the observations’ errors.' },
  {
    errorFactor: quantity({
      title: 'Error factor',
      description:
        'Times the error that methods take for the observations’: above 1 is the usual remedy for errors that are correlated.',
      minimum: 0.01,
      maximum: 1000,
      default: 1,
    }),
    thinning: count({
      title: 'Thinning',
      description:
        'Methods are given every so many of the places, in the network’s order; the others count as missing.',
      unit: 'places',
      minimum: 1,
      maximum: 65_536,
      default: 1,
    }),
  },
)
  .optional()
  .meta({
    title: 'Assumed',
    takesEffect: 'next-cycle',
    description: 'What methods make of the observations’ errors; if omitted, that they are as large as stated.',
  });
