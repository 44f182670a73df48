/** The files that a scenario names, .npy arrays and .csv tables beside it: how they may be called, and what is in them. */
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
  /** In the unit of the observed variable; NaN where there is none and the truth is observed. */
  readonly value: Float64Array;
}

/** What the scenario's files hold, by the name that the scenario gives them. */
export interface ScenarioFiles {
  /** @throws RangeError for a name that the scenario does not refer to */
  array(file: string): NpyArray;
  /** @throws RangeError for a name that the scenario does not refer to */
  table(file: string): Table;
}

export type FileType = '.npy' | '.csv';

/** The file that a kind of a setting is read from. */
export interface NamedFile<Settings> {
  readonly type: FileType;
  /** Its name, which is the setting `file`. */
  file(settings: Settings): string;
}

/** @returns what is wrong with a file's name, or undefined: it stays in the scenario's folder, on every system */
export function fileNameProblem(file: string, type: FileType): string | undefined {
  const found = `found ${quote(file)}`;
  if (!file.toLowerCase().endsWith(type)) return `${found}, allowed is the name of a ${type} file`;
  if (/^[/\\]|^[a-z]:/i.test(file)) return `${found}, allowed is a name relative to the scenario's folder`;
  if (file.split('/').some((part) => part === '..'))
    return `${found}, allowed is a file in the scenario's folder or below it`;
  if (/[\\:*?"<>|\p{Cc}]/u.test(file)) return `${found}, which has characters that are not allowed in a file's name`;
  return undefined;
}
