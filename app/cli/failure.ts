/** Turns whatever was thrown into readable lines and an exit code: the one place where errors become words. */
import { CommanderError } from 'commander';
import {
  BackendError,
  CaseError,
  DeviceLostError,
  DivergenceError,
  LimitError,
  ScenarioError,
} from '../../engine/index.ts';
import { EXIT } from './context.ts';
import type { ExitCode } from './context.ts';

/** Bad usage that a command finds by itself; the message is one line and gives the next step. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
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
export function describeSystemError(error: SystemError): string {
  const place = error.path === '' ? "''" : (error.path ?? error.message);
  return `${place}: ${systemReason(error)}`;
}

/** Commander writes `error: …` and its suggestion on two lines. */
function describeUsage(error: CommanderError): string {
  const [what, ...rest] = error.message.replace(/^error: /, '').split('\n');
  const suggestion = rest.map((line) => ` ${line.trim().replace(/^\(D/, '(d')}`).join('');
  return `${what}${suggestion}`;
}

/** @returns the text on one line */
function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, ' ');
}

export function describeFailure(error: unknown): Failure {
  if (error instanceof ScenarioError) return { lines: error.problems, exitCode: EXIT.badInput };
  if (error instanceof CommanderError) return { lines: [describeUsage(error)], exitCode: EXIT.badInput };
  if (error instanceof UsageError || error instanceof CaseError || error instanceof LimitError) {
    return { lines: [oneLine(error.message)], exitCode: EXIT.badInput };
  }
  if (error instanceof BackendError || error instanceof DeviceLostError || error instanceof DivergenceError) {
    return { lines: [oneLine(error.message)], exitCode: EXIT.failed };
  }
  if (isSystemError(error)) return { lines: [describeSystemError(error)], exitCode: EXIT.badInput };
  const message = error instanceof Error ? error.message : String(error);
  return { lines: [`${oneLine(message)} (a defect of this program; --verbose shows where)`], exitCode: EXIT.failed };
}
