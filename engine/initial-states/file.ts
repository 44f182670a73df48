import { fileName, kindSchema } from '../settings/index.ts';
import { defineInitialState } from './definition.ts';
import { variableCount } from './flow.ts';

export const file = defineInitialState(
  kindSchema(
    'file',
    {
      title: 'From a file',
      description: 'Depth and momenta from an array beside the scenario.',
      gist: 'Depth and momenta from an array of shape [3, ny, nx].',
    },
    {
      file: fileName({
        title: 'File',
        description:
          'A .npy array [3, ny, nx] of depth h (m) and momenta hu and hv (m²/s); [1, 1, nx] with "lorenz-96".',
      }),
    },
  ),
  {
    // The file may hold a state for each member.
    varies: () => true,
    reads: { type: '.npy', file: (settings) => settings.file },
    draw(settings, basin, _stream, { files, member }) {
      const { shape, data } = files.array(settings.file);
      const length = variableCount(basin) * basin.bed.length;
      return shape.length === 4 ? data.slice(member * length, (member + 1) * length) : data.slice();
    },
  },
);
