import { cellLength, kindSchema, quantity } from '../settings/index.ts';
import { byCell, defineBathymetry, depthField } from './definition.ts';

const place = (axis: 'x' | 'y') =>
  quantity({
    title: `Place along ${axis}`,
    description: `Place of the top, as a share of the basin’s length along ${axis}.`,
    minimum: 0,
    maximum: 1,
    default: 0.5,
  });

export const bump = defineBathymetry(
  kindSchema(
    'bump',
    {
      title: 'Bump',
      description: 'A Gaussian hill on a flat bottom; an island when it is higher than the water is deep.',
      gist: 'A Gaussian hill on a flat bottom.',
    },
    {
      depth: depthField('Depth of the water at rest away from the hill.', 1),
      height: quantity({
        title: 'Height',
        description: 'Height of the hill above the flat bottom; below zero is a pit.',
        unit: 'm',
        minimum: -12_000,
        maximum: 12_000,
        default: 0.5,
      }),
      width: cellLength({
        title: 'Width',
        description: 'Distance from the top at which the height has fallen to exp(−1/2).',
        unit: 'm',
        above: 0,
        maximum: 1e8,
        cells: 10,
      }),
      x: place('x'),
      y: place('y'),
    },
  ),
  {
    depth: ({ depth }) => depth,
    greatestDepth: ({ depth, height }) => depth + Math.max(0, -height),
    elevation({ depth, height, width, x, y }, grid) {
      const { nx, ny, dx, dy } = grid;
      return byCell(grid, (j, i) => {
        const along = (i - x * (nx - 1)) * dx;
        const across = (j - y * (ny - 1)) * dy;
        return -depth + height * Math.exp(-(along * along + across * across) / (2 * width * width));
      });
    },
  },
);
