/** The same depth everywhere. */
import { kindSchema } from '../settings/index.ts';
import { byCell, defineBathymetry, depthField } from './definition.ts';

const schema = kindSchema(
  'flat',
  { title: 'Flat bottom', description: 'The same depth everywhere.', gist: 'A flat bottom.' },
  { depth: depthField('Depth of the water at rest.', 1) },
);

export const flat = defineBathymetry(schema, {
  isFlat: true,
  depth: ({ depth }) => depth,
  greatestDepth: ({ depth }) => depth,
  elevation: ({ depth }, grid) => byCell(grid, () => -depth),
});
