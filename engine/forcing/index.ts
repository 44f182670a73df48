/** Forcing: what happens to the water during the run, of each kind. */
export type { SeenBy } from './definition.ts';
export { forcingDefinition, forcingField, FORCINGS } from './registry.ts';
