/** The forecast models as scenarios have them: what each kind is, and how it is made. */
import { definitionsByKind, kindUnion } from '../settings/index.ts';
import type { ModelKindDefinition } from './definition.ts';
import { lorenz96 } from './lorenz-96.ts';
import { shallowWater, type ShallowWaterSettings } from './shallow-water.ts';
import type { z } from 'zod';

export type { ShallowWaterSettings } from './shallow-water.ts';

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
