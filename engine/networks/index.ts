/** The observing networks: what each kind is, and where each observes in a run. */
export type { NetworkContext, Sampler } from './definition.ts';
export { createBuoys, SUB_STEPS } from './buoys.ts';
export type { Buoys, VelocityReader } from './buoys.ts';
export { networkDefinition, networkField, NETWORKS } from './registry.ts';
export type { Network } from './registry.ts';
export type { Positions } from './positions.ts';
