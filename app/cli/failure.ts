/** Turns whatever was thrown into readable lines and an exit code: the one place where errors become words. */
import { CommanderError } from 'commander';
import {
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
import { WriteError } from '../files/disk.ts';
import { EXIT, type ExitCode } from './context.ts';
import { FileError } from '../files/regular-file.ts';

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

export interface Failure {
  readonly lines: readonly string[];
  readonly exitCode: ExitCode;
}

export interface SystemError extends Error {
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
