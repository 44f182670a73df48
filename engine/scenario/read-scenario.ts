/**
 * From the text of a scenario file to a scenario with every default filled in, or to a ScenarioError that reports every problem
 * on one line: file, line and column, path inside the file, what was found, what is allowed and what may have been meant.
 */
import { describeValue, listWords, scenarioError, type Locate, type Problem } from '../settings/index.ts';
import { checkScenario } from './check-scenario.ts';
import { FORMER_VERSIONS, migrateScenario } from './migration.ts';
import { decodeText, parseJsonText, unsafeValues, type JsonText } from './json-text.ts';
import { hasManyEntries, overlongLists, problemsOf } from './schema-problems.ts';
import { parseSettings, SCENARIO_VERSION, type Scenario } from './schema.ts';
import { warningsOf } from './warnings.ts';

/** Objects and lists that fit within this many characters are on one line. */
const LINE = 110;

/** Where editors find what a scenario file may say: `shoal schema` written beside it. */
export const SCHEMA_FILE = 'scenario.schema.json';

/**
 * @param from a scenario as its file has it
 * @param name lower-case words joined by hyphens
 * @returns the text of a new scenario file that starts from it, without its expected results, which are the old one's
 */
export function newScenarioText(from: object, name: string): string {
  const { $schema: _schema, version, name: _name, expected: _expected, ...rest } = from as Record<string, unknown>;
  return formatScenario({ $schema: `./${SCHEMA_FILE}`, version, name, ...rest });
}

/** @returns JSON with short objects and lists on one line, and a line end */
export function formatScenario(raw: object): string {
  return `${format(raw, '')}\n`;
}

function format(value: unknown, indent: string): string {
  const flat = oneLine(value);
  if (typeof value !== 'object' || value === null || (indent !== '' && indent.length + flat.length <= LINE))
    return flat;
  const inside = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((entry) => inside + format(entry, inside)).join(',\n')}\n${indent}]`;
  }
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  if (entries.length === 0) return '{}';
  return `{\n${entries.map(([key, entry]) => `${inside}${JSON.stringify(key)}: ${format(entry, inside)}`).join(',\n')}\n${indent}}`;
}

function oneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  if (entries.length === 0) return '{}';
  return `{ ${entries.map(([key, entry]) => `${JSON.stringify(key)}: ${oneLine(entry)}`).join(', ')} }`;
}

export interface ParsedScenario {
  /** With every default filled in. */
  readonly scenario: Scenario;
  /** As the file has it, in the present version: for `setPath` and for writing it back. */
  readonly raw: unknown;
  /** What was done to a file of an earlier version, one line each. */
  readonly notes: readonly string[];
  /** Settings that are without effect, or outside what a method assumes. */
  readonly warnings: readonly Problem[];
}

/**
 * @param written the file's text, or its bytes
 * @param file what to call the file in an error
 * @throws ScenarioError with every problem that was found; never another error, whatever the bytes
 */
export function parseScenario(written: string | Uint8Array, file: string): ParsedScenario {
  const text = typeof written === 'string' ? written : decodeText(written, file);
  const { value, locate, sourceOf } = parseJsonText(text, file);
  return validateAt(value, file, locate, sourceOf);
}

/**
 * The same for a value that was not read from a text, as after `setPath` or from a settings panel.
 * @param file what to call its origin in an error
 */
export function validateScenario(raw: unknown, file: string): ParsedScenario {
  return validateAt(raw, file);
}

function validateAt(written: unknown, file: string, locate?: Locate, sourceOf?: JsonText['sourceOf']): ParsedScenario {
  let place = locate;
  const stopAt = (problems: readonly Problem[]): void => {
    if (problems.length > 0) throw scenarioError(problems, file, place);
  };
  stopAt(notAnObject(written));
  stopAt(unsafeValues(written, sourceOf));
  stopAt(otherVersion(written));
  stopAt(laterThanItsVersion(written));
  const { raw, notes, writtenPath } = migrateScenario(written as Record<string, unknown>);
  place = locate && ((problem) => locate({ ...problem, path: writtenPath(problem.path) }));
  if (hasManyEntries(raw)) stopAt(overlongLists(raw));
  const { data: scenario, error } = parseSettings(raw);
  if (!scenario) {
    stopAt(overlongLists(raw));
    throw scenarioError(
      problemsOf(error.issues, raw, (path) => sourceOf?.(writtenPath(path))),
      file,
      place,
    );
  }
  stopAt(checkScenario(scenario));
  return { scenario, raw, notes, warnings: warningsOf(scenario) };
}

function notAnObject(raw: unknown): Problem[] {
  if (typeof raw === 'object' && raw !== null && !Array.isArray(raw)) return [];
  return [
    {
      path: [],
      message: `found ${describeValue(raw)}, allowed: an object: {"version": ${SCENARIO_VERSION}, "name": "…"}`,
    },
  ];
}

/** A file of another version gets this problem only: its other keys are not ours to judge. */
function otherVersion(raw: unknown): Problem[] {
  const version: unknown = Object.hasOwn(raw as object, 'version') ? Reflect.get(raw as object, 'version') : undefined;
  if (version === undefined || version === SCENARIO_VERSION || FORMER_VERSIONS.includes(version)) return [];
  const found = describeValue(version);
  const former = listWords(FORMER_VERSIONS.map(String));
  const message = `found ${found}, allowed: ${SCENARIO_VERSION}, or ${former}, which are converted; this program knows no other version of the file format`;
  return [{ path: ['version'], message }];
}

/** Interventions came with version 2: in a file of version 1 the lengths in their values would have no one meaning. */
function laterThanItsVersion(raw: unknown): Problem[] {
  const { version, interventions = [] } = raw as { readonly version?: unknown; readonly interventions?: unknown };
  const isEmpty = Array.isArray(interventions) && interventions.length === 0;
  if (version !== 1 || isEmpty) return [];
  const message = `found in a file of version 1, allowed since version 2, where every length is L of exp(−r²/2L²)`;
  return [{ path: ['interventions'], message, atKey: true }];
}
