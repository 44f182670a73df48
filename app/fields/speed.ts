/** |u|: how fast the water runs. */
import { defineField } from './field.ts';

export const speed = defineField({
  id: 'speed',
  title: 'Speed',
  symbol: '|u|',
  unit: 'm/s',
  description: 'Speed of the current, averaged over the depth.',
  scale: 'sequential',
  colourMap: 'viridis',
  value: (cell) => cell.length(cell.u(), cell.v()),
  scoredBy: ['hu', 'hv'],
});
