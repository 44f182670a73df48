/**
 * Bathymetry: the kinds of bottom, and their elevations on a grid. Each kind is one definition, from which the schema, the form, the
 * checks, the estimates and the run derive.
 */
import type { Grid } from '../models/index.ts';
import type { ScenarioFiles, DescribedKind, NamedFile } from '../settings/index.ts';
import type { z } from 'zod';
import {
  definitionsByKind,
  kindUnion,
  kindSchema,
  cellLength,
  quantity,
  choice,
  fileName,
  optionalText,
  requiredText,
  variableFileDescription,
  describedKind,
} from '../settings/index.ts';

/** All that a kind of bathymetry says of itself; what is omitted has nothing to say. */
interface BathymetryParts<Settings> {
  /** Whether the bottom is the same everywhere, as schemes over a flat bottom need it. */
  readonly isFlat?: boolean;
  /** Depth of the water at rest as the settings state it, metres; undefined if a file gives it. */
  depth(settings: Settings): number | undefined;
  /** The greatest depth of the water at rest, metres; undefined where a file says. */
  greatestDepth(settings: Settings): number | undefined;
  /** The file that it is read from. */
  readonly reads?: NamedFile<Settings>;
  /** Elevation of the bed above the surface of the water at rest, metres, [ny][nx]: −depth under water. */
  elevation(settings: Settings, grid: Grid, files: ScenarioFiles): Float64Array;
}

/** @returns the definition of a bathymetry whose settings are `schema`'s */
function defineBathymetry<Schema extends z.ZodObject>(schema: Schema, parts: BathymetryParts<z.output<Schema>>) {
  return describedKind(schema, parts);
}

/** A depth that has to be water. */
function depthField(description: string, standard: number) {
  return quantity({ title: 'Depth', description, unit: 'm', above: 0, maximum: 12_000, default: standard });
}

/** Field of the shallower depth of a bottom, which may be land. */
function shoreDepthField(title: string, description: string, standard: number) {
  return quantity({ title, description, unit: 'm', minimum: -12_000, maximum: 12_000, default: standard });
}

/** Share of the way along an axis of `n` cells of cell `i`, 0 at the first centre and 1 at the last. */
function share(i: number, n: number): number {
  return n > 1 ? i / (n - 1) : 0.5;
}

/** @param elevation in row j and column i, metres */
function byCell({ nx, ny }: Grid, elevation: (j: number, i: number) => number): Float64Array {
  const bed = new Float64Array(nx * ny);
  for (let j = 0; j < ny; j++) for (let i = 0; i < nx; i++) bed[j * nx + i] = elevation(j, i);
  return bed;
}

const netcdf = defineBathymetry(
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

const file = defineBathymetry(
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

/** Cells from the middle of the breakwater to its foot, along x: a slope that the grid resolves. */
const BREAKWATER_HALF_WIDTH = 2;

const harbourSchema = kindSchema(
  'harbour',
  {
    title: 'Harbour',
    description:
      'A bottom that rises evenly along x to a beach, and before the beach a breakwater across it with an opening in the middle.',
    gist: 'A beach behind a breakwater with an opening.',
  },
  {
    depth: depthField('Depth of the water at rest where x begins.', 20),
    endDepth: shoreDepthField('End depth', 'Depth of the water at rest where x ends; below zero is dry land.', -4),
    breakwater: quantity({
      title: 'Place of the breakwater',
      description: 'As a share of the basin’s length along x.',
      minimum: 0,
      maximum: 1,
      default: 0.65,
    }),
    crest: quantity({
      title: 'Crest',
      description: 'Height of the breakwater’s crest above the water at rest; below zero it is under water.',
      unit: 'm',
      minimum: -12_000,
      maximum: 12_000,
      default: 5,
    }),
    opening: quantity({
      title: 'Opening',
      description: 'Width of the opening, as a share of the basin’s length along y.',
      minimum: 0,
      maximum: 1,
      default: 0.2,
    }),
  },
);

/**
 * The elevation of a breakwater over the slope beneath it: a ridge along y, as high as its crest in the middle and
 * falling to the slope within `BREAKWATER_HALF_WIDTH` cells, absent in the opening.
 */
function elevationAt(
  { depth, endDepth, breakwater, crest, opening }: z.output<typeof harbourSchema>,
  { nx, ny }: Grid,
  j: number,
  i: number,
): number {
  const slope = -depth + (depth - endDepth) * share(i, nx);
  if (Math.abs(share(j, ny) - 0.5) < opening / 2) return slope;
  const away = Math.abs(i - breakwater * (nx - 1)) / BREAKWATER_HALF_WIDTH;
  return away < 1 ? Math.max(slope, crest + (slope - crest) * away) : slope;
}

/** A bottom that rises evenly along x to a beach, and before the beach a breakwater across it with an opening in the middle. */
const harbour = defineBathymetry(harbourSchema, {
  depth: ({ depth }) => depth,
  greatestDepth: ({ depth, endDepth }) => Math.max(depth, endDepth),
  elevation: (settings, grid) => byCell(grid, (j, i) => elevationAt(settings, grid, j, i)),
});

const slope = defineBathymetry(
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

const place = (axis: 'x' | 'y') =>
  quantity({
    title: `Place along ${axis}`,
    description: `Place of the top, as a share of the basin’s length along ${axis}.`,
    minimum: 0,
    maximum: 1,
    default: 0.5,
  });

const bump = defineBathymetry(
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

const basin = defineBathymetry(
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

const flat = defineBathymetry(
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

/** In the order in which a form offers them. */
export const BATHYMETRIES = [flat, basin, bump, slope, harbour, file, netcdf] as const;

export const bathymetryField = kindUnion(BATHYMETRIES).prefault({ kind: 'flat' }).meta({
  title: 'Bathymetry',
  description: 'The bottom. The schemes lax-wendroff and richtmyer know a flat one only.',
});

/** A bathymetry of the scenario, with every default filled in. */
export type Bathymetry = z.output<typeof bathymetryField>;

/** @returns the definition of a kind, for settings of that kind. @throws RangeError for a kind that there is not */
export const bathymetryDefinition = definitionsByKind<BathymetryParts<Bathymetry> & DescribedKind>(BATHYMETRIES);

/** @returns elevation of the bed above the surface of the water at rest, metres, [ny][nx]: −depth under water */
export function bedElevation(bathymetry: Bathymetry, grid: Grid, files: ScenarioFiles): Float64Array {
  return bathymetryDefinition(bathymetry.kind).elevation(bathymetry, grid, files);
}

/** @returns the greatest depth of the water at rest, metres; undefined where a file says */
export function greatestDepth(bathymetry: Bathymetry): number | undefined {
  return bathymetryDefinition(bathymetry.kind).greatestDepth(bathymetry);
}
