/** What the settings of every kind are made of: fields with help, problems with paths, and the basin they are judged in. */
export { balanceProblem } from './balance.ts';
export {
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
export type { BasinSettings } from './basin.ts';
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
} from './fields.ts';
export type { CellSizes, TakesEffect } from './fields.ts';
export { describedKind, kindSchema } from './define-kind.ts';
export type { KindHelp } from './define-kind.ts';
export { definitionsByKind, kindUnion } from './kinds.ts';
export type { KindDefinition } from './kinds.ts';
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
export { perturbationSection } from './perturbation.ts';
export type { PerturbationSettings } from './perturbation.ts';
export { arrayKey, fileNameProblem, NO_FILES, unknownFile, variableFileDescription } from './named-files.ts';
export type { ArraySelection, FileType, NamedFile, ScenarioFiles, Table } from './named-files.ts';
export type { ObservingNetwork, Situation } from './situation.ts';
