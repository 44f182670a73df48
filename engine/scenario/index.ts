/** The scenario file: what it may say, how it is read and checked, and how it is changed. */
export { SCENARIO_VERSION, scenarioSchema } from './schema.ts';
export type {
  Background,
  Bathymetry,
  Covariance,
  EnkfMethod,
  ExpectedResults,
  ExperimentSettings,
  Forcing,
  FreeRunMethod,
  Grid as GridSettings,
  Initial,
  Intervention,
  LetkfMethod,
  Method,
  MethodKind,
  Model as ModelSettings,
  Network,
  ObservationNetwork,
  ObservedVariable,
  Perturbation,
  Relaxation,
  Scenario,
  ScenarioInput,
  Truth,
  VariationalMethod,
} from './schema.ts';
export { NO_FILES, fileNameProblem, fileReferences, largestFileBytes, readScenarioFiles } from './files.ts';
export type { FileReference, ReadFile, ScenarioFiles } from './files.ts';
export type { Table } from './csv.ts';
export { scenarioJsonSchema } from './json-schema.ts';
export type { JsonSchema } from './json-schema.ts';
export { parseScenario, validateScenario } from './read-scenario.ts';
export type { ParsedScenario } from './read-scenario.ts';
export { MAXIMUM_SCENARIO_BYTES, parseJsonText } from './json-text.ts';
export { changesBetween, effectOf } from './change-effect.ts';
export type { ChangeEffect, ScenarioChange } from './change-effect.ts';
export { isRecord } from './is-record.ts';
export { describeChange } from './describe-change.ts';
export { noiseGrowth } from './diagonal-growth.ts';
export { changesAt, cyclesOf, scenarioAt, scenarioBefore } from './interventions.ts';
export { warningsOf } from './warnings.ts';
export { LONGEST_CORRELATION, fastestWave, reachOf } from './basin.ts';
export { comparedVariables, nameWithUnit } from './compared-variables.ts';
export { LONGEST_RUN, MOST_STEPS, checkEffort, describeEffort, estimateEffort, estimateSeconds } from './effort.ts';
export type { Effort } from './effort.ts';
export { DEFAULT_MEMORY_BYTES, MAXIMUM_MISFIT_OBSERVATIONS, checkMemory, estimateMemory } from './memory.ts';
export { MAXIMUM_ENKF_OBSERVATIONS, networkCapacity } from './networks.ts';
export { SCHEMES, SCHEME_NAMES } from './schemes.ts';
export type { Scheme } from './schemes.ts';
export { setPath } from './set-path.ts';
export { SCHEMA_FILE, formatScenario, newScenarioText } from './new-scenario.ts';
export { describeValue, nearest, scenarioError } from './problem.ts';
export type { Problem } from './problem.ts';
