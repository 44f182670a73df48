/** ζ = ∂v/∂x − ∂u/∂y: how the water turns. */
import { defineField } from './field.ts';

export const vorticity = defineField({
  id: 'vorticity',
  title: 'Vorticity',
  symbol: 'ζ',
  unit: '1/s',
  description: 'Rotation of the current about the vertical, ∂v/∂x − ∂u/∂y; positive turns anticlockwise.',
  scale: 'diverging',
  colourMap: 'diverging',
  value: (cell) =>
    cell.minus(
      cell.slopeX((beside) => beside.v()),
      cell.slopeY((beside) => beside.u()),
    ),
  isWater: false,
  scoredBy: ['hu', 'hv'],
});
