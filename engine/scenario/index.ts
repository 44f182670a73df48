/** The scenario file: what it may say, how it is read and checked, and how it is changed. */
export { SCENARIO_VERSION, scenarioSchema } from './schema.ts';
export type {
  Background,
  Bathymetry,
  Covariance,
  EnkfMethod,
  ExperimentSettings,
  Forcing,
  FreeRunMethod,
  Grid as GridSettings,
  Initial,
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
export { NO_FILES, fileReferences, readScenarioFiles } from './files.ts';
export type { FileReference, ReadFile, ScenarioFiles } from './files.ts';
export type { TableRow } from './csv.ts';
export { scenarioJsonSchema } from './json-schema.ts';
export type { JsonSchema } from './json-schema.ts';
export { parseScenario, validateScenario } from './read-scenario.ts';
export type { ParsedScenario } from './read-scenario.ts';
export { MAXIMUM_SCENARIO_BYTES, parseJsonText } from './json-text.ts';
export { warningsOf } from './warnings.ts';
export { DEFAULT_MEMORY_BYTES, checkMemory, estimateMemory } from './memory.ts';
export { MAXIMUM_ENKF_OBSERVATIONS, networkCapacity } from './networks.ts';
export { setPath } from './set-path.ts';
export { SCHEMA_FILE, formatScenario, newScenarioText } from './new-scenario.ts';
export { describeValue, nearest, scenarioError } from './problem.ts';
export type { Problem } from './problem.ts';
