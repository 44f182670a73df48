/** Errors as they cross between threads, which keep neither their class nor their fields. */
import {
  AllDivergedError,
  BackendError,
  CaseError,
  DeviceLostError,
  DivergenceError,
  FileLostError,
  LimitError,
  NotKeptError,
  QuestionError,
  RunLostError,
  ScenarioError,
  errorOf,
} from '../errors.ts';
import type { Divergence } from '../errors.ts';
import type { Problem } from '../problem.ts';

export interface PlainError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly divergence: Divergence | undefined;
  readonly problems: readonly Problem[] | undefined;
}

export function toPlainError(error: unknown): PlainError {
  const { name, message, stack } = errorOf(error);
  return {
    name,
    message,
    stack,
    divergence: error instanceof DivergenceError ? error.divergence : undefined,
    problems: error instanceof ScenarioError ? error.problems : undefined,
  };
}

const CLASSES: Readonly<Record<string, new (message: string) => Error>> = {
  AllDivergedError,
  BackendError,
  CaseError,
  DeviceLostError,
  FileLostError,
  LimitError,
  NotKeptError,
  QuestionError,
  RunLostError,
};

/** @returns an error of the class that it had, with the stack of where it was thrown */
export function fromPlainError({ name, message, stack, divergence, problems }: PlainError): Error {
  const revive = (): Error => {
    if (divergence) return Object.assign(new DivergenceError(divergence, ''), { message });
    if (problems) return new ScenarioError(problems);
    const Class = Object.hasOwn(CLASSES, name) ? CLASSES[name] : Error;
    return new Class(message);
  };
  return Object.assign(revive(), { stack });
}
