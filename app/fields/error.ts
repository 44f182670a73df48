/** η − ηᵗ: how wrong a method is. */
import { defineField } from './field.ts';

export const error = defineField({
  id: 'error',
  title: 'Error',
  symbol: 'η − ηᵗ',
  unit: 'm',
  description: 'Surface height of the method’s mean minus that of the truth.',
  scale: 'diverging',
  colourMap: 'diverging',
  value: (cell) => cell.minus(cell.elevation('eta'), cell.elevation('truthEta')),
  lift: 'value',
  ofTruth: false,
  isWater: false,
  onRing: { title: 'Error', symbol: 'x − xᵗ', description: 'The method’s mean minus the truth.' },
});
