/**
 * What a kind of forecast model is to all that is not its equations: the settings that the scenario file has for it, its variables
 * and what can be observed of them, what its grid must be, and how it is made. Each kind is one definition in a file of its own,
 * listed in `index.ts`, from which the schema, the form, the checks, the estimates and the run derive.
 */
import type { z } from 'zod';
import type { Grid, Model, ModelVariable } from '../models/index.ts';
import type { RandomStream } from '../random/stream.ts';
import type { BasinSettings, KindDefinition, Problem } from '../settings/index.ts';

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

export interface ModelKindDefinition<
  Settings = unknown,
  Schema extends z.core.$ZodTypeDiscriminable = z.core.$ZodTypeDiscriminable,
>
  extends ModelKindParts<Settings>, KindDefinition {
  readonly schema: Schema;
  /** One line. */
  readonly description: string;
}

/** @returns the definition of a model whose settings are `schema`'s, and of which the file writes `kind` */
export function defineModelKind<const Kind extends string, Schema extends z.ZodObject>(
  kind: Kind,
  schema: Schema,
  parts: ModelKindParts<z.output<Schema>>,
) {
  const { title = '', description = '' } = schema.meta() ?? {};
  return { ...parts, schema, kind, title, description };
}
