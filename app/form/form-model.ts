/**
 * The form of a scenario, made from its JSON Schema and the draft: what can be set, what it is now, what it would be if
 * omitted, and what is wrong with it. Plain data; the components print it.
 */
import { isRecord, MODEL_KINDS, STATE_VARIABLES, type JsonSchema } from '../../engine/index.ts';
import type {
  FormNode,
  LeafNode,
  ListNode,
  NodeBase,
  NumberNode,
  NumberRange,
  Option,
  SectionNode,
} from './form-nodes.ts';
import type { Path } from '../format/paths.ts';

/** Keys that are no settings: the file's own affairs, the lesson, and the results that it is held to. */
const HIDDEN = new Set(['$schema', 'version', 'expected', 'interventions', 'branches', 'lesson']);
/** Longer texts are written on several lines. */
const LONG_TEXT = 1000;

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Variants distinguished by their `kind`. */
function variantsOf({ oneOf = [] }: JsonSchema): Option[] {
  return oneOf.map((variant) => {
    const value = String(variant.properties?.['kind']?.const);
    return { value, title: variant.title ?? value, help: variant.description ?? '' };
  });
}

function chosenVariant({ oneOf = [] }: JsonSchema, value: unknown): JsonSchema | undefined {
  const kind = isRecord(value) ? value['kind'] : undefined;
  return oneOf.find((variant) => variant.properties?.['kind']?.const === kind) ?? oneOf[0];
}

/** The value if the file has none: an object without a default is empty, and its fields' own defaults hold. */
function defaultOf(schema: JsonSchema): unknown {
  if (schema.default !== undefined) return schema.default;
  return schema.type === 'object' ? {} : undefined;
}

interface Place {
  readonly path: Path;
  readonly title: string;
  /** The draft's value, undefined where it says nothing. */
  readonly draft: unknown;
  /** The value of what runs, defaults filled in; undefined if nothing runs. */
  readonly running: unknown;
  readonly compared: boolean;
  /** Default of a field within a section whose own default sets it: `{ h: 0.05 }`. */
  readonly fallback?: unknown;
}

function baseOf(schema: JsonSchema, { path, title, draft, running, compared, fallback }: Place): NodeBase {
  const standard = fallback ?? defaultOf(schema);
  const value = draft === undefined ? standard : draft;
  return {
    path,
    title,
    help: schema.description ?? '',
    unit: schema.unit ?? '',
    value,
    fallback: standard,
    written: draft !== undefined,
    changed: compared && !same(value, running),
  };
}

const rangeOf = ({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }: JsonSchema): NumberRange => ({
  ...(minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER && { minimum }),
  ...(exclusiveMinimum !== undefined && { exclusiveMinimum }),
  ...(maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER && { maximum }),
  ...(exclusiveMaximum !== undefined && { exclusiveMaximum }),
});

const isNumber = ({ type }: JsonSchema): boolean => type === 'number' || type === 'integer';

function numberNode(schema: JsonSchema, place: Place, word?: string): NumberNode {
  const base = baseOf(schema, place);
  return { ...base, kind: 'number', integer: schema.type === 'integer', range: rangeOf(schema), word };
}

/** @returns the form of a value, or undefined where people have nothing to set */
function nodeOf(schema: JsonSchema, place: Place): FormNode | undefined {
  if (schema.oneOf !== undefined) return variantNode(schema, place);
  if (schema.anyOf !== undefined) return unionNode(schema, place);
  if (schema.const !== undefined) return undefined;
  if (schema.enum !== undefined) {
    const options = schema.enum.map((value) => ({ value: String(value), title: String(value), help: '' }));
    return { ...baseOf(schema, place), kind: 'choice', options };
  }
  switch (schema.type) {
    case 'number':
    case 'integer':
      return numberNode(schema, place);
    case 'boolean':
      return { ...baseOf(schema, place), kind: 'toggle' };
    case 'string': {
      const example = schema.examples?.[0] ?? '';
      const optional = defaultOf(schema) === undefined && place.path.at(-1) === 'label';
      return { ...baseOf(schema, place), kind: 'text', long: (schema.maxLength ?? 0) > LONG_TEXT, optional, example };
    }
    case 'array':
      return arrayNode(schema, place);
    case 'object':
      return schema.properties === undefined ? undefined : sectionNode(schema, place, [], undefined);
    case undefined:
    default:
      return undefined;
  }
}

/** A number, or a word in its place. */
function unionNode(schema: JsonSchema, place: Place): FormNode | undefined {
  const number = schema.anyOf?.find(isNumber);
  const word = schema.anyOf?.find((each) => each.const !== undefined)?.const;
  if (number === undefined || typeof word !== 'string') return undefined;
  return numberNode({ ...schema, ...number, description: schema.description ?? '' }, place, word);
}

function arrayNode(schema: JsonSchema, place: Place): FormNode | undefined {
  const { prefixItems, items } = schema;
  if (prefixItems !== undefined) {
    const base = baseOf(schema, place);
    const values = Array.isArray(base.value) ? (base.value as unknown[]) : [];
    const standard = Array.isArray(base.fallback) ? (base.fallback as unknown[]) : [];
    const running = Array.isArray(place.running) ? (place.running as unknown[]) : [];
    const parts = prefixItems.map((part, index) =>
      numberNode(part, {
        ...place,
        path: [...place.path, index],
        title: `${place.title} ${index + 1}`,
        draft: values[index],
        running: running[index],
        fallback: standard[index],
      }),
    );
    return { ...base, kind: 'tuple', parts };
  }
  if (typeof items !== 'object') return undefined;
  if (isNumber(items)) return { ...baseOf(schema, place), kind: 'numbers', columns: 1 };
  if (items.prefixItems !== undefined) {
    return { ...baseOf(schema, place), kind: 'numbers', columns: items.prefixItems.length };
  }
  return listNode(schema, items, place);
}

/** @returns the name of an entry of a list, which is its own: a method's label or kind, or a network's name */
export function nameOfEntry(entry: unknown): unknown {
  return isRecord(entry) ? (entry['label'] ?? entry['name'] ?? entry['kind'] ?? 'observations') : undefined;
}

/** @returns for each entry of the draft the one that runs by its name, or else the one in its place, if no other entry has that name */
function counterparts(entries: readonly unknown[], running: readonly unknown[]): readonly unknown[] {
  const names = entries.map(nameOfEntry);
  return entries.map(
    (_, index) =>
      running.find((each) => nameOfEntry(each) === names[index]) ??
      (names.includes(nameOfEntry(running[index])) ? undefined : running[index]),
  );
}

function listNode(schema: JsonSchema, items: JsonSchema, place: Place): ListNode {
  const base = baseOf(schema, place);
  const values = Array.isArray(base.value) ? (base.value as unknown[]) : [];
  const running = Array.isArray(place.running) ? (place.running as unknown[]) : [];
  const others = counterparts(values, running);
  const entries = values.flatMap((draft, index) => {
    const path = [...place.path, index];
    const inside = { path, title: '', draft, running: others[index], compared: place.compared };
    const node = nodeOf(items, inside);
    return node?.kind === 'section' ? [{ ...node, title: entryTitle(node, draft) }] : [];
  });
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  const isMoved = values.length !== running.length || others.some((other, index) => other !== running[index]);
  return {
    ...base,
    changed: base.changed && (isMoved || entries.some(({ changed }) => changed)),
    kind: 'list',
    entries,
    minimum: minItems,
    maximum: maxItems,
    variants: variantsOf(items),
  };
}

/** What the user calls an entry: its own label or name, or what it is. */
function entryTitle({ variants, variant, title }: SectionNode, value: unknown): string {
  if (isRecord(value)) {
    for (const key of ['label', 'name']) if (typeof value[key] === 'string' && value[key] !== '') return value[key];
  }
  return variants.find((option) => option.value === variant)?.title ?? title;
}

function variantNode(schema: JsonSchema, place: Place): SectionNode | undefined {
  const value = place.draft === undefined ? (place.fallback ?? defaultOf(schema)) : place.draft;
  const variant = chosenVariant(schema, value);
  if (variant === undefined) return undefined;
  const kind = String(variant.properties?.['kind']?.const);
  const described = {
    ...variant,
    ...(schema.default !== undefined && { default: schema.default }),
    description: schema.description ?? variant.description ?? '',
  };
  return sectionNode(described, { ...place, title: place.title || (schema.title ?? '') }, variantsOf(schema), kind);
}

function sectionNode(
  schema: JsonSchema,
  place: Place,
  variants: readonly Option[],
  variant: string | undefined,
): SectionNode {
  const base = baseOf(schema, place);
  const own = isRecord(place.draft) ? place.draft : {};
  // Where the file leaves the whole section out, the section's own default speaks for its fields.
  const standard = place.draft === undefined && isRecord(base.fallback) ? base.fallback : {};
  const running = isRecord(place.running) ? place.running : {};
  const sameVariant = variant === undefined || (running['kind'] ?? variants[0]?.value) === variant;
  const children = Object.entries(schema.properties ?? {}).flatMap(([key, child]) => {
    if (key === 'kind' || HIDDEN.has(key)) return [];
    const node = nodeOf(child, {
      path: [...place.path, key],
      title: child.title ?? key,
      draft: own[key],
      running: running[key],
      compared: place.compared && sameVariant && place.running !== undefined && running[key] !== undefined,
      // A method without a label goes by its kind.
      fallback: standard[key] ?? (key === 'label' ? variant : undefined),
    });
    return node === undefined ? [] : [node];
  });
  const changed = place.compared && (!sameVariant || place.running === undefined || children.some(isChanged));
  const title = place.title || (schema.title ?? '');
  return { ...base, title, kind: 'section', children: valuesFirst(children), variants, variant, changed };
}

function isPart({ kind }: FormNode): boolean {
  return kind === 'section' || kind === 'list';
}

/** Values come before sections: beneath one they would seem to be of it. */
function valuesFirst(children: readonly FormNode[]): readonly FormNode[] {
  return [...children.filter((child) => !isPart(child)), ...children.filter(isPart)];
}

function isChanged({ changed }: FormNode): boolean {
  return changed;
}

/** Units of what is counted, which a model without dimensions has, too. */
const COUNTED = new Set(['', 'cells', 'cycles', 'σ']);

/** The model of a draft; a file that says none means the first. */
function modelKindOf(draft: unknown): (typeof MODEL_KINDS)[number] {
  const model = isRecord(draft) && isRecord(draft['model']) ? draft['model'] : {};
  return MODEL_KINDS.find((each) => each.kind === model['kind']) ?? MODEL_KINDS[0];
}

/** The same setting without standard deviations of variables of other models, unless the draft states them. */
function ofVariables<Node extends FormNode>(node: Node, isForeign: (name: string | number) => boolean): Node {
  if (node.kind === 'list') return { ...node, entries: node.entries.map((entry) => ofVariables(entry, isForeign)) };
  if (node.kind !== 'section') return node;
  const isOfVariables = node.path.at(-1) === 'standardDeviation';
  const children = node.children
    .filter(({ path, written }) => !isOfVariables || written || !isForeign(path.at(-1) ?? ''))
    .map((child) => ofVariables(child, isForeign));
  return { ...node, children };
}

/** The same setting, of a model whose lengths are counted and whose times and variables have no unit. */
function withoutDimension<Node extends FormNode>(node: Node): Node {
  const plain = COUNTED.has(node.unit) ? node : { ...node, unit: '' };
  if (plain.kind === 'section') return { ...plain, children: plain.children.map(withoutDimension) };
  if (plain.kind === 'list') return { ...plain, entries: plain.entries.map(withoutDimension) };
  return plain.kind === 'tuple' ? { ...plain, parts: plain.parts.map(withoutDimension) } : plain;
}

/**
 * @param schema of a whole scenario
 * @param draft as a file has it, defaults omitted
 * @param running what runs, every default filled in; undefined if nothing runs
 * @returns a section for each part of the scenario, and one for what is at its top
 */
export function buildForm(schema: JsonSchema, draft: unknown, running: unknown): readonly (SectionNode | ListNode)[] {
  const compared = running !== undefined;
  const root = sectionNode(schema, { path: [], title: 'Scenario', draft, running, compared }, [], undefined);
  const { variables, world } = modelKindOf(draft);
  const own = new Set<string | number>(variables.map(({ name }) => name));
  const isForeign = (name: string | number): boolean => STATE_VARIABLES.includes(String(name)) && !own.has(name);
  const settings = root.children.map((child) => ofVariables(child, isForeign));
  const children = world === 'ring' ? settings.map(withoutDimension) : settings;
  const parts = children.filter((node) => node.kind === 'section' || node.kind === 'list');
  const words = children.filter((node) => !isPart(node));
  const scenario: SectionNode = { ...root, children: words, changed: words.some(isChanged) };
  return [...parts, scenario];
}

/** @returns every value that can be set in a part of the form, in order */
export function leavesOf(node: FormNode): LeafNode[] {
  if (node.kind === 'section') return node.children.flatMap(leavesOf);
  return node.kind === 'list' ? node.entries.flatMap(leavesOf) : [node];
}

/**
 * @param schema of a setting with variants
 * @param value as the draft has it
 * @returns a value of another kind that keeps what both kinds know
 */
export function switchVariant(schema: JsonSchema, value: unknown, kind: string): Readonly<Record<string, unknown>> {
  const next = schema.oneOf?.find((variant) => variant.properties?.['kind']?.const === kind);
  const known = next?.properties ?? {};
  const kept = Object.entries(isRecord(value) ? value : {}).filter(
    ([key]) => key !== 'kind' && Object.hasOwn(known, key),
  );
  return { kind, ...Object.fromEntries(kept) };
}

/** @returns the schema at a path, following the variants that the draft has chosen; undefined if there is none */
export function schemaAt(root: JsonSchema, draft: unknown, path: Path): JsonSchema | undefined {
  let schema: JsonSchema | undefined = root;
  let value = draft;
  for (const key of path) {
    const variant: JsonSchema | undefined =
      schema?.oneOf === undefined ? schema : chosenVariant(schema, value ?? schema.default);
    if (variant === undefined) return undefined;
    if (typeof key === 'number') {
      schema = variant.prefixItems?.[key] ?? (typeof variant.items === 'object' ? variant.items : undefined);
    } else {
      schema = variant.properties?.[key];
    }
    const around: unknown = value ?? variant.default;
    value = typeof around === 'object' && around !== null ? Reflect.get(around, key) : undefined;
  }
  return schema;
}
