/** δη: what the observations changed. */
import { defineField } from './field.ts';

export const increment = defineField({
  id: 'increment',
  title: 'Increment',
  symbol: 'δη',
  unit: 'm',
  description: 'Surface height of the analysis minus that of the forecast: what the observations changed.',
  scale: 'diverging',
  colourMap: 'diverging',
  value: (cell) => cell.minus(cell.elevation('eta'), cell.elevation('forecastEta')),
  lift: 'value',
  of: 'analysis-step',
  ofTruth: false,
  isWater: false,
  onRing: {
    title: 'Increment',
    symbol: 'δx',
    description: 'The analysis minus the forecast: what the observations changed.',
  },
});
