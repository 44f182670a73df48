import { kindSchema } from '../settings/index.ts';
import { byCell, defineBathymetry, depthField } from './definition.ts';

export const flat = defineBathymetry(
  kindSchema(
    'flat',
    { title: 'Flat bottom', description: 'The same depth everywhere.', gist: 'A flat bottom.' },
    { depth: depthField('Depth of the water at rest.', 1) },
  ),
  {
    isFlat: true,
    depth: ({ depth }) => depth,
    greatestDepth: ({ depth }) => depth,
    elevation: ({ depth }, grid) => byCell(grid, () => -depth),
  },
);
