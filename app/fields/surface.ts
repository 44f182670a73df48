/** η: where the water's surface is. */
import { defineField } from './field.ts';

export const surface = defineField({
  id: 'surface',
  title: 'Surface height',
  symbol: 'η',
  unit: 'm',
  description: 'Height of the water’s surface above the water at rest.',
  scale: 'diverging',
  colourMap: 'diverging',
  value: (cell) => cell.elevation('eta'),
  isElevation: true,
  onRing: {
    title: 'State',
    symbol: 'x',
    description: 'The model’s variables round the ring.',
    scale: 'interval',
    colourMap: 'viridis',
  },
});
