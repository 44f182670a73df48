/** When in the window a network of the scenario observes, and what its observations are compared with. */
import { z } from 'zod';
import { choice, section } from '../settings/index.ts';

/** Times that a network observes in a window, at most. */
const MOST_MOMENTS = 16;

/** Omitted where it observes at the end: files from before do not say it, and runs of theirs continue as they began. */
export const timingField = section(
  { title: 'Timing', description: 'When in the window the network observes; at its end if omitted.' },
  {
    moments: z.array(z.number().gt(0).max(1)).min(1).max(MOST_MOMENTS).default([1]).meta({
      title: 'Moments',
      description:
        'Shares of the window that have passed when the network observes, rising; 1 at its end, which is when the analysis is.',
    }),
    firstGuess: choice({
      title: 'First guess',
      takesEffect: 'next-cycle',
      description:
        'What an observation is compared with: the forecast at its own time (first guess at appropriate time, FGAT), or the forecast at the analysis, as if it had been made then.',
      words: ['at-observation', 'at-analysis'],
      default: 'at-observation',
    }),
  },
)
  .optional()
  .meta({ title: 'Timing', description: 'When in the window the network observes; at its end if omitted.' });
