/**
 * A setting that comes in kinds, distinguished by the key `kind`. Each kind is one definition: a schema of its settings, and all that
 * follows from them. The definitions of a setting are listed in one registry, from which its schema is made.
 */
import { z } from 'zod';

export interface KindDefinition {
  /** As the file writes it. */
  readonly kind: string;
  /** A few words, for people. */
  readonly title: string;
  /** An object with the key `kind`. */
  readonly schema: z.core.$ZodTypeDiscriminable;
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
