/** The scenario's grid and forecast model. */
import { z } from 'zod';
import { SCHEMES, SCHEME_NAMES } from '../models/index.ts';
import { choice, count, fileName, kind, optionalSection, quantity, section } from '../settings/index.ts';

/** Cells along one axis, at most: 8192² cells of three float32 variables are 0.8 GB a member. */
const MAXIMUM_CELLS = 8192;

export const gridSchema = optionalSection(
  { title: 'Grid', description: 'Cells of the basin. The centre of cell (i, j) lies at x = i·dx, y = j·dy.' },
  {
    nx: count({
      title: 'Cells along x',
      description: 'Number of cells along x.',
      unit: 'cells',
      minimum: 4,
      maximum: MAXIMUM_CELLS,
      default: 64,
    }),
    ny: count({
      title: 'Cells along y',
      description: 'Number of cells along y.',
      unit: 'cells',
      minimum: 4,
      maximum: MAXIMUM_CELLS,
      default: 64,
    }),
    dx: quantity({
      title: 'Cell size along x',
      description: 'Distance between cell centres along x.',
      unit: 'm',
      above: 0,
      maximum: 1e6,
      default: 1,
    }),
    dy: quantity({
      title: 'Cell size along y',
      description: 'Distance between cell centres along y.',
      unit: 'm',
      above: 0,
      maximum: 1e6,
      default: 1,
    }),
  },
);

const depth = (description: string, standard: number) =>
  quantity({ title: 'Depth', description, unit: 'm', above: 0, maximum: 12_000, default: standard });

const flat = section(
  { title: 'Flat bottom', description: 'The same depth everywhere.' },
  { kind: kind('flat', 'A flat bottom.'), depth: depth('Depth of the water at rest.', 1) },
);

const basin = section(
  { title: 'Basin', description: 'A parabolic bowl, deepest in the middle, with a shore where it meets the surface.' },
  {
    kind: kind('basin', 'A parabolic bowl.'),
    depth: depth('Depth of the water at rest in the middle.', 1),
    edgeDepth: quantity({
      title: 'Edge depth',
      description: 'Depth of the water at rest at the middle of the sides; below zero is dry land.',
      unit: 'm',
      minimum: -12_000,
      maximum: 12_000,
      default: 0.1,
    }),
  },
);

const bump = section(
  {
    title: 'Bump',
    description: 'A Gaussian hill on a flat bottom; an island when it is higher than the water is deep.',
  },
  {
    kind: kind('bump', 'A Gaussian hill on a flat bottom.'),
    depth: depth('Depth of the water at rest away from the hill.', 1),
    height: quantity({
      title: 'Height',
      description: 'Height of the hill above the flat bottom; below zero is a pit.',
      unit: 'm',
      minimum: -12_000,
      maximum: 12_000,
      default: 0.5,
    }),
    width: quantity({
      title: 'Width',
      description: 'Distance from the top at which the height has fallen to exp(−1/2).',
      unit: 'm',
      above: 0,
      maximum: 1e8,
      default: 10,
    }),
    x: quantity({
      title: 'Place along x',
      description: 'Place of the top, as a share of the basin’s length along x.',
      minimum: 0,
      maximum: 1,
      default: 0.5,
    }),
    y: quantity({
      title: 'Place along y',
      description: 'Place of the top, as a share of the basin’s length along y.',
      minimum: 0,
      maximum: 1,
      default: 0.5,
    }),
  },
);

const slope = section(
  { title: 'Slope', description: 'A bottom that rises evenly along one axis, to a beach where it meets the surface.' },
  {
    kind: kind('slope', 'A bottom that rises evenly along one axis.'),
    axis: choice({
      title: 'Axis',
      description: 'Axis along which the depth changes.',
      words: ['x', 'y'],
      default: 'x',
    }),
    depth: depth('Depth of the water at rest where the axis begins.', 1),
    endDepth: quantity({
      title: 'End depth',
      description: 'Depth of the water at rest where the axis ends; below zero is dry land.',
      unit: 'm',
      minimum: -12_000,
      maximum: 12_000,
      default: 0.2,
    }),
  },
);

const harbour = section(
  {
    title: 'Harbour',
    description:
      'A bottom that rises evenly along x to a beach, and before the beach a breakwater across it with an opening in the middle.',
  },
  {
    kind: kind('harbour', 'A beach behind a breakwater with an opening.'),
    depth: depth('Depth of the water at rest where x begins.', 20),
    endDepth: quantity({
      title: 'End depth',
      description: 'Depth of the water at rest where x ends; below zero is dry land.',
      unit: 'm',
      minimum: -12_000,
      maximum: 12_000,
      default: -4,
    }),
    breakwater: quantity({
      title: 'Place of the breakwater',
      description: 'As a share of the basin’s length along x.',
      minimum: 0,
      maximum: 1,
      default: 0.65,
    }),
    crest: quantity({
      title: 'Crest',
      description: 'Height of the breakwater’s crest above the water at rest; below zero it lies under water.',
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

const bathymetryFile = section(
  { title: 'From a file', description: 'Bottom elevation from an array beside the scenario.' },
  {
    kind: kind('file', 'Bottom elevation from an array of shape [ny, nx].'),
    file: fileName({
      title: 'File',
      description:
        'A .npy array [ny, nx] of the bottom’s elevation above the water at rest, metres: −depth under water.',
    }),
  },
);

const bathymetrySchema = z
  .discriminatedUnion('kind', [flat, basin, bump, slope, harbour, bathymetryFile])
  .prefault({ kind: 'flat' })
  .meta({
    title: 'Bathymetry',
    description: 'The bottom. The schemes lax-wendroff and richtmyer know a flat one only.',
  });

const boundary = (axis: 'x' | 'y') =>
  choice({
    title: `Boundary along ${axis}`,
    description: `What waves meet at both ends of ${axis}: a reflecting wall, the other end, or open water.`,
    words: ['wall', 'periodic', 'open'],
    default: 'wall',
  });

export const modelSchema = optionalSection(
  { title: 'Model', description: 'The shallow-water model that forecasts the truth and every member.' },
  {
    scheme: choice({
      title: 'Scheme',
      description: `${SCHEME_NAMES.map((name) => `${name}: ${SCHEMES[name].help}`).join('. ')}.`,
      words: SCHEME_NAMES,
      default: 'central-upwind',
    }),
    timeStep: z
      .union([z.number().gt(0).max(1e5), z.literal('auto')])
      .default('auto')
      .meta({
        title: 'Time step',
        description: 'Length of one model step, which divides experiment.window; "auto" follows model.courant.',
        unit: 's',
      }),
    courant: quantity({
      title: 'Courant number',
      description: 'With the time step "auto": the share of a cell that the fastest wave may cross in one step.',
      above: 0,
      maximum: 1,
      default: 0.4,
    }),
    gravity: quantity({
      title: 'Gravity',
      description: 'Acceleration of gravity.',
      unit: 'm/s²',
      above: 0,
      maximum: 1000,
      default: 9.81,
    }),
    coriolis: optionalSection(
      { title: 'Coriolis force', description: 'Turning of the basin: f + beta·(y − middle of the basin).' },
      {
        f: quantity({
          title: 'f',
          description: 'Coriolis parameter 2Ω·sin(latitude) in the middle of the basin.',
          unit: '1/s',
          minimum: -10,
          maximum: 10,
          default: 0,
        }),
        beta: quantity({
          title: 'beta',
          description: 'Change of f with y.',
          unit: '1/(m·s)',
          minimum: -10,
          maximum: 10,
          default: 0,
        }),
      },
    ),
    friction: optionalSection(
      { title: 'Friction', description: 'Friction at the bottom.' },
      {
        manning: quantity({
          title: 'Manning coefficient',
          description: 'Roughness of the bottom; 0 for none, 0.03 for sand and gravel.',
          unit: 's/m^(1/3)',
          minimum: 0,
          maximum: 1,
          default: 0,
        }),
      },
    ),
    boundary: optionalSection(
      { title: 'Boundary', description: 'What happens at the ends of each axis.' },
      { x: boundary('x'), y: boundary('y') },
    ),
    bathymetry: bathymetrySchema,
  },
);
