/** How one kind of a setting is defined: its settings as a schema, and all that follows from them. */
import type { z } from 'zod';
import { kind, section } from './fields.ts';
import type { FieldHelp } from './fields.ts';

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
