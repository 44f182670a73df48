/** Surface, or depth, and momenta from variables of a NetCDF-4 or HDF5 file beside the scenario: of another run, or of another model. */
import {
  choice,
  fileName,
  kindSchema,
  optionalText,
  requiredText,
  variableFileDescription,
} from '../settings/index.ts';
import { defineInitialState } from './definition.ts';
import { variableCount } from './flow.ts';

/** Distance to the bed below which float32 does not distinguish the surface from it. */
const SAME_HEIGHT = 2 ** -23;

export const netcdf = defineInitialState(
  kindSchema(
    'netcdf',
    {
      title: 'From NetCDF',
      description: 'Surface or depth and momenta from variables of a NetCDF-4 or HDF5 file beside the scenario.',
      gist: 'Surface or depth and momenta from variables of a NetCDF-4 file, such as another run’s fields.nc.',
    },
    {
      file: fileName({ title: 'File', description: variableFileDescription }),
      variable: requiredText({
        title: 'Variable',
        description:
          'Name of the surface’s elevation, or of the depth, [y, x] last, for example truth_eta; of "lorenz-96" its variable.',
      }),
      holds: choice({
        title: 'What it is',
        description:
          'Whether the variable is the elevation of the surface above the water at rest, or the depth of the water.',
        words: ['elevation', 'depth'],
        default: 'elevation',
      }),
      hu: optionalText({
        title: 'Momentum along x',
        description:
          'Name of the variable, m²/s; where it is empty the one named like the first, with hu for eta, or water without a current.',
      }),
      hv: optionalText({
        title: 'Momentum along y',
        description:
          'Name of the variable, m²/s; where it is empty the one named like the first, with hv for eta, or water without a current.',
      }),
      at: optionalText({
        title: 'Where along other dimensions',
        description:
          'Labels by dimension, for example time=10, assimilation=letkf; a background may take all its members.',
      }),
    },
  ),
  {
    // The file may hold a state for each member.
    varies: () => true,
    reads: {
      type: '.nc',
      file: (settings) => settings.file,
      select: ({ variable, hu, hv, at }) => ({ variables: [variable, hu, hv], at }),
    },
    draw({ file, variable, hu, hv, at, holds }, basin, _stream, { files, member }) {
      const { shape, data } = files.array(file, { variables: [variable, hu, hv], at });
      const { bed } = basin;
      const length = variableCount(basin) * bed.length;
      const state = shape.length === 4 ? data.slice(member * length, (member + 1) * length) : data.slice();
      if (basin.steadyState || holds === 'depth') return state;
      bed.forEach((elevation, cell) => {
        const depth = state[cell] - elevation;
        state[cell] = Math.abs(depth) <= SAME_HEIGHT * Math.abs(elevation) ? 0 : depth;
      });
      return state;
    },
  },
);
