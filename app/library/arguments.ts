/** What a program hands to this library, checked where it comes in: each message has what was found and what is allowed. */
import { describeValue, listWords, suggestion } from '../../engine/index.ts';

/** An argument is not what it has to be. */
export class ArgumentError extends TypeError {
  override readonly name: string = 'ArgumentError';
}

/** What an argument may be. */
export interface Allowed {
  readonly allowed: string;
  readonly holds: (value: unknown) => boolean;
}

export const text: Allowed = { allowed: 'text', holds: (value) => typeof value === 'string' };
export const flag: Allowed = { allowed: 'true or false', holds: (value) => typeof value === 'boolean' };
export const finite: Allowed = { allowed: 'a finite number', holds: Number.isFinite };
export const callback: Allowed = { allowed: 'a function', holds: (value) => typeof value === 'function' };
export const record: Allowed = {
  allowed: 'an object',
  holds: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

export function wholeBetween(least: number, most: number): Allowed {
  return {
    allowed: `a whole number from ${least} to ${most}`,
    holds: (value) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most,
  };
}

export function oneOf(words: readonly string[]): Allowed {
  return { allowed: listWords(words.map(describeValue)), holds: (value) => words.some((word) => word === value) };
}

/** An object that has functions of those names. */
export function having(names: readonly string[], allowed: string): Allowed {
  return {
    allowed,
    holds: (value) =>
      typeof value === 'object' &&
      value !== null &&
      names.every((name) => typeof (value as Readonly<Record<string, unknown>>)[name] === 'function'),
  };
}

function found(value: unknown): string {
  return typeof value === 'function' ? 'a function' : describeValue(value);
}

/** @param where names the argument, `openBackend: threads`. @throws ArgumentError */
export function assertArgument(where: string, value: unknown, { allowed, holds }: Allowed): void {
  if (!holds(value)) throw new ArgumentError(`${where}: found ${found(value)}, allowed: ${allowed}`);
}

/**
 * Checks options by name: those that are not given are not checked, those that are not known are refused.
 *
 * @throws ArgumentError
 */
export function assertOptions(where: string, options: unknown, known: Readonly<Record<string, Allowed>>): void {
  assertArgument(where, options, { ...record, allowed: 'an object with options' });
  const names = Object.keys(known);
  for (const [name, value] of Object.entries(options as Readonly<Record<string, unknown>>)) {
    if (!Object.hasOwn(known, name)) {
      const hint = suggestion(name, names);
      throw new ArgumentError(`${where}: found the option ${describeValue(name)}, allowed: ${listWords(names)}${hint}`);
    }
    if (value !== undefined) assertArgument(`${where}: ${name}`, value, known[name]);
  }
}

/**
 * Checks an object of which some properties must be given; others than the known ones are refused.
 *
 * @throws ArgumentError
 */
export function assertProperties(
  where: string,
  value: unknown,
  required: Readonly<Record<string, Allowed>>,
  optional: Readonly<Record<string, Allowed>>,
): void {
  assertOptions(where, value, { ...required, ...optional });
  for (const [name, allowed] of Object.entries(required)) {
    assertArgument(`${where}: ${name}`, (value as Readonly<Record<string, unknown>>)[name], allowed);
  }
}
