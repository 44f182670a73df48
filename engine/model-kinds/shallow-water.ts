/** The shallow-water models as a scenario has them: a basin with a bed, its boundaries, its rotation and its scheme. */
import { z } from 'zod';
import { bathymetryField } from '../bathymetry/index.ts';
import { createShallowWater, SCHEMES, SCHEME_NAMES } from '../models/index.ts';
import { choice, optionalSection, quantity, section } from '../settings/index.ts';
import { defineModelKind } from './definition.ts';

const KIND = 'shallow-water';
/** Along y; along x the grid has no fewer. */
const LEAST_ROWS = 4;

const boundary = (axis: 'x' | 'y') =>
  choice({
    title: `Boundary along ${axis}`,
    description: `What waves meet at both ends of ${axis}: a reflecting wall, the other end, or open water.`,
    words: ['wall', 'periodic', 'open'],
    default: 'wall',
  });

const schema = section(
  { title: 'Shallow water', description: 'The shallow-water model that forecasts the truth and every member.' },
  {
    // Files from before there were other models do not say it, and runs of theirs continue as they began.
    kind: z.literal(KIND).optional().meta({ title: 'Kind', description: 'Waves and currents of water in a basin.' }),
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
        linear: quantity({
          title: 'Linear drag',
          description:
            'The rate r at which the bottom slows every current, ∂(hu)/∂t = … − r·hu: a current falls to 1/e in 1/r seconds, the energy of waves too. 0 for none; on every scheme.',
          unit: '1/s',
          minimum: 0,
          maximum: 10,
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

/** The settings with every default filled in. */
export type ShallowWaterSettings = z.output<typeof schema>;

export const shallowWater = defineModelKind(KIND, schema, {
  variables: [
    { name: 'h', unit: 'm' },
    { name: 'hu', unit: 'm²/s' },
    { name: 'hv', unit: 'm²/s' },
  ],
  observed: [
    { name: 'h', unit: 'm', judges: ['h'] },
    { name: 'eta', unit: 'm', judges: ['h'] },
    { name: 'hu', unit: 'm²/s', judges: ['hu'] },
    { name: 'hv', unit: 'm²/s', judges: ['hv'] },
    { name: 'u', unit: 'm/s', judges: ['hu'] },
    { name: 'v', unit: 'm/s', judges: ['hv'] },
    { name: 'speed', unit: 'm/s', judges: ['hu', 'hv'] },
  ],
  world: 'basin',
  hostPlanes: ({ scheme }) => SCHEMES[scheme].hostPlanes,
  linearHostPlanes: ({ scheme }) => SCHEMES[scheme].linearHostPlanes,
  linearKept: ({ scheme }, grid) => SCHEMES[scheme].linearKept(grid),
  runsDry: ({ scheme }) => !SCHEMES[scheme].flatBottom,
  problems(_settings, { ny }) {
    if (ny >= LEAST_ROWS) return [];
    const message = `found ${ny}, allowed: at least ${LEAST_ROWS} with the model "${KIND}"`;
    return [{ path: ['grid', 'ny'], message }];
  },
  create(settings, grid, bed) {
    const { scheme, timeStep, courant, gravity, coriolis, friction, boundary: ends } = settings;
    const { manning, linear } = friction;
    return createShallowWater({
      scheme,
      grid,
      gravity,
      timeStep,
      courant,
      coriolis,
      manning,
      drag: linear,
      boundary: ends,
      ...(bed && { bed }),
    });
  },
});
