/** What the settings of every kind are made of: fields with help, problems with paths, and the basin they are judged in. */
export {
  balanceProblem,
  boundaryOf,
  cellProblem,
  extents,
  farthest,
  isOutside,
  lengthUnit,
  multipleOf,
  placeProblem,
  tidy,
} from './basin.ts';
export type { BasinSettings, ObservingNetwork, Situation } from './basin.ts';
export {
  cellLength,
  choice,
  count,
  drawnFrom,
  fileName,
  kind,
  oneLine,
  optionalSection,
  optionalText,
  pair,
  quantity,
  requiredQuantity,
  requiredText,
  section,
  toggle,
  withCells,
  perturbationSection,
} from './fields.ts';
export type { CellSizes, TakesEffect, PerturbationSettings } from './fields.ts';
export { describedKind, kindSchema, definitionsByKind, kindUnion } from './fields.ts';
export type { KindHelp, DescribedKind, KindDefinition } from './fields.ts';
export {
  describeProblem,
  describeValue,
  formatPath,
  listWords,
  nearest,
  parsePath,
  quote,
  scenarioError,
  suggestion,
  within,
} from './problem.ts';
export type { Locate, Path, Problem, TextPlace } from './problem.ts';
export { arrayKey, fileNameProblem, NO_FILES, unknownFile, variableFileDescription } from './named-files.ts';
export type { ArraySelection, FileType, NamedFile, ScenarioFiles, Table } from './named-files.ts';
