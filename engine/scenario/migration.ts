/**
 * Scenario files of earlier versions, made into the present one when they are read, a version at a time.
 *
 * From 1 to 2: the length of 3D-Var's covariance was the standard deviation σ of its filter, so that errors were correlated as
 * exp(−r²/4σ²); since version 2 every length is L of exp(−r²/2L²), hence L = √2 σ. Version 1 kept its expected results as one
 * number a measure, without range, seeds or the scan behind them: they are omitted.
 *
 * From 2 to 3: keys of methods are spelled the British way, as all else is, also where paths name them: in what is changed
 * while a run continues, and in the scans behind the expected results. No value changes.
 */
import { listWords, quote, type Path } from '../settings/index.ts';
import { isRecord, SCENARIO_VERSION } from './schema.ts';

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

export interface Migration {
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
export const FORMER_VERSIONS: readonly unknown[] = [...STEPS.keys()];

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

/** @param written an object, of any version; it is not changed */
export function migrateScenario(written: Entries): Migration {
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
