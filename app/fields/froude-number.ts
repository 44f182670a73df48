/**
 * Fr = |u|/√(gh), the speed of the current against that of long waves: below 1 waves run against it, above it carries them
 * away, and between the two are hydraulic jumps, as behind a dam that broke. Its water column is at least the dry depth, so
 * that a film of water has no number beyond bounds.
 */
import { defineField } from './field.ts';

export const froudeNumber = defineField({
  id: 'froude-number',
  title: 'Froude number',
  symbol: 'Fr',
  unit: '1',
  description: 'Speed of the current against that of long waves; above 1 no wave runs against it.',
  scale: 'sequential',
  colourMap: 'viridis',
  value: (cell) => {
    const waveSpeed = cell.root(cell.times(cell.gravity, cell.larger(cell.depth(), cell.dry)));
    return cell.over(cell.length(cell.u(), cell.v()), waveSpeed);
  },
  scoredBy: ['hu', 'hv'],
});
