/** The scenario file: what it may say, how it is read and checked, and how it is changed. */
export { cellsOf, SCENARIO_VERSION, scenarioSchema, isRecord, methodSchema } from './schema.ts';
export type {
  ExpectedResults,
  Intervention,
  InterventionOf,
  Method,
  Network,
  ObservationNetwork,
  ObservedVariable,
  Perturbation,
  Scenario,
  ScenarioBranch,
  ScenarioInput,
} from './schema.ts';
export { AS_SHIPPED, LEAST_SHARE, type Claim, type ClaimFound } from './schema-expected.ts';
export { fileReferences, largestFileBytes, readScenarioFiles, type ReadFile } from './files.ts';
export { scenarioJsonSchema, schemaAt, valueAt, type JsonSchema } from './json-schema.ts';
export {
  parseScenario,
  parseScenarioInSteps,
  validateScenario,
  SCHEMA_FILE,
  formatScenario,
  newScenarioText,
  restateScenario,
  type ParsedScenario,
} from './read-scenario.ts';
export { checkScenario } from './check-scenario.ts';
export {
  assertShallow,
  MAXIMUM_SCENARIO_BYTES,
  decodeText,
  decodeUtf8,
  parseJsonText,
  parseWrittenJson,
  withoutComments,
} from './json-text.ts';
export {
  changesBetween,
  effectOf,
  changesAt,
  cyclesOf,
  interventionsBefore,
  isSetting,
  scenarioAt,
  scenarioBefore,
  describeChange,
  settingsDifferences,
  settingsText,
  worldText,
  describeIntervention,
  describeInterventions,
} from './changes.ts';
export type { ScenarioChange, SettingDifference } from './changes.ts';
export { noiseGrowth } from './diagonal-growth.ts';
export {
  comparedVariables,
  headlineError,
  inflates,
  localVolumesOf,
  nameWithUnit,
  situationOf,
  methodTuning,
  proposedMethod,
  type HeadlineError,
} from './situation.ts';
export { branchScenario, branchTitle, mainLine } from './branches.ts';
export { MAXIMUM_BRANCHES, MAXIMUM_INTERVENTIONS, MAXIMUM_PLACES } from './schema-interventions.ts';
export { moundOf, islandsOf, modelGrid, scenarioBed, deepestWater, fastestWave, checkGround } from './bed.ts';
export { gaugeRoomAt, gaugesAt, networkNames, observedVariables, standingGauges, type PaintedGauge } from './gauges.ts';
export { asTruth, hasOwnModel, refinementOf } from './truth-model.ts';
export { NO_FILES } from '../settings/index.ts';
export { fileWarningsOf, warningsOf, warningTexts } from './warnings.ts';
export { lessonProblems, scenarioAtStep, settingsAtStep, viewProblems } from './lesson.ts';
export {
  LONGEST_CHOICE,
  LONGEST_TEXT,
  LONGEST_TITLE,
  MOST_CHOICES,
  MOST_SETTINGS_OF_A_STEP,
  MOST_STEPS_OF_A_LESSON,
  BASIN_LENGTH,
  CAMERA_KINDS,
  EVIDENCE_PARTS,
  EXAGGERATIONS,
  FARTHEST,
  HIGHEST_ELEVATION,
  LOWEST_ELEVATION,
  MAXIMUM_ROWS,
  MOST_PINS,
  MOST_POINTED,
  NEAREST,
  PHASES,
  POINTED_PARTS,
  RANGE_MODES,
  STAGE_LOOKS,
  VIEW_FIELDS,
  viewsSchema,
} from './schema-lesson.ts';
export { recordedImpact, type ViewedImpact } from './schema-observations.ts';
export type { LessonQuestion, LessonSetting, LessonStep, WrittenLessonStep } from './schema-lesson.ts';
export type { EvidencePart, Views, WrittenViews, XraySubject } from './schema-lesson.ts';
export { MODEL_KINDS, STATE_VARIABLES, modelKindDefinition, physicsOf, unitOf, waterOf } from '../model-kinds/index.ts';
export { checkEffort, describeEffort, durationText, estimateEffort, estimateSeconds } from './effort.ts';
export {
  DEFAULT_MEMORY_BYTES,
  checkMemory,
  estimateExplanationMemory,
  estimateImpactMemory,
  estimateMemory,
} from './memory.ts';
export { momentsOf, networkCapacity, proposedNetwork, streamNamesOf } from './networks.ts';
export { problemsOf } from './schema-problems.ts';
export { assignPath, setPath } from './set-path.ts';
