/** Runs one operator once, from arrays to arrays. */
import type { Backend, Field, FieldKinds, FieldsOf, Operator } from '../compute/backend.ts';

/** For each field its values, or its length where the operator writes it. */
export type FieldValues<Kinds extends FieldKinds> = { readonly [Name in keyof Kinds]: ArrayLike<number> | number };

/** @returns the fields that were given by their length, read back as float64 */
export async function runOperator<Parameters, Kinds extends FieldKinds>(
  backend: Backend,
  operator: Operator<Parameters, Kinds>,
  parameters: Parameters,
  values: FieldValues<Kinds>,
): Promise<{ readonly [Name in keyof Kinds]: Float64Array }> {
  const fields = new Map<string, Field>();
  try {
    for (const [name, kind] of Object.entries(operator.fields)) {
      const given = values[name];
      // A field has at least one element, an empty array none: what pads it is never looked at.
      const length = typeof given === 'number' ? given : Math.max(1, given.length);
      const field = backend.allocate(`${operator.name}.${name}`, kind, length);
      fields.set(name, field);
      backend.write(field, typeof given === 'number' || given.length === 0 ? new Float64Array(length) : given);
    }
    const prepared = await backend.prepare(operator, parameters);
    try {
      prepared.run(Object.fromEntries(fields) as FieldsOf<Kinds>);
      const results: Record<string, Float64Array> = {};
      for (const [name, field] of fields) {
        if (typeof values[name] === 'number') results[name] = Float64Array.from(await backend.read(field));
      }
      return results as { readonly [Name in keyof Kinds]: Float64Array };
    } finally {
      prepared.dispose();
    }
  } finally {
    for (const field of fields.values()) field.dispose();
  }
}
