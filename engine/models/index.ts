/** The forecast models. */
export type { Grid, Model, ModelVariable, Propagator } from './model.ts';
export { createShallowWater } from './shallow-water/index.ts';
export type { Boundary, ShallowWaterDescription, ShallowWaterScheme } from './shallow-water/index.ts';
