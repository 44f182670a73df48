/** A problem of a scenario or of another file: where and what it is, as data and as a line. */
import { quote, shown } from './words.ts';

/** Keys and list indices from the root of a file to a value. */
export type Path = readonly (string | number)[];

export interface Problem {
  /** The file, or what else it was found in, such as an option of the command line; undefined where that goes without saying. */
  readonly file?: string;
  /** In the file's text, both from 1; undefined if there is no text, or none any more. */
  readonly line?: number;
  readonly column?: number;
  /** From the root of the scenario, or of the file; empty where the whole is concerned. */
  readonly path: Path;
  /** The problem is the last key of the path itself, not its value. */
  readonly atKey?: boolean;
  /** What was found and what is allowed, on one line. */
  readonly message: string;
}

/** Longest name that somebody may have given to a setting. */
const LONGEST_NAME = 64;

/** @returns the path as it is written after `--set`, for example `methods[1].covariance.length` */
export function formatPath(path: Path): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (!/^[$\w]+$/.test(part) || part.length > LONGEST_NAME) text += `[${quote(part)}]`;
    else text += text === '' ? part : `.${part}`;
  }
  return text;
}

/** @returns the keys of a path that is written so, or undefined for what is not a path; of the empty text none */
export function parsePath(text: string): Path | undefined {
  const keys: (string | number)[] = [];
  const token = /(?:^|\.)([$\w-]+)|\[(\d{1,9})\]|\[("(?:[^"\\]|\\.)*")\]/gy;
  while (token.lastIndex < text.length) {
    const match = token.exec(text);
    if (match === null) return undefined;
    const [, name, index, quoted] = match;
    keys.push(index === undefined ? (name ?? quoted.slice(1, -1)) : Number(index));
  }
  return keys;
}

/** @returns the problem on one line: `file:line:column: path: message` */
export function describeProblem({ file, line, column, path, message }: Problem): string {
  const position = [line, column].filter((number) => number !== undefined);
  const place = file === undefined ? [] : [[file === '' ? "''" : shown(file), ...position].join(':')];
  return [...place, ...(path.length === 0 ? [] : [formatPath(path)]), message].join(': ');
}
