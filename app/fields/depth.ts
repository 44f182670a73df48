/** h: how much water there is. */
import { defineField } from './field.ts';

export const depth = defineField({
  id: 'depth',
  title: 'Depth',
  symbol: 'h',
  unit: 'm',
  description: 'Height of the water column between bed and surface.',
  scale: 'sequential',
  colourMap: 'cividis',
  value: (cell) => cell.depth(),
});
