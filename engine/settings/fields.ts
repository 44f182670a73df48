/**
 * The building stones of the settings' schema: every field carries its title, its unit, its range, its default, one line of
 * help, and when a change of it takes effect, which the settings panel and `shoal schema` show.
 */
import { z } from 'zod';

/**
 * When a changed value takes effect in a run that continues. `label`: words alone, nothing to run again. `next-cycle`: the run continues
 * with it. `restart`: the run begins again.
 */
export type TakesEffect = 'label' | 'next-cycle' | 'restart';

/** What a field says about itself beside its type. Lengths are in metres, times in seconds, angles in degrees. */
export interface FieldHelp {
  /** A few words, as a form shows them. */
  readonly title: string;
  /** One line. */
  readonly description: string;
  /** Unit of the value; omitted if it has none. */
  readonly unit?: string;
  /** When a change of the value, or of anything inside it, takes effect; default: as for what contains it, `restart` at the root. */
  readonly takesEffect?: TakesEffect;
}

/** The range of a number: `minimum` and `maximum` are allowed values, `above` and `below` are not. */
interface Range {
  readonly minimum?: number;
  readonly above?: number;
  readonly maximum?: number;
  readonly below?: number;
}

type NumberHelp = FieldHelp & Range & { readonly integer?: boolean };

function bounded({ minimum, above, maximum, below, integer = false }: NumberHelp) {
  // Each call of a schema's own `min` or `max` copies the schema: one copy with all checks is enough.
  const checks = [
    ...(minimum !== undefined ? [z.gte(minimum)] : []),
    ...(above !== undefined ? [z.gt(above)] : []),
    ...(maximum !== undefined ? [z.lte(maximum)] : []),
    ...(below !== undefined ? [z.lt(below)] : []),
  ];
  const number = integer ? z.int() : z.number();
  return checks.length > 0 ? number.check(...checks) : number;
}

/** Leaves the keys that JSON Schema or zod would take for something else out of the metadata. */
function metadata({ title, description, unit, takesEffect }: FieldHelp) {
  return { title, description, ...(unit !== undefined && { unit }), ...(takesEffect !== undefined && { takesEffect }) };
}

/** Describes a schema that nothing else describes yet. @returns the same: its own `meta` would copy it */
function described<Schema extends z.ZodType>(help: FieldHelp, schema: Schema): Schema {
  z.globalRegistry.add(schema, metadata(help));
  return schema;
}

/** A finite number with a default. */
export function quantity(help: NumberHelp & { readonly default: number }) {
  return described(help, bounded(help).default(help.default));
}

/** What defaults of lengths are made of, metres. */
export interface CellSizes {
  /** The smaller side of a cell. */
  readonly size: number;
  /** From the first to the last cell, along the shorter axis of the basin. */
  readonly shortest: number;
}

let cells: CellSizes = { size: 1, shortest: Infinity };

/**
 * Runs what reads settings of a basin with such cells: until it returns, the defaults of `cellLength` fields are multiples of
 * the cell. A schema's default is asked for wherever a value is missing, however deep, and nothing else could give it the grid.
 */
export function withCells<Result>(sizes: CellSizes, read: () => Result): Result {
  const before = cells;
  cells = sizes;
  try {
    return read();
  } finally {
    cells = before;
  }
}

interface CellHelp {
  /** The default, in cells. */
  readonly cells: number;
  /** Whether the default must fit into the basin. */
  readonly isInside?: boolean;
}

/** A length in metres whose default is so many cells, which `withCells` says the size of; cells of 1 m elsewhere. */
export function cellLength({ cells: many, isInside = false, ...help }: NumberHelp & CellHelp) {
  const inside = isInside ? ', at most the length of the basin' : '';
  const description = `${help.description} Default: ${many} cells, of the smaller of dx and dy${inside}.`;
  const field = bounded(help).default(() => Math.min(many * cells.size, isInside ? cells.shortest : Infinity));
  return described({ ...help, description }, field);
}

/** A finite number without a default. */
export function requiredQuantity(help: NumberHelp) {
  return described(help, bounded(help));
}

/** A whole number with a default. */
export function count(help: NumberHelp & { readonly default: number }) {
  return quantity({ ...help, integer: true });
}

/** Lowest and highest of a number that is drawn uniformly at random; both the same for a fixed number. */
export function drawnFrom(help: NumberHelp & { readonly default: readonly [number, number] }) {
  const [lowest, highest] = help.default;
  const range = z.tuple([bounded(help), bounded(help)]).refine(([low, high]) => low <= high, {
    error: 'the first number is above the second, allowed: [lowest, highest]',
  });
  return described(help, range.default([lowest, highest]));
}

/** Two numbers, one along x and one along y. */
export function pair(help: NumberHelp & { readonly default: readonly [number, number] }) {
  const [x, y] = help.default;
  return described(help, z.tuple([bounded(help), bounded(help)]).default([x, y]));
}

/** One of a few words. */
export function choice<const Words extends readonly [string, ...string[]]>(
  help: FieldHelp & { readonly words: Words; readonly default: NoInfer<Words[number]> },
) {
  return described(help, z.enum(help.words).default(help.default as never));
}

/** Yes or no. */
export function toggle(help: FieldHelp & { readonly default: boolean }) {
  return described(help, z.boolean().default(help.default));
}

/** The name of a file beside the scenario. */
export function fileName(help: FieldHelp) {
  return described(help, z.string().min(1).max(255));
}

/** The `kind` that distinguishes the variants of a setting. */
export function kind<const Name extends string>(name: Name, description: string) {
  return described({ title: 'Kind', description }, z.literal(name));
}

/** Words that a user gives, on one line, which look like what they are. @param longest characters at most */
export function oneLine(longest = 64) {
  return z
    .string()
    .check(
      z.minLength(1),
      z.maxLength(longest),
      z.regex(
        /^[^\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]+$/u,
        'no control characters, line ends or marks of direction',
      ),
    );
}

/** Longest name, or list of choices, that a user gives. */
const LONGEST_TEXT = 255;

/** Words on one line that have to be given. */
export function requiredText(help: FieldHelp) {
  return described(help, oneLine(LONGEST_TEXT));
}

/** Words on one line, none if omitted. */
export function optionalText(help: FieldHelp) {
  return described(help, oneLine(LONGEST_TEXT).or(z.literal('')).default(''));
}

/** An object that refuses keys it does not know. */
export function section<Shape extends z.core.$ZodLooseShape>(help: FieldHelp, shape: Shape) {
  return described(help, z.strictObject(shape));
}

/** An object that refuses keys it does not know and may be omitted, since each of its fields has a default. */
export function optionalSection<Shape extends z.core.$ZodLooseShape>(help: FieldHelp, shape: Shape) {
  return described(help, z.strictObject(shape).prefault({} as never));
}

/** Random smooth surfaces as a setting: how high they are, how far they are correlated, and whether currents come with them. */
export interface PerturbationSettings {
  /** Standard deviation of the surface, m. */
  readonly standardDeviation: number;
  /** L of the correlation exp(−r²/2L²), m. */
  readonly length: number;
  readonly balance: 'none' | 'geostrophic';
}

export function perturbationSection(help: FieldHelp) {
  return optionalSection(help, {
    standardDeviation: quantity({
      title: 'Standard deviation',
      description: 'Of the surface’s elevation, at every place; 0 for no perturbation.',
      unit: 'm',
      minimum: 0,
      maximum: 1000,
      default: 0,
    }),
    length: cellLength({
      title: 'Length',
      description: 'L of the perturbation’s correlation exp(−r²/2L²) at distance r.',
      unit: 'm',
      above: 0,
      maximum: 1e8,
      cells: 5,
    }),
    balance: choice({
      title: 'Balance',
      description:
        'geostrophic: the currents that the Coriolis force would balance come with the perturbation of the surface.',
      words: ['none', 'geostrophic'],
      default: 'none',
    }),
  });
}

/**
 * A setting that comes in kinds, distinguished by the key `kind`. Each kind is one definition: a schema of its settings, and all that
 * follows from them. The definitions of a setting are listed in one registry, from which its schema is made.
 *
 * Title and description of a kind, and what its field `kind` says.
 */
export type KindHelp = FieldHelp & { readonly gist: string };

/**
 * @param name as the file writes the kind
 * @param shape its own settings, by name; `kind` comes before them
 * @returns the schema of an object with them, which refuses other keys
 */
export function kindSchema<const Kind extends string, Shape extends z.core.$ZodLooseShape>(
  name: Kind,
  { gist, ...help }: KindHelp,
  shape: Shape,
) {
  return section(help, { kind: kind(name, gist), ...shape });
}

type KindIn<Schema extends z.ZodObject> = Schema['shape'] extends { readonly kind: z.ZodLiteral<infer Kind> }
  ? Kind & string
  : string;

/** @returns what a kind is, beside its schema: `parts`, and its name and words from there */
export function describedKind<Schema extends z.ZodObject, Parts extends object>(schema: Schema, parts: Parts) {
  const { title = '', description = '' } = schema.meta() ?? {};
  const name = (schema.shape as { readonly kind: z.ZodLiteral<KindIn<Schema>> }).kind.value;
  return { ...parts, schema, kind: name, title, description };
}

export interface KindDefinition {
  /** As the file writes it. */
  readonly kind: string;
  /** A few words, for people. */
  readonly title: string;
  /** An object with the key `kind`. */
  readonly schema: z.core.$ZodTypeDiscriminable;
}

export interface DescribedKind extends KindDefinition {
  /** One line. */
  readonly description: string;
}

type Schemas<Definitions extends readonly KindDefinition[]> = {
  readonly [Index in keyof Definitions]: Definitions[Index]['schema'];
};

/** @returns the schema of a setting that has these kinds, in their order */
export function kindUnion<const Definitions extends readonly [KindDefinition, ...KindDefinition[]]>(
  definitions: Definitions,
) {
  const schemas = definitions.map(({ schema }) => schema) as unknown as Schemas<Definitions>;
  return z.discriminatedUnion('kind', schemas);
}

/** @returns the definition of a kind. @throws RangeError for a kind that has none */
export function definitionsByKind<Definition extends KindDefinition>(
  definitions: readonly Definition[],
): (kind: string) => Definition {
  const byKind = new Map(definitions.map((definition) => [definition.kind, definition]));
  return (kind) => {
    const found = byKind.get(kind);
    if (!found) throw new RangeError(`found the kind ${kind}, known are ${[...byKind.keys()].join(', ')}`);
    return found;
  };
}
