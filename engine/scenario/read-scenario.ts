/**
 * From the text of a scenario file to a scenario with every default filled in, or to a ScenarioError that reports every problem
 * on one line: file, line and column, path inside the file, what was found, what is allowed and what may have been meant.
 */
import { describeValue, listWords, scenarioError, quote } from '../settings/index.ts';
import type { Locate, Problem, Path } from '../settings/index.ts';
import { checkScenario } from './check-scenario.ts';
import { decodeText, parseJsonText, unsafeValues, type JsonText } from './json-text.ts';
import { hasManyEntries, overlongLists, problemsOf } from './schema-problems.ts';
import { parseSettings, SCENARIO_VERSION, isRecord, type Scenario } from './schema.ts';
import { warningsOf } from './warnings.ts';

/** Length of 3D-Var's covariance where a file of version 1 said nothing, metres. */
const FORMER_DEFAULT_LENGTH = 3;
/** What a file of version 1 without methods compared. */
const FORMER_METHODS: readonly unknown[] = [{ kind: 'free-run' }, { kind: '3dvar' }, { kind: 'letkf' }];
/** Significant digits of a converted length: a millionth of it changes nothing that is seen. */
const DIGITS = 6;

/** What methods' keys were called before version 3. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['localization', 'localisation'],
  ['normalized', 'normalised'],
]);

interface Migration {
  /** In the present version; the same value where it was in it already. */
  readonly raw: unknown;
  /** What was done, in one line; none if nothing was. */
  readonly notes: readonly string[];
  /** @returns where the file has what is at a path of `raw` */
  readonly writtenPath: (path: Path) => Path;
}

type Entries = Readonly<Record<string, unknown>>;

/** A file one version on, and what was done to it, in a few words each. */
interface Step {
  readonly raw: Entries;
  readonly done: readonly string[];
}

/** The entry of that name, never one that the object inherits. */
function own(object: Entries, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** @returns L for the filter's σ; the schema reports what is no length */
function correlationLength(sigma: unknown): unknown {
  if (sigma === undefined) return correlationLength(FORMER_DEFAULT_LENGTH);
  if (typeof sigma !== 'number' || !(sigma > 0)) return sigma;
  return Number((sigma * Math.SQRT2).toPrecision(DIGITS));
}

function withCorrelationLength(method: unknown): unknown {
  if (!isRecord(method) || own(method, 'kind') !== '3dvar') return method;
  const covariance = Object.hasOwn(method, 'covariance') ? method['covariance'] : { kind: 'recursive-filter' };
  if (!isRecord(covariance)) return method;
  return { ...method, covariance: { ...covariance, length: correlationLength(own(covariance, 'length')) } };
}

function toVersion2({ expected, methods = FORMER_METHODS, ...rest }: Entries): Step {
  const raw = { ...rest, version: 2, methods: Array.isArray(methods) ? methods.map(withCorrelationLength) : methods };
  const isConverted = JSON.stringify(raw.methods) !== JSON.stringify(methods);
  const done = [
    ...(isConverted
      ? ['each covariance.length is √2 times the number in the file, the L of exp(−r²/2L²) instead of the filter’s σ']
      : []),
    ...(expected === undefined ? [] : ['its expected results are omitted']),
  ];
  return { raw, done };
}

/** The same entries in their order, each key as it is called now; one that is there by its new name already is left. */
function renamedKeys(entries: Entries, newName: (key: string) => string): Entries {
  return Object.fromEntries(
    Object.entries(entries).map(([key, value]) => [Object.hasOwn(entries, newName(key)) ? key : newName(key), value]),
  );
}

/** A value of a method, with the keys of all objects in it as they are called now. */
function renamedInside(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamedInside);
  if (!isRecord(value)) return value;
  const renamed = renamedKeys(value, (key) => RENAMED.get(key) ?? key);
  return Object.fromEntries(Object.entries(renamed).map(([key, inside]) => [key, renamedInside(inside)]));
}

/** A path inside a method as text, such as `localization.halfWidth`. */
function renamedPath(text: string): string {
  return text.replaceAll(/[$\w]+/g, (key) => RENAMED.get(key) ?? key);
}

function withRenamedSetting(intervention: unknown): unknown {
  if (!isRecord(intervention)) return intervention;
  const path = own(intervention, 'path');
  if (typeof path !== 'string' || !path.startsWith('methods[')) return intervention;
  const value = Object.hasOwn(intervention, 'value') && { value: renamedInside(intervention['value']) };
  return { ...intervention, path: renamedPath(path), ...value };
}

function withRenamedParameters(scan: unknown): unknown {
  if (!isRecord(scan) || !isRecord(own(scan, 'parameters'))) return scan;
  return { ...scan, parameters: renamedKeys(own(scan, 'parameters') as Entries, renamedPath) };
}

/** The entry of that name where it is a list, each of its elements made another. */
function withEach(object: Entries, key: string, change: (element: unknown) => unknown): Entries {
  const list = own(object, key);
  return Array.isArray(list) ? { ...object, [key]: list.map(change) } : object;
}

function toVersion3(former: Entries): Step {
  const withMethods = withEach(former, 'methods', renamedInside);
  const withSettings = withEach(withMethods, 'interventions', withRenamedSetting);
  const expected = own(withSettings, 'expected');
  const raw = isRecord(expected)
    ? { ...withSettings, expected: withEach(expected, 'scans', withRenamedParameters) }
    : withSettings;
  const isRenamed = JSON.stringify(raw) !== JSON.stringify(former);
  const names = [...RENAMED].map(([before, now]) => `${quote(before)} is ${quote(now)}`);
  return { raw: { ...raw, version: 3 }, done: isRenamed ? [`of its methods’ keys ${listWords(names, 'and')}`] : [] };
}

/** What makes a file of a version one of the next. */
const STEPS: ReadonlyMap<unknown, (raw: Entries) => Step> = new Map([
  [1, toVersion2],
  [2, toVersion3],
]);

/** Versions that are converted. */
const FORMER_VERSIONS: readonly unknown[] = [...STEPS.keys()];

/** Where a value of the present version is in the former file: as far as its own keys lead. */
function pathIn(former: unknown, path: Path): Path {
  const formerName = new Map([...RENAMED].map(([before, now]) => [now, before]));
  let value = former;
  return path.map((key) => {
    const before = formerName.get(String(key));
    const written = before !== undefined && isRecord(value) && !Object.hasOwn(value, key) ? before : key;
    value = typeof value === 'object' && value !== null ? Reflect.get(value, written) : undefined;
    return written;
  });
}

/**
 * Scenario files of earlier versions, made into the present one when they are read, a version at a time.
 *
 * From 1 to 2: the length of 3D-Var's covariance was the standard deviation σ of its filter, so that errors were correlated as
 * exp(−r²/4σ²); since version 2 every length is L of exp(−r²/2L²), hence L = √2 σ. Version 1 kept its expected results as one
 * number a measure, without range, seeds or the scan behind them: they are omitted.
 *
 * From 2 to 3: keys of methods are spelled the British way, as all else is, also where paths name them: in what is changed
 * while a run continues, and in the scans behind the expected results. No value changes.
 *
 * @param written an object, of any version; it is not changed
 */
function migrateScenario(written: Entries): Migration {
  const version = own(written, 'version');
  let raw = written;
  const done: string[] = [];
  for (let step = STEPS.get(version); step; step = STEPS.get(own(raw, 'version'))) {
    const taken = step(raw);
    raw = taken.raw;
    done.push(...taken.done);
  }
  if (raw === written) return { raw, notes: [], writtenPath: (path) => path };
  const what = done.length === 0 ? 'nothing else changes' : done.join('; ');
  return {
    raw,
    notes: [`version: ${String(version)} was read as version ${SCENARIO_VERSION}: ${what}`],
    writtenPath: (path) => pathIn(written, path),
  };
}

/**
 * A scenario that a run was begun with, with all of its defaults, in the present form: only names differ from those of version
 * 2, so that the run is the same and can continue. Of any other version it is left as it is, for its reader to judge.
 */
export function restateScenario(stored: unknown): unknown {
  return isRecord(stored) && own(stored, 'version') === 2 ? toVersion3(stored).raw : stored;
}

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

/** Reads step by step: whoever asks for the next step may do something else before. */
type Steps = Generator<undefined, ParsedScenario>;

function finish(steps: Steps): ParsedScenario {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

function* reading(written: string | Uint8Array, file: string): Steps {
  const text = typeof written === 'string' ? written : decodeText(written, file);
  const { value, locate, sourceOf } = parseJsonText(text, file);
  yield;
  return yield* validating(value, file, locate, sourceOf);
}

/**
 * @param written the file's text, or its bytes
 * @param file what to call the file in an error
 * @throws ScenarioError with every problem that was found; never another error, whatever the bytes
 */
export function parseScenario(written: string | Uint8Array, file: string): ParsedScenario {
  return finish(reading(written, file));
}

/**
 * The same in a few steps, for a thread that has others to serve.
 * @param pause what is waited for between two steps
 * @throws ScenarioError as `parseScenario` does
 */
export async function parseScenarioInSteps(
  written: string | Uint8Array,
  file: string,
  pause: () => Promise<void>,
): Promise<ParsedScenario> {
  const steps = reading(written, file);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await pause();
  }
}

/**
 * The same for a value that was not read from a text, as after `setPath` or from a settings panel.
 * @param file what to call its origin in an error
 */
export function validateScenario(raw: unknown, file: string): ParsedScenario {
  return finish(validating(raw, file));
}

function* validating(written: unknown, file: string, locate?: Locate, sourceOf?: JsonText['sourceOf']): Steps {
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
  yield;
  const { data: scenario, error } = parseSettings(raw);
  if (!scenario) {
    stopAt(overlongLists(raw));
    throw scenarioError(
      problemsOf(error.issues, raw, (path) => sourceOf?.(writtenPath(path))),
      file,
      place,
    );
  }
  yield;
  stopAt(checkScenario(scenario));
  yield;
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
