/**
 * Scenarios of programs, as files write them, with methods of one's own beside those of Shoal; and what a program hands to this
 * library, checked where it comes in: each message has what was found and what is allowed.
 */
import {
  addedMethod,
  checkScenario,
  parseScenario,
  problemsIn,
  ScenarioError,
  scenarioError,
  validateScenario,
  withoutComments,
  type Scenario,
  type ScenarioInput,
  describeValue,
  listWords,
  suggestion,
} from '../../engine/index.ts';

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

/** A method of the scenario: one of Shoal's, or one that was added, with its own settings. */
export type MethodEntry =
  | NonNullable<ScenarioInput['methods']>[number]
  | { readonly kind: string; readonly label?: string; readonly [setting: string]: unknown };

/** A scenario as a file writes it, defaults omitted, with methods of one's own among the others. */
export type OwnScenario = Omit<ScenarioInput, 'methods'> & { readonly methods?: readonly MethodEntry[] };

/** @returns whether it is a method that was added */
function isAdded(method: unknown): method is { readonly kind: string } {
  const { kind } = (method ?? {}) as { readonly kind?: unknown };
  return typeof kind === 'string' && addedMethod(kind) !== undefined;
}

function methodsOf(written: unknown): readonly unknown[] {
  const { methods } = (written ?? {}) as { readonly methods?: unknown };
  return Array.isArray(methods) ? methods : [];
}

/** @returns undefined for a text that is no JSON, which `parseScenario` has words for */
function valueOf(text: string): OwnScenario | undefined {
  try {
    return JSON.parse(withoutComments(text)) as OwnScenario;
  } catch {
    return undefined;
  }
}

/** The settings of a method that was added, its defaults filled in. @throws ScenarioError with each problem */
function ownSettings(method: { readonly kind: string }, index: number, name: string): Scenario['methods'][number] {
  const definition = addedMethod(method.kind);
  const { data, error } = definition?.schema.safeParse(method) ?? {};
  if (data) return { ...data, label: data.label ?? method.kind };
  const problems = (error?.issues ?? []).map(({ path, message }) => ({
    path: ['methods', index, ...path.map((part) => (typeof part === 'symbol' ? String(part) : part))],
    message,
  }));
  throw scenarioError(problems, name);
}

/**
 * Judges a scenario with some of its methods alone.
 *
 * @param places of these among all of them
 * @throws ScenarioError whose problems are where they are among all
 */
function judgeOthers(
  raw: OwnScenario | undefined,
  methods: readonly unknown[],
  places: readonly number[],
  name: string,
) {
  try {
    return validateScenario({ ...raw, methods }, name).scenario;
  } catch (error) {
    const problems = problemsIn(error).map((problem) => {
      const [section, index, ...rest] = problem.path;
      const place = section === 'methods' && typeof index === 'number' ? places[index] : undefined;
      return place === undefined ? problem : { ...problem, path: ['methods', place, ...rest] };
    });
    throw new ScenarioError(problems);
  }
}

/**
 * Reads a scenario: checks it whole, and fills in the defaults. Kinds that `registerMethod` was given are known in `methods`.
 *
 * @param written the text of a scenario file, or its value
 * @param name what to call it in an error
 * @throws ScenarioError with every problem that was found: where it is, what was found and what is allowed
 */
export function readScenario(written: string | OwnScenario, name = 'scenario'): Scenario {
  assertArgument('readScenario: name', name, text);
  const raw = typeof written === 'string' ? valueOf(written) : written;
  const methods = methodsOf(raw);
  if (!methods.some(isAdded)) {
    // A text is judged with its lines and columns.
    return (typeof written === 'string' ? parseScenario(written, name) : validateScenario(written, name)).scenario;
  }
  const places = methods.flatMap((method, index) => (isAdded(method) ? [] : [index]));
  const others = places.map((place) => methods[place]);
  // A scenario has at least one method; this one is a placeholder if others are checked on their own.
  const judged = others.length > 0 ? others : [{ kind: 'free-run' }];
  const scenario = judgeOthers(raw, judged, places, name);
  const known = scenario.methods.values();
  const whole = {
    ...scenario,
    methods: methods.map((method, index) =>
      isAdded(method) ? ownSettings(method, index, name) : (known.next().value as Scenario['methods'][number]),
    ),
  };
  const problems = checkScenario(whole);
  if (problems.length > 0) throw scenarioError(problems, name);
  return whole;
}
