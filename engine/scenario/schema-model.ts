/** The scenario's grid and forecast model. */
import { z } from 'zod';
import { bathymetryField } from '../bathymetry/index.ts';
import { SCHEMES, SCHEME_NAMES } from '../models/index.ts';
import { choice, count, optionalSection, quantity } from '../settings/index.ts';

/** Cells along one axis, at most: 8192² cells of three float32 variables are 0.8 GB a member. */
export const MAXIMUM_CELLS = 8192;

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
    bathymetry: bathymetryField,
  },
);
