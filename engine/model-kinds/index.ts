/**
 * The forecast models as scenarios have them. A kind of model is one definition: the settings that the scenario file has for it, its
 * variables and what can be observed of them, what its grid must be, and how it is made. From `MODEL_KINDS` the schema, the form,
 * the checks, the estimates and the run derive.
 */
import { z } from 'zod';
import {
  definitionsByKind,
  kindUnion,
  choice,
  optionalSection,
  quantity,
  section,
  kindSchema,
} from '../settings/index.ts';
import type { BasinSettings, KindDefinition, Problem } from '../settings/index.ts';
import { createShallowWater, SCHEMES, SCHEME_NAMES, createLorenz96, createLorenz96Step } from '../models/index.ts';
import type { Grid, Model, ModelVariable } from '../models/index.ts';
import type { RandomStream } from '../random/stream.ts';
import { bathymetryField } from '../bathymetry/index.ts';

/**
 * Something that instruments report.
 *
 * @public named in the library's declarations
 */
export interface ObservedQuantity {
  readonly name: string;
  /** Empty where it has none. */
  readonly unit: string;
  /** State variables whose error an observation of it judges. */
  readonly judges: readonly string[];
}

/** All that a kind of model says of itself; what is omitted has nothing to say. */
interface ModelKindParts<Settings> {
  /** In the order of the state, as what is made by `create` has them. */
  readonly variables: readonly ModelVariable[];
  readonly observed: readonly ObservedQuantity[];
  /** A basin of water, seen from above; or places on a ring, counted without a unit, and times without one. */
  readonly world: 'basin' | 'ring';
  /** Planes that it works with on the host, for the truth and for the members alike; on a GPU it needs none. */
  hostPlanes(settings: Settings): number;
  /** The same of its linearised step. */
  linearHostPlanes(settings: Settings): number;
  /** Reals that it keeps of a step for its derivative. Default: none. */
  linearKept?(settings: Settings, grid: BasinSettings['grid']): number;
  /** Whether its cells may fall dry. Default: none does. */
  runsDry?(settings: Settings): boolean;
  /** What settings that are right by themselves have against each other and against the grid; paths begin at the scenario's root. */
  problems?(settings: Settings, grid: BasinSettings['grid']): readonly Problem[];
  /** @param bed of water, m above the water at rest, [ny][nx]. @throws ScenarioError when the model cannot honour the settings */
  create(settings: Settings, grid: Grid, bed: Float64Array | undefined): Model;
  /** A state of the model's climate, [variable][ny][nx]: noise about its steady state, `time` later; in float64, on the host. */
  climate?(settings: Settings, grid: BasinSettings['grid'], stream: RandomStream, time: number): Float64Array;
  /** One value for each of the variables: what every cell has where the model is in its steady state; water rests over its bed. */
  steadyState?(settings: Settings): readonly number[];
}

interface ModelKindDefinition<
  Settings = unknown,
  Schema extends z.core.$ZodTypeDiscriminable = z.core.$ZodTypeDiscriminable,
>
  extends ModelKindParts<Settings>, KindDefinition {
  readonly schema: Schema;
  /** One line. */
  readonly description: string;
}

/** @returns the definition of a model whose settings are `schema`'s, and of which the file writes `kind` */
function defineModelKind<const Kind extends string, Schema extends z.ZodObject>(
  kind: Kind,
  schema: Schema,
  parts: ModelKindParts<z.output<Schema>>,
) {
  const { title = '', description = '' } = schema.meta() ?? {};
  return { ...parts, schema, kind, title, description };
}

/** The shallow-water models: a basin with a bed, its boundaries, its rotation and its scheme. */
const WATER = 'shallow-water';
/** Along y; along x the grid has no fewer. */
const LEAST_ROWS = 4;

const boundary = (axis: 'x' | 'y') =>
  choice({
    title: `Boundary along ${axis}`,
    description: `What waves meet at both ends of ${axis}: a reflecting wall, the other end, or open water.`,
    words: ['wall', 'periodic', 'open'],
    default: 'wall',
  });

const waterSchema = section(
  { title: 'Shallow water', description: 'The shallow-water model that forecasts the truth and every member.' },
  {
    // Files from before there were other models do not say it, and runs of theirs continue as they began.
    kind: z.literal(WATER).optional().meta({ title: 'Kind', description: 'Waves and currents of water in a basin.' }),
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
export type ShallowWaterSettings = z.output<typeof waterSchema>;

const shallowWater = defineModelKind(WATER, waterSchema, {
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
    const message = `found ${ny}, allowed: at least ${LEAST_ROWS} with the model "${WATER}"`;
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

/** The Lorenz-96 model [lorenz1996]: variables on a ring, in place of a basin. */
const RING = 'lorenz-96';

const ringSchema = kindSchema(
  RING,
  {
    title: 'Lorenz-96',
    description:
      'grid.nx variables x on a ring, dx_i/dt = (x_{i+1} − x_{i−2})·x_{i−1} − x_i + F. Time and state have no unit; one unit of time represents five days of weather.',
    gist: 'Variables on a ring, chaotic at F = 8: the benchmark of filters.',
  },
  {
    forcing: quantity({
      title: 'Forcing F',
      description: 'What drives every variable. At 8, with 40 variables, errors double in about 0.4 units of time.',
      minimum: -1000,
      maximum: 1000,
      default: 8,
    }),
    timeStep: quantity({
      title: 'Time step',
      description: 'Length of one step of the fourth-order Runge–Kutta method, which divides experiment.window.',
      above: 0,
      maximum: 1,
      default: 0.05,
    }),
  },
);

/** Rows of a ring, and distance of its places. */
function ringProblems({ ny, dx, dy }: BasinSettings['grid']): Problem[] {
  return Object.entries({ ny, dx, dy }).flatMap(([name, found]): Problem[] => {
    if (found === 1) return [];
    const what = name === 'ny' ? 'a ring has one row' : 'places on a ring are counted';
    return [{ path: ['grid', name], message: `found ${found}, allowed: 1 with the model "${RING}": ${what}` }];
  });
}

const lorenz96 = defineModelKind(RING, ringSchema, {
  variables: [{ name: 'x', unit: '' }],
  observed: [{ name: 'x', unit: '', judges: ['x'] }],
  world: 'ring',
  // Slope, stage and sum of a step.
  hostPlanes: () => 3,
  linearHostPlanes: () => 14,
  problems: (_settings, grid) => ringProblems(grid),
  create: ({ forcing, timeStep }, { nx }) => createLorenz96({ n: nx, forcing, timeStep }),
  steadyState: ({ forcing }) => [forcing],
  climate({ forcing, timeStep }, { nx }, stream, time) {
    const step = createLorenz96Step({ n: nx, forcing });
    const x = Float64Array.from({ length: nx }, () => forcing + stream.normal());
    const steps = Math.ceil(time / timeStep);
    for (let taken = 0; taken < steps; taken++) step(x, time / steps);
    return x;
  },
});

/** In the order in which a form offers them; the first is meant where a file says none. */
export const MODEL_KINDS = [shallowWater, lorenz96] as const;

export const modelField = kindUnion(MODEL_KINDS)
  .prefault({})
  .meta({ title: 'Model', description: 'The model that forecasts the truth and every member.' });

/** A model of the scenario, with every default filled in. */
export type ModelSettings = z.output<typeof modelField>;

const definitionOf = definitionsByKind<ModelKindDefinition<ModelSettings>>(MODEL_KINDS);

/** @returns the definition of a model's kind, for settings of that kind */
export function modelKindDefinition({
  kind,
}: {
  readonly kind?: string | undefined;
}): ModelKindDefinition<ModelSettings> {
  return definitionOf(kind ?? shallowWater.kind);
}

/** @returns the settings of a model of water; undefined for another */
export function waterOf(model: ModelSettings): ShallowWaterSettings | undefined {
  return model.kind === undefined || model.kind === shallowWater.kind ? model : undefined;
}

/** State variables of all models, in the order of each state. */
export const STATE_VARIABLES: readonly string[] = MODEL_KINDS.flatMap(({ variables }) =>
  variables.map(({ name }) => name),
);

const UNITS = new Map(
  MODEL_KINDS.flatMap(({ variables, observed }) =>
    [...variables, ...observed].map(({ name, unit }) => [name, unit] as const),
  ),
);

/** @returns the unit of a state variable, or of what is observed; empty where it has none */
export function unitOf(variable: string): string {
  return UNITS.get(variable) ?? '';
}

/** What networks may observe of all models. */
export const OBSERVED_NAMES = MODEL_KINDS.flatMap(({ observed }) => observed.map(({ name }) => name)) as [
  string,
  ...string[],
];

/** Gravity, m/s², and rotation, 1/s and 1/(m s). */
interface Physics {
  readonly gravity: number;
  readonly coriolis: { readonly f: number; readonly beta: number };
}

const NO_PHYSICS: Physics = { gravity: 0, coriolis: { f: 0, beta: 0 } };

/** @returns gravity and rotation; none if there is no water */
export function physicsOf(model: ModelSettings): Physics {
  return waterOf(model) ?? NO_PHYSICS;
}
