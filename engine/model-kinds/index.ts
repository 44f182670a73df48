/** The forecast models as scenarios have them: what each kind is, and how it is made. */
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
export type { ModelSettings } from './registry.ts';
export type { ShallowWaterSettings } from './shallow-water.ts';
