/** Sweeps: one scenario over values of its settings and over seeds. */
export { sweepDefinitionSchema } from './definition.ts';
export type { SweepDefinition } from './definition.ts';
export { MOST_AXES, MOST_CASES, sweepResultsSchema } from './results.ts';
export type { MethodOutcome, SweepAxis, SweepCase, SweepMeasure, SweepResults } from './results.ts';
