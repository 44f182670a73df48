/** Sweeps: one scenario over values of its settings and over seeds. */
export { assembleResults, caseOf } from './assemble.ts';
export type { CaseResult } from './assemble.ts';
export { sweepDefinitionSchema } from './definition.ts';
export type { SweepDefinition } from './definition.ts';
export { groupCases, shareExperiment } from './groups.ts';
export { MEASURES, isTime, measureNamed, usualMeasures } from './measures.ts';
export type { NumbersOrigin } from './case-hash.ts';
export { planSweep } from './plan.ts';
export type { PlannedCase, SweepPlan, SweepScenario } from './plan.ts';
export { readSweepDefinition, seedsOf, sweepJsonSchema, validateSweepDefinition } from './read-definition.ts';
export type { ReadSweep } from './read-definition.ts';
export { MAXIMUM_RESULTS_BYTES, readSweepResults } from './read-results.ts';
export { MOST_AXES, MOST_CASES, sweepResultsSchema } from './results.ts';
export type { MethodOutcome, SweepAxis, SweepCase, SweepMeasure, SweepResults } from './results.ts';
export { failedCase, runCases } from './run-cases.ts';
export type { CaseOutcome, MeasuredMethod, RunCasesOptions } from './run-cases.ts';
