/** Tuning: a method's best setting on a scenario, how sure it is, and what it leaves in the scenario. */
export { caseOutcomeOf, evaluateAsSweep, runBatchHere, sweepOf, lookAt, tuneMethod } from './tune.ts';
export type { BatchOptions, RunBatch } from './tune.ts';
export type { TuningResult } from './consistency.ts';
export {
  consistencyFindings,
  describeTuning,
  findingText,
  measureText,
  parameterTitle,
  pointText,
} from './describe.ts';
export { suggestedParameters } from './parameter.ts';
export type { ParameterRequest, TuningParameter } from './parameter.ts';
export {
  estimateTuning,
  judgingMeasures,
  planTuning,
  tuningSeeds,
  USUAL_LEVELS,
  USUAL_SEEDS,
  withPoint,
} from './plan.ts';
export type { TuningMeasure, TuningPlan, TuningRequest } from './plan.ts';
export { rounded, scanRecord, tunedScenario, withScanRecord } from './record.ts';
export type { ScanRecord } from './record.ts';
export { firstPoints } from './search.ts';
export type { Point, SeedOutcome, TriedPoint } from './search.ts';
