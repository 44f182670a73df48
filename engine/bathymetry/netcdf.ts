import { fileName, kindSchema, optionalText, requiredText, variableFileDescription } from '../settings/index.ts';
import { defineBathymetry } from './definition.ts';

export const netcdf = defineBathymetry(
  kindSchema(
    'netcdf',
    {
      title: 'From NetCDF',
      description: 'Bottom elevation from a variable of a NetCDF-4 or HDF5 file beside the scenario.',
      gist: 'Bottom elevation from a variable of a NetCDF-4 file, such as another run’s fields.nc.',
    },
    {
      file: fileName({ title: 'File', description: variableFileDescription }),
      variable: requiredText({
        title: 'Variable',
        description:
          'Name of the bottom’s elevation above the water at rest, [y, x] last, for example bed: −depth under water.',
      }),
      at: optionalText({
        title: 'Where along other dimensions',
        description: 'Labels by dimension, for example time=10.',
      }),
    },
  ),
  {
    depth: () => undefined,
    greatestDepth: () => undefined,
    reads: {
      type: '.nc',
      file: (settings) => settings.file,
      select: ({ variable, at }) => ({ variables: [variable], at }),
    },
    elevation: ({ file, variable, at }, _grid, files) =>
      Float64Array.from(files.array(file, { variables: [variable], at }).data),
  },
);
