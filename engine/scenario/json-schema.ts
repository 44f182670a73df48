/** The scenario's JSON Schema, as `shoal schema` prints it, and the walk from it to what is allowed at a path of the file. */
import { z } from 'zod';
import { listWords, withCells, type CellSizes, type Path, type TakesEffect } from '../settings/index.ts';
import { scenarioSchema } from './schema.ts';

/** The part of JSON Schema that the scenario uses. */
export interface JsonSchema {
  readonly $schema?: string;
  readonly title?: string;
  readonly description?: string;
  /** Unit of the value, beside JSON Schema's own words. */
  readonly unit?: string;
  /** When a change takes effect in a run that continues; as of what the value is inside of if omitted. */
  readonly takesEffect?: TakesEffect;
  readonly default?: unknown;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly examples?: readonly string[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly prefixItems?: readonly JsonSchema[];
  readonly items?: JsonSchema | boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly maxProperties?: number;
  readonly anyOf?: readonly JsonSchema[];
  /** Variants distinguished by their `kind`. */
  readonly oneOf?: readonly JsonSchema[];
}

const CELLS_OF_A_METRE: CellSizes = { size: 1, shortest: Infinity };

let standard: JsonSchema | undefined;
/** Schema of the latest other cells. */
let latest: { readonly cells: CellSizes; readonly schema: JsonSchema } | undefined;

function schemaOf(cells: CellSizes): JsonSchema {
  return withCells(cells, () => z.toJSONSchema(scenarioSchema, { io: 'input' })) as JsonSchema;
}

/**
 * @param cells of the grid, which defaults of lengths are multiples of; of 1 m if absent
 * @returns the JSON Schema (draft 2020-12) of a scenario file, with title, description, unit, range and default of every field
 */
export function scenarioJsonSchema(cells?: CellSizes): JsonSchema {
  if (!cells) return (standard ??= schemaOf(CELLS_OF_A_METRE));
  if (latest?.cells.size !== cells.size || latest.cells.shortest !== cells.shortest) {
    latest = { cells, schema: schemaOf(cells) };
  }
  return latest.schema;
}

/** @returns the kinds of a setting that has variants, or an empty list */
export function kindsOf({ oneOf = [] }: JsonSchema): string[] {
  return oneOf.map((variant) => String(variant.properties?.['kind']?.const));
}

/** @returns the variant that a value has chosen by its `kind`, or the one that needs none; the schema itself where it has no variants */
export function variantOf(schema: JsonSchema, value: unknown): JsonSchema | undefined {
  if (schema.oneOf === undefined) return schema;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'kind')) {
    return schema.oneOf.find(({ required = [] }) => !required.includes('kind'));
  }
  const kind: unknown = Reflect.get(value, 'kind');
  return schema.oneOf.find((variant) => variant.properties?.['kind']?.const === kind);
}

/** @returns the schema of one entry of an object or a list, or undefined if there is no such entry */
export function entryOf(schema: JsonSchema, value: unknown, key: string | number): JsonSchema | undefined {
  if (key === 'kind' && schema.oneOf !== undefined) return { type: 'string', enum: kindsOf(schema) };
  const variant = variantOf(schema, value);
  if (variant === undefined) return undefined;
  if (typeof key === 'number') {
    return variant.prefixItems?.[key] ?? (typeof variant.items === 'object' ? variant.items : undefined);
  }
  if (variant.properties !== undefined && Object.hasOwn(variant.properties, key)) return variant.properties[key];
  return typeof variant.additionalProperties === 'object' ? variant.additionalProperties : undefined;
}

/**
 * @param whole of the file; the scenario's if omitted
 * @returns the schema of the value at a path of a file, or undefined if nothing may be there
 */
export function schemaAt(root: unknown, path: Path, whole = scenarioJsonSchema()): JsonSchema | undefined {
  let schema: JsonSchema | undefined = whole;
  let value = root;
  for (const key of path) {
    schema = entryOf(schema, value, key);
    if (schema === undefined) return undefined;
    value = valueAt(value, [key]);
  }
  return schema;
}

/** @returns the value at a path, or undefined */
export function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

/** @returns the keys that an object described by this schema may have */
export function keysOf(schema: JsonSchema | undefined): string[] {
  return Object.keys(schema?.properties ?? {});
}

/** @returns what is allowed, in a few words: `a whole number from 4 to 8192 (cells)` */
export function describeAllowed(schema: JsonSchema): string {
  if (schema.anyOf !== undefined) return listWords(schema.anyOf.map(describeAllowed)) + unit(schema);
  if (schema.oneOf !== undefined) return `an object with a kind: ${listWords(kindsOf(schema).map((k) => `"${k}"`))}`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return listWords(schema.enum.map((word) => JSON.stringify(word)));
  switch (schema.type) {
    case 'number':
      return `a number${range(schema)}${unit(schema)}`;
    case 'integer':
      return `a whole number${range(schema)}${unit(schema)}`;
    case 'string':
      return describeText(schema);
    case 'boolean':
      return 'true or false';
    case 'array':
      return describeList(schema);
    case undefined:
    default:
      return schema.maxProperties === undefined ? 'an object' : `an object of at most ${schema.maxProperties} keys`;
  }
}

function unit(schema: JsonSchema): string {
  return schema.unit === undefined ? '' : ` (${schema.unit})`;
}

function range({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }: JsonSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  const low =
    minimum !== undefined
      ? ` of at least ${minimum}`
      : exclusiveMinimum !== undefined
        ? ` above ${exclusiveMinimum}`
        : '';
  const high =
    maximum !== undefined ? ` at most ${maximum}` : exclusiveMaximum !== undefined ? ` below ${exclusiveMaximum}` : '';
  return low !== '' && high !== '' ? `${low} and${high}` : low + high;
}

function describeText({ minLength = 0, maxLength, pattern, examples }: JsonSchema): string {
  if (examples !== undefined)
    return `text of ${minLength} to ${maxLength} characters like ${listWords(examples.map((text) => `"${text}"`))}`;
  if (pattern !== undefined) return `text that matches ${pattern}`;
  if (maxLength === undefined) return 'text';
  return minLength > 0 ? `text of ${minLength} to ${maxLength} characters` : `text of at most ${maxLength} characters`;
}

/** Whether a schema has nothing to say of a value. */
function isAnything({ type, anyOf, oneOf, const: one, enum: words }: JsonSchema): boolean {
  return [type, anyOf, oneOf, one, words].every((rule) => rule === undefined);
}

function describeList(schema: JsonSchema): string {
  const { prefixItems, items, minItems = 0, maxItems } = schema;
  if (prefixItems !== undefined) {
    const [entry] = prefixItems;
    return `a list of ${prefixItems.length}, each ${describeAllowed(entry)}${unit(schema)}`;
  }
  const length = maxItems === undefined ? `at least ${minItems}` : `${minItems} to ${maxItems}`;
  const each =
    typeof items === 'object' && items.type !== 'object' && items.oneOf === undefined && !isAnything(items)
      ? `, each ${describeAllowed(items)}`
      : '';
  return `a list of ${length}${each}`;
}
