/**
 * Problems of a scenario or of another file, where and what they are, as data and as lines; and the named errors of the engine. Each
 * message gives what was found, what is allowed, and the next step; callers print it as it is.
 */
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

/** A scenario, or a file of a run, is not what it should be. The message has a line for each problem. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
  /** One or more. */
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(describeProblem).join('\n'));
    this.problems = problems;
  }
}

/** @returns what is wrong with a scenario that was refused with this error. @throws the error if it says something else */
export function problemsIn(error: unknown): readonly Problem[] {
  if (error instanceof ScenarioError) return error.problems;
  throw error;
}

/** Something asked for is larger than this machine or this program allows; the message says by how much and what would fit. */
export class LimitError extends Error {
  override readonly name = 'LimitError';
}

/** The GPU device went away. What was resident is gone; a run continues from its last checkpoint. */
export class DeviceLostError extends Error {
  override readonly name = 'DeviceLostError';
}

/** The thread or process that a run computed in is gone; the run can continue elsewhere from its last checkpoint. */
export class RunLostError extends Error {
  override readonly name = 'RunLostError';
}

/** An operator case folder, or an array file, is not what it should be. */
export class CaseError extends Error {
  override readonly name: string = 'CaseError';
}

/** What reads a file did not come back from it and was ended: nothing more can be read of it. */
export class FileLostError extends CaseError {
  override readonly name: string = 'FileLostError';
}

/** Something was asked about a run that it cannot be asked: about what there is not, or what it did not keep. */
export class QuestionError extends Error {
  override readonly name: string = 'QuestionError';
}

/** What is asked about a cycle is not kept any more, or was not: the cycle can be run again, and asked then. */
export class NotKeptError extends QuestionError {
  override readonly name: string = 'NotKeptError';
}

/** A backend is not available on this machine, or rejected a kernel. */
export class BackendError extends Error {
  override readonly name = 'BackendError';
}

/** Where and how a forecast left what the model can represent. */
export interface Divergence {
  /**
   * Why: a value that is not finite, a depth below zero, a wave that crosses more than two cells a step, or, with the time
   * step "auto", waves so fast that a 64th of the step that the run began with is too long.
   */
  readonly kind: 'not-finite' | 'negative-depth' | 'courant' | 'step-too-short';
  /** Model step since the start of this call, from 0. */
  readonly step: number;
  readonly member: number;
  readonly x: number;
  readonly y: number;
  readonly variable: string;
  /** The offending value: of the variable, or the Courant number. */
  readonly value: number;
}

/** @returns what went wrong and where, without the cause, as one clause */
export function describeDivergence({ kind, step, member, x, y, variable, value }: Divergence): string {
  const what = {
    'not-finite': `${variable} became ${value}`,
    'negative-depth': `${variable} fell to ${value.toPrecision(3)}`,
    courant: `the Courant number reached ${value.toPrecision(3)} (no scheme is stable above 1, a run is stopped above 2)`,
    'step-too-short': `a 64th of the time step that the run began with became too long (Courant number ${value.toPrecision(3)})`,
  }[kind];
  return `${what} at step ${step}, cell (x ${x}, y ${y}), member ${member}`;
}

/** A forecast went wrong. Results up to the last good cycle are kept. */
export class DivergenceError extends Error {
  override readonly name = 'DivergenceError';
  readonly divergence: Divergence;
  /** Who, and when: what the message begins with. */
  readonly context: string;

  /** @param advice the likely cause and what helps, in sentences */
  constructor(divergence: Divergence, context: string, advice = '') {
    const what = `${context}: ${describeDivergence(divergence)}`;
    super(advice === '' ? what : `${what}. ${advice}`);
    this.divergence = divergence;
    this.context = context;
  }
}

/** Each method of a run has diverged: there is nothing left to continue with. What they completed is kept. */
export class AllDivergedError extends Error {
  override readonly name = 'AllDivergedError';
}

/** Thrown where work was given up because its signal said so. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
}

/** @returns what was thrown, as an error: it may have been anything */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
