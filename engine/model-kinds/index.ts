/** The forecast models as scenarios have them: what each kind is, and how it is made. */
export type { ModelKindDefinition, ObservedQuantity } from './definition.ts';
export {
  MODEL_KINDS,
  modelField,
  modelKindDefinition,
  OBSERVED_NAMES,
  physicsOf,
  STATE_VARIABLES,
  unitOf,
  waterOf,
} from './registry.ts';
export type { ModelKind, ModelSettings, Physics } from './registry.ts';
export type { ShallowWaterSettings } from './shallow-water.ts';
