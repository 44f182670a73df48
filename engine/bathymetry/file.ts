import { fileName, kindSchema } from '../settings/index.ts';
import { defineBathymetry } from './definition.ts';

export const file = defineBathymetry(
  kindSchema(
    'file',
    {
      title: 'From a file',
      description: 'Bottom elevation from an array beside the scenario.',
      gist: 'Bottom elevation from an array of shape [ny, nx].',
    },
    {
      file: fileName({
        title: 'File',
        description:
          'A .npy array [ny, nx] of the bottom’s elevation above the water at rest, metres: −depth under water.',
      }),
    },
  ),
  {
    depth: () => undefined,
    greatestDepth: () => undefined,
    reads: { type: '.npy', file: (settings) => settings.file },
    elevation: (settings, _grid, files) => Float64Array.from(files.array(settings.file).data),
  },
);
