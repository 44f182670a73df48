/** The files that a scenario names, .npy arrays, .csv tables and NetCDF-4 files beside it: how they may be called, and what is in them. */
import type { NpyArray } from '../files/npy.ts';
import { quote } from '../words.ts';

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
