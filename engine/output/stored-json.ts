/**
 * JSON of a run folder, which may have been cut off or changed by hand: read with every problem reported by file, place, what was
 * found and what is allowed.
 */
import { assertShallow, isRecord, MAXIMUM_SCENARIO_BYTES, parseJsonText, parseWrittenJson } from '../scenario/index.ts';
import { describeValue, scenarioError } from '../settings/index.ts';
import type { Problem } from '../settings/index.ts';

/** What a value may be. */
export interface Rule {
  readonly allowed: string;
  readonly holds: (value: unknown) => boolean;
  /** The value may be omitted. */
  readonly optional?: boolean;
}

/** What the keys of an object may be; keys beyond them are passed over. */
export type Rules = Readonly<Record<string, Rule>>;

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

export const text: Rule = { allowed: 'text', holds: (value) => typeof value === 'string' };
export const list: Rule = { allowed: 'a list', holds: Array.isArray };
export const object: Rule = { allowed: 'an object', holds: isRecord };
/** A time, an amount: 0 or more. */
export const amount: Rule = { allowed: 'a number of at least 0', holds: (value) => isNumber(value) && value >= 0 };
export const positive: Rule = { allowed: 'a number above 0', holds: (value) => isNumber(value) && value > 0 };

export function wholeFrom(least: number): Rule {
  return {
    allowed: `a whole number of at least ${least}`,
    holds: (value) => Number.isSafeInteger(value) && Number(value) >= least,
  };
}

export function oneOf(words: readonly (string | number)[]): Rule {
  const allowed = words.map((word) => JSON.stringify(word)).join(' or ');
  return { allowed, holds: (value) => words.some((word) => word === value) };
}

export function optional(rule: Rule): Rule {
  return { ...rule, optional: true };
}

export function orNull({ allowed, holds }: Rule): Rule {
  return { allowed: `${allowed} or null`, holds: (value) => value === null || holds(value) };
}

/** @returns what is wrong with a list whose entries are all of one kind */
export function problemsInList(values: readonly unknown[], rule: Rule, path: Problem['path']): Problem[] {
  return values.flatMap((value, index) =>
    rule.holds(value)
      ? []
      : [{ path: [...path, index], message: `found ${describeValue(value)}, allowed: ${rule.allowed}` }],
  );
}

/** @returns what is wrong with an object, key by key */
export function problemsWith(value: unknown, rules: Rules, path: Problem['path'] = []): Problem[] {
  if (!object.holds(value)) return [{ path, message: `found ${describeValue(value)}, allowed: ${object.allowed}` }];
  const entries = new Map<string, unknown>(Object.entries(value as object));
  return Object.entries(rules).flatMap(([key, rule]) => {
    const found = entries.get(key);
    if ((found === undefined && rule.optional) || rule.holds(found)) return [];
    return [{ path: [...path, key], message: `found ${describeValue(found)}, allowed: ${rule.allowed}` }];
  });
}

/**
 * @param check says what is wrong with the value
 * @throws ScenarioError naming file, line and column
 */
export function parseStored(written: string, file: string, check: (value: unknown) => readonly Problem[]): unknown {
  const value = parseWrittenJson(written, file);
  const problems = check(value);
  if (problems.length === 0) return value;
  // Parsed again for the places, as far as that is read.
  const isShort = written.length <= MAXIMUM_SCENARIO_BYTES;
  throw scenarioError(problems, file, isShort ? parseJsonText(written, file).locate : undefined);
}

/**
 * Reads a line of JSON.
 *
 * @param number of the line, from 1
 * @throws ScenarioError naming file, line and key
 */
export function parseStoredLine(
  line: string,
  file: string,
  number: number,
  check: (value: unknown) => readonly Problem[],
): unknown {
  const refuse = (problems: readonly Problem[]): never => {
    throw scenarioError(
      problems.map((problem) => ({ ...problem, line: number })),
      file,
    );
  };
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    const message = `found ${describeValue(line)}, allowed: one JSON object a line`;
    return refuse([{ path: [], message }]);
  }
  assertShallow(line, file);
  const problems = check(value);
  if (problems.length > 0) refuse(problems);
  return value;
}
