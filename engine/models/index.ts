/** The forecast models. */
export { drivenModel } from './model.ts';
export type {
  ForecastFrames,
  Grid,
  LinearStepFields,
  Model,
  ModelVariable,
  Onlookers,
  Propagator,
  QueuedForecast,
} from './model.ts';
export { MOST_STEPS } from './division.ts';
export { createShallowWater, SCHEMES, SCHEME_NAMES } from './shallow-water/index.ts';
export type { Boundary, Scheme, ShallowWaterDescription } from './shallow-water/index.ts';
export { createLorenz96, createLorenz96Step } from './lorenz-96/index.ts';
export { CLOCK, NONE, STATUS, freshStatus } from './stepping.ts';
export { queueWhole } from './propagator.ts';
export { createLinearWindow, windowElements, type LinearWindow } from './linear-window.ts';
