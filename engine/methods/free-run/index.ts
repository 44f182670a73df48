/** The free run, as a kind of method. */
import { defineMethod } from '../definition.ts';
import { createFreeRun } from './free-run.ts';
import { freeRunSchema } from './settings.ts';

export const freeRun = defineMethod(freeRunSchema, {
  appearance: {
    shades: [
      ['#9aa5b1', '#5b6672'],
      ['#c3cbd4', '#3f4852'],
    ],
    dash: '2 3',
    marker: 'cross',
  },
  carries: 'ensemble',
  assimilates: false,
  trustsSpread: false,
  create: createFreeRun,
});
