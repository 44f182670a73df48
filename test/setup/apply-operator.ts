import type { Backend, Field, FieldKinds, FieldsOf, Operator } from '../../engine/index.ts';

/**
 * Runs one operator once: fields are given as arrays (their values), or as a length for an output. Every output is poisoned
 * with NaN first, so that an element that is never written shows.
 *
 * @returns all fields read back, by name, as float64 arrays
 */
export async function applyOperator<Parameters, Kinds extends FieldKinds>(
  backend: Backend,
  operator: Operator<Parameters, Kinds>,
  parameters: Parameters,
  arrays: { readonly [Name in keyof Kinds]: ArrayLike<number> | number },
): Promise<{ readonly [Name in keyof Kinds]: Float64Array }> {
  const fields: Record<string, Field> = {};
  for (const [name, kind] of Object.entries(operator.fields)) {
    const given = arrays[name];
    const length = typeof given === 'number' ? given : given.length;
    const field = backend.allocate(name, kind, length);
    backend.write(
      field,
      typeof given === 'number' ? new Float64Array(length).fill(kind === 'index' ? 0xffff_ffff : NaN) : given,
    );
    fields[name] = field;
  }
  const prepared = await backend.prepare(operator, parameters);
  prepared.run(fields as FieldsOf<Kinds>);
  const results: Record<string, Float64Array> = {};
  for (const [name, field] of Object.entries(fields)) results[name] = Float64Array.from(await backend.read(field));
  prepared.dispose();
  for (const field of Object.values(fields)) field.dispose();
  return results as { readonly [Name in keyof Kinds]: Float64Array };
}
