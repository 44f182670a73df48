/** σ(η): how far the members of an ensemble are apart. */
import { defineField } from './field.ts';

export const spread = defineField({
  id: 'spread',
  title: 'Spread',
  symbol: 'σ(η)',
  unit: 'm',
  description: 'Standard deviation of the surface height over the members, after the analysis.',
  scale: 'spread',
  colourMap: 'magma',
  value: (cell) => cell.elevation('spread'),
  lift: 'value',
  of: 'analysis',
  ofTruth: false,
  ofEnsemble: true,
  isWater: false,
  onRing: {
    title: 'Spread',
    symbol: 'σ(x)',
    description: 'Standard deviation of x over the members, after the analysis.',
  },
});
