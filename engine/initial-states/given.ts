/** Initial states that are not drawn feature by feature: rest, the truth’s own, a climate’s, and those of files. */
import {
  kindSchema,
  quantity,
  fileName,
  choice,
  optionalText,
  requiredText,
  variableFileDescription,
} from '../settings/index.ts';
import { defineInitialState, atRest, variableCount } from './definition.ts';

/** Distance to the bed below which float32 does not distinguish the surface from it. */
const SAME_HEIGHT = 2 ** -23;

/** Surface, or depth, and momenta from variables of a NetCDF-4 or HDF5 file beside the scenario: of another run, or of another model. */
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

/** A state as the model is at any time: of a chaotic one a draw from its climate. */
export const climatology = defineInitialState(
  kindSchema(
    'climatology',
    {
      title: 'Climatology',
      description: 'A draw of the climate: noise of unit variance about the steady state, run for a while.',
      gist: 'A state of the model at any time.',
    },
    {
      spinup: quantity({
        title: 'Spin-up',
        description: 'How long noise about the steady state runs to become a state of the climate.',
        unit: 's',
        minimum: 0,
        maximum: 1000,
        default: 20,
      }),
    },
  ),
  {
    world: 'ring',
    varies: () => true,
    draw({ spinup }, { climate }, stream) {
      if (!climate) throw new RangeError('the model has no climate to draw from');
      return climate(stream, spinup);
    },
  },
);

/** The truth's own initial state, before its perturbation: for the background alone. */
export const ofTruth = defineInitialState(
  kindSchema(
    'truth',
    {
      title: 'The truth',
      description:
        'The truth’s own initial state before truth.perturbation; with perturbations of one size the truth is like a member.',
      gist: 'The truth’s own initial state before its perturbation.',
    },
    {},
  ),
  {
    varies: () => false,
    isOfTruth: true,
    draw(_settings, _basin, _stream, { truth }) {
      if (!truth) throw new RangeError('a truth cannot start from the truth');
      return truth.slice();
    },
  },
);

export const rest = defineInitialState(
  kindSchema(
    'rest',
    {
      title: 'Rest',
      description: 'A flat surface and no current; with the model "lorenz-96" x = F everywhere, which is unstable.',
      gist: 'A flat surface and no current, or the steady state of another model.',
    },
    {},
  ),
  {
    varies: () => false,
    draw: (_settings, { bed, steadyState }) =>
      steadyState
        ? Float64Array.from(steadyState.flatMap((value) => Array.from(bed, () => value)))
        : atRest(new Float64Array(bed.length), bed),
  },
);
