/**
 * What a command gets from the process it runs in, so that a test can give it something else, and how it may end: the one place where
 * errors become words and an exit code.
 */
import {
  visible,
  BackendError,
  CaseError,
  DeviceLostError,
  DivergenceError,
  LimitError,
  QuestionError,
  ScenarioError,
  describeProblem,
  legibleLine,
  shown,
} from '../../engine/index.ts';
import { CommanderError } from 'commander';
import { WriteError } from '../files/disk.ts';
import { FileError } from '../files/regular-file.ts';

/**
 * Where a command's words go. The result goes to stdout; everything else (progress, notes, warnings, errors) to stderr, so
 * that stdout can be piped. With `--json` stdout carries one JSON document and nothing else. Names of files and methods
 * are in the lines: a control character in one is shown, and the terminal does not obey it.
 *
 * The part of a stream that is used.
 */
interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface Terminal {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Whether a progress bar may be drawn. */
  readonly showsProgress: boolean;
  /** A line of the result, for people; silent with --json. */
  print(text: string): void;
  /** The result as one JSON document; silent without --json. */
  printJson(value: unknown): void;
  /** A line beside the result; silent with --quiet. */
  note(text: string): void;
  /** A line that is said even with --quiet. */
  warn(text: string): void;
}

/** Lines stay lines; what is in them is visible. */
function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}

export function createTerminal(
  options: { readonly json?: boolean | string; readonly quiet?: boolean; readonly verbose?: boolean },
  stdout: Output,
  stderr: Output,
): Terminal {
  const { quiet = false, verbose = false } = options;
  const json = options.json === true || options.json === '-';
  const isTerminal = stderr.isTTY === true;
  const line = (output: Output, text: string) => void output.write(`${text}\n`);
  return {
    json,
    quiet,
    verbose,
    stdout,
    stderr,
    showsProgress: isTerminal && !quiet,
    print: (text) => {
      if (!json) line(stdout, visibleLines(text));
    },
    printJson: (value) => {
      if (json) line(stdout, JSON.stringify(value, null, 2));
    },
    note: (text) => {
      if (!quiet) line(stderr, visibleLines(text));
    },
    warn: (text) => line(stderr, visibleLines(text)),
  };
}

/** Folder of this program, given by the bootstrap. */
export interface Installation {
  /** The folder of package.json. */
  readonly root: string;
  /** The folder of the bundle that runs. */
  readonly bundleFolder: string;
  /** The script that starts the program again. */
  readonly launcher: string;
  /** Whether it was installed as a package, with everything built; otherwise it is a checkout. */
  readonly isPackage?: boolean;
}

/** The options that every command has. */
export interface CommonOptions {
  /** On stdout; or the file it goes to, `-` being stdout, where the command has that. */
  readonly json?: boolean | string;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

export interface Context {
  readonly terminal: Terminal;
  readonly installation: Installation;
  /** The arguments after the program's name, as given. */
  readonly argv: readonly string[];
}

/** In place of a file's name: standard input. */
export const STANDARD_INPUT = '-';

/** Exit codes of every command. */
export const EXIT = {
  done: 0,
  /** It ran, but a check or a run failed. */
  failed: 1,
  /** Bad usage or bad input. */
  badInput: 2,
  /** Stopped by Ctrl-C, as shells number it: 128 + SIGINT. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Bad usage that a command finds by itself; the message is one line and gives the next step. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Slurm is not there, refuses, or does not answer; the message has its words. */
export class SlurmError extends Error {
  override readonly name = 'SlurmError';
}

/** No process could be started that computes cases; the message gives the next step. */
export class WorkerError extends Error {
  override readonly name = 'WorkerError';
}

interface Failure {
  readonly lines: readonly string[];
  readonly exitCode: ExitCode;
}

interface SystemError extends Error {
  readonly code: string;
  readonly path?: string;
  readonly syscall?: string;
}

const BAD_INPUT = [UsageError, CaseError, LimitError, QuestionError, FileError] as const;
/** It was asked for rightly, and could not be done. */
const FAILURES = [BackendError, DeviceLostError, DivergenceError, WriteError, SlurmError, WorkerError] as const;

const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'is a folder, a file is needed',
  ENOTDIR: 'a part of this path is a file, a folder is needed',
  EACCES: 'may not be read or written: permission denied',
  EPERM: 'may not be changed: operation not permitted',
  EEXIST: 'exists already',
  ENOSPC: 'cannot be written: no space is left on the device',
  EROFS: 'cannot be written: the file system is read-only',
  EMFILE: 'cannot be opened: too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'too many symbolic links',
};

/** Whether an error came from the operating system. */
export function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error;
}

/** @returns in words why a file operation failed */
export function systemReason({ code, syscall }: SystemError): string {
  return SYSTEM_REASONS[code] ?? `${code} from ${syscall}`;
}

/** @returns the failure of a file operation as one line, naming the file */
function describeSystemError(error: SystemError): string {
  const place = error.path === '' ? "''" : shown(error.path ?? error.message);
  return `${place}: ${systemReason(error)}`;
}

/** Commander writes `error: …` and its suggestion on two lines. */
function describeUsage(error: CommanderError): string {
  const [what, ...rest] = error.message.replace(/^error: /, '').split('\n');
  const suggestion = rest.map((line) => ` ${line.trim().replace(/^\(D/, '(d')}`).join('');
  return `${what}${suggestion}`;
}

function describe(error: unknown): Failure {
  if (error instanceof ScenarioError) return { lines: error.problems.map(describeProblem), exitCode: EXIT.badInput };
  if (error instanceof CommanderError) return { lines: [describeUsage(error)], exitCode: EXIT.badInput };
  if (BAD_INPUT.some((Class) => error instanceof Class)) {
    return { lines: [(error as Error).message], exitCode: EXIT.badInput };
  }
  if (FAILURES.some((Class) => error instanceof Class)) {
    return { lines: [(error as Error).message], exitCode: EXIT.failed };
  }
  if (isSystemError(error)) return { lines: [describeSystemError(error)], exitCode: EXIT.badInput };
  const message = error instanceof Error ? error.message : String(error);
  return { lines: [`${message.trim()} (a defect of this program; --verbose shows where)`], exitCode: EXIT.failed };
}

/** @returns each line on one line indeed, with nothing left in it that a terminal would obey */
export function describeFailure(error: unknown): Failure {
  const { lines, exitCode } = describe(error);
  return { lines: lines.map(legibleLine), exitCode };
}
