/**
 * A setting that comes in kinds, distinguished by the key `kind`. Each kind is one definition: a schema of its settings, and all that
 * follows from them. The definitions of a setting are listed in one registry, from which its schema is made.
 */
import { z } from 'zod';
import { kind, section, type FieldHelp } from './fields.ts';

/** Title and description of a kind, and what its field `kind` says. */
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
