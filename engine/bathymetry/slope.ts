import { choice, kindSchema } from '../settings/index.ts';
import { byCell, defineBathymetry, depthField, share, shoreDepthField } from './definition.ts';

export const slope = defineBathymetry(
  kindSchema(
    'slope',
    {
      title: 'Slope',
      description: 'A bottom that rises evenly along one axis, to a beach where it meets the surface.',
      gist: 'A bottom that rises evenly along one axis.',
    },
    {
      axis: choice({
        title: 'Axis',
        description: 'Axis along which the depth changes.',
        words: ['x', 'y'],
        default: 'x',
      }),
      depth: depthField('Depth of the water at rest where the axis begins.', 1),
      endDepth: shoreDepthField(
        'End depth',
        'Depth of the water at rest where the axis ends; below zero is dry land.',
        0.2,
      ),
    },
  ),
  {
    depth: ({ depth }) => depth,
    greatestDepth: ({ depth, endDepth }) => Math.max(depth, endDepth),
    elevation: ({ axis, depth, endDepth }, grid) =>
      byCell(grid, (j, i) => -depth + (depth - endDepth) * (axis === 'x' ? share(i, grid.nx) : share(j, grid.ny))),
  },
);
