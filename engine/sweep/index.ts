/** Sweeps: one scenario over values of its settings and over seeds. */
export { assembleResults, keepCase, failedCase, runCases, groupCases } from './run-cases.ts';
export type { CaseSummary, KeptCase, CaseOutcome, RunCasesOptions, GroupLimits } from './run-cases.ts';
export { titleOf as settingTitle } from './axes.ts';
export {
  formatCaseRecord,
  readCaseRecord,
  describeSweepDifference,
  formatSweepRecord,
  readSweepRecord,
  recordSweep,
  parseDocument,
  readSweepResults,
} from './records.ts';
export type { CaseRecord, SweepRecord } from './records.ts';
export { formatResultsTable, MOST_AXES, sweepRows } from './results.ts';
export { nameOf, readSweepDefinition, seedsOf, sweepJsonSchema, validateSweepDefinition } from './read-definition.ts';
export { SEEDS_HELP, formatRanges, parseMemberList, parseSeeds } from './seed-list.ts';
export type { SweepDefinition, ReadSweep } from './read-definition.ts';
export { MEASURES, headlineSkill, isAgainstFreeRun, isTime, measureNamed, usualMeasures } from './measures.ts';
export { HEADLINE_REMARKS, summariseSeeds, sweepOverSeeds } from './over-seeds.ts';
export type { OverSeeds, SeedsMeasure, SeedsRow } from './over-seeds.ts';
export { planSweep } from './plan.ts';
export type { PlannedCase, PlanProgress, SweepPlan, SweepScenario, NumbersOrigin } from './plan.ts';
export type { SweepMeasure, SweepResults, SweepRow } from './results.ts';
