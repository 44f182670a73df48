/** What a value has against the scenario's schema, in the file's own words instead of the validator's. */
import type { z } from 'zod';
import { describeValue, formatPath, listWords, quote, suggestion, type Path, type Problem } from '../settings/index.ts';
import {
  describeAllowed,
  entryOf,
  keysOf,
  kindsOf,
  scenarioJsonSchema,
  schemaAt,
  valueAt,
  variantOf,
} from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';

/** Unknown keys of one object that are reported one by one. */
const MAXIMUM_UNKNOWN = 20;
/** Characters of a number that are shown as they were written. */
const LONGEST_NUMBER = 32;

/** The text of a value as the file has it. */
type SourceOf = (path: Path) => string | undefined;

/**
 * @param sourceOf if there is a text: a number is quoted as it was written there, with all of its digits
 * @param whole the file's schema; the scenario's if omitted
 * @returns a problem for each issue that zod has with the file's value
 */
export function problemsOf(
  issues: readonly z.core.$ZodIssue[],
  root: unknown,
  sourceOf: SourceOf = () => undefined,
  whole: JsonSchema = scenarioJsonSchema(),
): Problem[] {
  const told = new Set<string>();
  return issues.flatMap((issue) => {
    const path = issue.path.map((key) => (typeof key === 'symbol' ? String(key) : key));
    if (issue.code === 'unrecognized_keys') return unknownKeys(path, issue.keys, root, whole);
    if (issue.code === 'custom') return describeIssue(issue, path, root, sourceOf, whole);
    // What breaks two rules of one setting is reported once, with all that is allowed.
    const place = formatPath(path);
    if (told.has(place)) return [];
    told.add(place);
    return describeIssue(issue, path, root, sourceOf, whole);
  });
}

function describeIssue(
  issue: z.core.$ZodIssue,
  path: Path,
  root: unknown,
  sourceOf: SourceOf,
  whole: JsonSchema,
): Problem[] {
  const found = valueAt(root, path);
  if (issue.code === 'custom') return [{ path, message: `found ${describeValue(found)}: ${issue.message}` }];
  const schema = schemaAt(root, path, whole);
  const form = issue.code === 'invalid_format' ? `: ${issue.message}` : '';
  const allowed = schema === undefined ? issue.message : describeAllowed(schema) + form;
  if (found === undefined) return [{ path, message: `missing, allowed: ${allowed}` }];
  const written = typeof found === 'number' ? sourceOf(path) : undefined;
  const shown = written !== undefined && written.length <= LONGEST_NUMBER ? written : describeValue(found);
  return [{ path, message: `found ${shown}, allowed: ${allowed}${suggestWord(found, schema)}` }];
}

function suggestWord(found: unknown, schema: JsonSchema | undefined): string {
  if (schema === undefined) return '';
  const words = (schema.enum ?? schema.anyOf?.map((variant) => variant.const) ?? []).filter(
    (word) => typeof word === 'string',
  );
  return suggestion(found, words.length > 0 ? words : kindsOf(schema));
}

function unknownKeys(path: Path, keys: readonly string[], root: unknown, whole: JsonSchema): Problem[] {
  const schema = schemaAt(root, path, whole);
  const known = keysOf(schema === undefined ? undefined : variantOf(schema, valueAt(root, path)));
  const problems = keys
    .slice(0, MAXIMUM_UNKNOWN)
    .map((key) => ({ path: [...path, key], atKey: true, message: unknownKey(key, known) }));
  const more = keys.length - problems.length;
  return more > 0 ? [...problems, { path, message: `${more} more unknown keys`, atKey: false }] : problems;
}

/** @returns that a key is unknown, with the nearest one that is known, or all of them */
export function unknownKey(key: string, known: readonly string[]): string {
  const near = suggestion(key, known);
  return `unknown key ${quote(key)}${near === '' ? `, allowed: ${listWords(known, 'and')}` : near}`;
}

/** Entries of a list or a table up to which it is not long to look at each. */
const FEW_ENTRIES = 256;

/** @returns whether a value is or has a list or a table of many entries, which are not to be looked at before `overlongLists` has */
export function hasManyEntries(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const entries: unknown[] = Object.values(value);
  return entries.length > FEW_ENTRIES || entries.some(hasManyEntries);
}

/**
 * Finds lists and tables that are longer than the schema allows, whatever their entries are, so that a file within the size limit is
 * refused in bounded time.
 */
export function overlongLists(root: unknown): Problem[] {
  const problems: Problem[] = [];
  const visit = (value: unknown, schema: JsonSchema, path: Path): void => {
    if (typeof value !== 'object' || value === null) return;
    const keys = Array.isArray(value) ? value.length : Object.keys(value).length;
    const most = Array.isArray(value) ? (schema.maxItems ?? schema.prefixItems?.length) : schema.maxProperties;
    if (most !== undefined && keys > most) {
      problems.push({ path, message: `found ${keys} entries, allowed: ${describeAllowed(schema)}` });
      return;
    }
    for (const [key, entry] of Object.entries(value)) {
      const index = Array.isArray(value) ? Number(key) : key;
      const inside = entryOf(schema, value, index);
      if (inside !== undefined) visit(entry, inside, [...path, index]);
    }
  };
  visit(root, scenarioJsonSchema(), []);
  return problems;
}
