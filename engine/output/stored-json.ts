/** JSON of a run folder, which anybody may have changed: parsed and checked before it is believed. */
import type { z } from 'zod';
import { CaseError } from '../errors.ts';

/** @throws CaseError naming the file, the place in it and what is wrong */
export function parseStored<Schema extends z.ZodType>(text: string, file: string, schema: Schema): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CaseError(`${file}: not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [{ path, message }] = result.error.issues;
  throw new CaseError(`${file}: ${path.length === 0 ? '' : `${path.map(String).join('.')}: `}${message}`);
}
