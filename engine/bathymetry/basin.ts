import { kindSchema } from '../settings/index.ts';
import { byCell, defineBathymetry, depthField, share, shoreDepthField } from './definition.ts';

export const basin = defineBathymetry(
  kindSchema(
    'basin',
    {
      title: 'Basin',
      description: 'A parabolic bowl, deepest in the middle, with a shore where it meets the surface.',
      gist: 'A parabolic bowl.',
    },
    {
      depth: depthField('Depth of the water at rest in the middle.', 1),
      edgeDepth: shoreDepthField(
        'Edge depth',
        'Depth of the water at rest at the middle of the sides; below zero is dry land.',
        0.1,
      ),
    },
  ),
  {
    depth: ({ depth }) => depth,
    greatestDepth: ({ depth, edgeDepth }) => Math.max(depth, edgeDepth),
    /** A parabola in the distance from the middle, measured so that it is 1 at the middle of each side. */
    elevation: ({ depth, edgeDepth }, grid) =>
      byCell(grid, (j, i) => {
        const x = 2 * share(i, grid.nx) - 1;
        const y = 2 * share(j, grid.ny) - 1;
        return -depth + (depth - edgeDepth) * (x * x + y * y);
      }),
  },
);
