/** Forcing: what happens to the water during the run, of each kind. */
export type { ForcingDefinition, ForcingEvents, SeenBy } from './definition.ts';
export { forcingDefinition, forcingField, FORCINGS } from './registry.ts';
export type { Forcing } from './registry.ts';
