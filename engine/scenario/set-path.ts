/** One value of a scenario changed by its path, as `--set methods[2].inflation=1.1` and the settings panel do. */
import { ScenarioError } from '../errors.ts';
import { formatPath, parsePath, quote, scenarioError, type Path, type Problem } from '../settings/index.ts';
import { describeAllowed, entryOf, keysOf, kindsOf, scenarioJsonSchema, valueAt, variantOf } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { FORBIDDEN_KEYS, unsafeValues } from './json-text.ts';
import { overlongLists, problemsOf, unknownKey } from './schema-problems.ts';
import { parseSettings } from './schema.ts';

/**
 * @param raw a scenario as its file has it; it is not changed
 * @param path for example `grid.nx` or `methods[2].inflation`; `methods[3]` appends if there are three
 * @param value a text is read as JSON where the setting is not a text itself: `64`, `[4, 4]`, `{"kind": "rest"}`, `auto`
 * @param origin what to call the origin of the change in an error
 * @returns a changed copy; sections that the file omits are added. Checks across fields are left to `validateScenario`
 * @throws ScenarioError naming the path, what was found, what is allowed and the nearest known name
 */
export function setPath(raw: unknown, path: string, value: unknown, origin = '--set'): unknown {
  const changed = assignPath(raw, path, value, origin);
  const problems = valueProblems(changed, keysOfPath(path, origin), value);
  if (problems.length > 0) throw scenarioError(problems, origin);
  return changed;
}

/**
 * The same without a look at the value: for whoever validates the whole afterwards, as `validateScenario` does.
 *
 * @throws ScenarioError for a path that leads nowhere
 */
export function assignPath(raw: unknown, path: string, value: unknown, origin: string): unknown {
  const keys = keysOfPath(path, origin);
  const changed = { root: structuredClone(raw) };
  let parent: unknown = changed.root;
  let schema: JsonSchema = scenarioJsonSchema();
  keys.forEach((key, depth) => {
    const inside = keys.slice(0, depth + 1);
    const found = entryOf(schema, parent, key);
    if (found === undefined || typeof parent !== 'object' || parent === null)
      throw scenarioError([noEntry(schema, parent, inside)], origin);
    if (Array.isArray(parent) && typeof key === 'number' && key > parent.length)
      throw scenarioError([beyondList(parent, inside)], origin);
    if (depth === keys.length - 1) assign(parent, key, interpret(value, found));
    else if (!Object.hasOwn(parent, key)) assign(parent, key, emptyOf(found));
    parent = valueAt(parent, [key]);
    schema = found;
  });
  return changed.root;
}

/**
 * The same in a scenario that has every default filled in, so that nearly every setting is there: the JSON Schema, which takes long to
 * make, is looked at only for the others, and for texts, of which it says whether they are JSON.
 *
 * @throws ScenarioError for a path that leads nowhere
 */
export function assignInWhole(whole: unknown, path: string, value: unknown, origin: string): unknown {
  const keys = keysOfPath(path, origin);
  const changed: unknown = structuredClone(whole);
  const parent = valueAt(changed, keys.slice(0, -1));
  const last = keys[keys.length - 1];
  const isThere =
    typeof parent === 'object' &&
    parent !== null &&
    Array.isArray(parent) === (typeof last === 'number') &&
    Object.hasOwn(parent, last);
  if (!isThere || typeof value === 'string') return assignPath(whole, path, value, origin);
  assign(parent, last, value);
  return changed;
}

/** @throws ScenarioError for what is not a path */
function keysOfPath(path: string, origin: string): Path {
  const keys = parsePath(path);
  if (keys === undefined) {
    const message = 'not a path; write for example grid.nx or methods[2].inflation';
    throw new ScenarioError([{ file: `${origin} ${quote(path)}`, path: [], message }]);
  }
  if (keys.length === 0)
    throw new ScenarioError([{ file: origin, path: [], message: 'the path is empty; write for example grid.nx' }]);
  const forbidden = keys.find((key) => FORBIDDEN_KEYS.has(String(key)));
  if (forbidden !== undefined) {
    throw scenarioError(
      [{ path: keys, message: `the key ${quote(String(forbidden))} is not allowed in a scenario` }],
      origin,
    );
  }
  return keys;
}

function assign(parent: object, key: string | number, value: unknown): void {
  Reflect.set(parent, key, value);
}

/** What a section that the file omits starts from. */
function emptyOf(schema: JsonSchema): unknown {
  return structuredClone(schema.default ?? (schema.type === 'array' ? [] : {}));
}

function interpret(value: unknown, schema: JsonSchema): unknown {
  if (typeof value !== 'string') return value;
  if (schema.type === 'string' && !value.startsWith('"')) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function noEntry(schema: JsonSchema, parent: unknown, path: Path): Problem {
  const key = path[path.length - 1];
  const around = formatPath(path.slice(0, -1));
  const variant = variantOf(schema, parent);
  let message: string;
  if (variant === undefined)
    message = `${around} has no kind yet; set ${around}.kind to one of ${kindsOf(schema).join(', ')} first`;
  else if (variant.type === 'array') message = `${around} is a list; write ${around}[0] for its first entry`;
  else if (variant.type === 'object' && typeof key === 'string') message = unknownKey(key, keysOf(variant));
  else
    message = `${around === '' ? 'the scenario' : around} is ${describeAllowed(variant)}, and has no ${formatPath([key])}`;
  return { path, message };
}

function beyondList(list: readonly unknown[], path: Path): Problem {
  const message = `found ${list.length} entries, allowed: an index from 0 to ${list.length}, the last one to append`;
  return { path, message };
}

/** Reports what the schema has against the value that was set; other problems of the file are not this call's. */
function valueProblems(root: unknown, keys: Path, value: unknown): Problem[] {
  const written = typeof value === 'string' ? value : undefined;
  const within = ({ path }: { readonly path: Path }): boolean => keys.every((key, depth) => path[depth] === key);
  const early = [...unsafeValues(root, () => written), ...overlongLists(root)].filter(within);
  if (early.length > 0) return early;
  const result = parseSettings(root);
  return result.success ? [] : problemsOf(result.error.issues, root).filter(within);
}
