/**
 * What the settings of every kind are made of: fields with help, the basin they are judged in, problems with paths, what was found and
 * may have been meant, and the files that they name.
 */
import { distance } from 'fastest-levenshtein';
import { ScenarioError, type Path, type Problem } from '../errors.ts';
import { quote } from '../words.ts';
import type { NpyArray } from '../files/array-files.ts';

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

export { describeProblem, formatPath, parsePath, type Path, type Problem } from '../errors.ts';
export { quote } from '../words.ts';

/** A place in a text, both numbers from 1. */
export type TextPlace = Required<Pick<Problem, 'line' | 'column'>>;

/** Where a problem is in the text of the file; nowhere if there is no text. */
export type Locate = (problem: Problem) => TextPlace | undefined;

/** @returns problems of a part of the scenario as problems of the whole. @param path of the part */
export function within(path: Path, problems: readonly Problem[]): Problem[] {
  return problems.map((problem) => ({ ...problem, path: [...path, ...problem.path] }));
}

/** More problems than anybody would read are counted, not listed. */
const MAXIMUM_PROBLEMS = 50;
/** Nothing is suggested for longer words. */
const MAXIMUM_WORD = 64;

/** @returns a value in a few words */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) {
    const short = value.length <= 4 && value.every((entry) => typeof entry === 'number');
    return short ? `[${value.join(', ')}]` : `a list of ${value.length}`;
  }
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** @returns words as they are listed in a sentence: `"a", "b" or "c"` */
export function listWords(words: readonly string[], conjunction = 'or'): string {
  if (words.length <= 1) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${conjunction} ${words[words.length - 1]}`;
}

/** @returns the candidate that is spelled nearest, or undefined if none is near */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > MAXIMUM_WORD) return undefined;
  const allowed = Math.max(2, Math.ceil(word.length / 3));
  let best: string | undefined;
  let bestDistance = allowed + 1;
  for (const candidate of candidates) {
    const d = distance(word.toLowerCase(), candidate.toLowerCase());
    if (d < bestDistance) {
      best = candidate;
      bestDistance = d;
    }
  }
  const completed = word.length >= 3 ? candidates.filter((candidate) => candidate.startsWith(word)) : [];
  return best ?? completed[0];
}

/** @returns `; did you mean "…"?`, or nothing where no candidate is near */
export function suggestion(word: unknown, candidates: readonly string[]): string {
  const near = typeof word === 'string' ? nearest(word, candidates) : undefined;
  return near === undefined ? '' : `; did you mean "${near}"?`;
}

/** @returns the error that lists these problems of a file, the first of them if there are very many */
export function scenarioError(
  problems: readonly Problem[],
  file: string,
  locate: Locate = () => undefined,
): ScenarioError {
  const told = problems
    .slice(0, MAXIMUM_PROBLEMS)
    .map((problem): Problem => ({ ...problem, file, ...locate(problem) }));
  const more = problems.length - told.length;
  if (more > 0) told.push({ file, path: [], message: `${more} more ${more === 1 ? 'problem' : 'problems'}` });
  return new ScenarioError(told);
}

/** Observing places from a CSV file; every array has `count` elements. */
export interface Table {
  readonly count: number;
  /** Metres from the centre of cell (0, 0). */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Seconds since the first cycle began. */
  readonly time: Float64Array;
  /** In the unit of the observed variable; NaN if there is none and the truth is observed. */
  readonly value: Float64Array;
}

/** What the scenario's files hold, by the name that the scenario gives them. */
export interface ScenarioFiles {
  /**
   * @param selection what of it, where it has more than one array
   * @throws RangeError for a name, or a selection, that the scenario does not refer to
   */
  array(file: string, selection?: ArraySelection): NpyArray;
  /** @throws RangeError for a name that the scenario does not refer to */
  table(file: string): Table;
}

export type FileType = '.npy' | '.csv' | '.nc';

/** How the names of files end. */
const ENDINGS: Readonly<Record<FileType, readonly string[]>> = {
  '.npy': ['.npy'],
  '.csv': ['.csv'],
  '.nc': ['.nc', '.nc4', '.h5', '.hdf5'],
};

/** What a setting says of a file with variables in it. */
export const variableFileDescription =
  'A NetCDF-4 or HDF5 file (.nc, .nc4, .h5 or .hdf5), in metres or a unit that it states; no value may be missing.';

/** Which variables of a file make an array, and where along their other dimensions. */
export interface ArraySelection {
  /** The first one is named; another that is empty is found by its name, or is zero. */
  readonly variables: readonly string[];
  /** `dimension=label, …` */
  readonly at: string;
}

/** @returns what distinguishes the arrays of a scenario's files */
export function arrayKey(file: string, selection?: ArraySelection): string {
  return selection ? JSON.stringify([file, selection.variables, selection.at]) : file;
}

/** The file that a kind of a setting is read from. */
export interface NamedFile<Settings> {
  readonly type: FileType;
  /** Its name, which is the setting `file`. */
  file(settings: Settings): string;
  /** Selection in a file with more than one array. */
  select?(settings: Settings): ArraySelection;
}

/** @returns what is wrong with a file's name, or undefined: it stays in the scenario's folder, on every system */
export function fileNameProblem(file: string, type: FileType): string | undefined {
  const found = `found ${quote(file)}`;
  if (!ENDINGS[type].some((ending) => file.toLowerCase().endsWith(ending))) {
    return `${found}, allowed: the name of a ${ENDINGS[type].join(', ')} file`;
  }
  if (/^[/\\]|^[a-z]:/i.test(file)) return `${found}, allowed: a name relative to the scenario's folder`;
  if (file.split('/').some((part) => part === '..'))
    return `${found}, allowed: a file in the scenario's folder or below it`;
  if (/[\\:*?"<>|\p{Cc}]/u.test(file)) return `${found}, which has characters that are not allowed in a file's name`;
  return undefined;
}

/** @throws RangeError for a file that the scenario does not refer to */
export function unknownFile(file: string): never {
  throw new RangeError(`the scenario does not refer to a file ${quote(file)}`);
}

/** The reader for a scenario that refers to no file. */
export const NO_FILES: ScenarioFiles = { array: unknownFile, table: unknownFile };
