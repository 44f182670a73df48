/** What the case of one operator is: its parameters, its arrays, and how they become the operator's fields. */
import type { z } from 'zod';
import type { Backend, Field, FieldKinds, FieldsOf, Operator } from '../compute/backend.ts';
import type { CaseInputs } from './case-arrays.ts';

/** For each field its values, or its length where the operator writes it. */
type FieldValues<Kinds extends FieldKinds> = { readonly [Name in keyof Kinds]: ArrayLike<number> | number };

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

/** An array that a case gives. */
export interface CaseOutput {
  readonly shape: readonly number[];
  readonly data: Float64Array;
}

export interface CaseOperator {
  /** As `case.json` has it. */
  readonly name: string;
  readonly parameters: z.ZodType;
  readonly inputs: readonly string[];
  readonly optionalInputs: readonly string[];
  readonly outputs: readonly string[];
  /** @throws CaseError when the arrays do not fit each other or the parameters */
  run(
    backend: Backend,
    parameters: unknown,
    inputs: CaseInputs,
    progress: CaseProgress,
  ): Promise<Readonly<Record<string, CaseOutput>>>;
}

/** Called with the share of the work that is done, 0 … 1, by operators that take many steps. */
export type CaseProgress = (share: number) => void;

/** Joins a schema of parameters and a run that takes what the schema gives. */
export function caseOperator<Schema extends z.ZodType>(description: {
  readonly name: string;
  readonly parameters: Schema;
  readonly inputs: readonly string[];
  readonly optionalInputs?: readonly string[];
  readonly outputs: readonly string[];
  readonly run: (
    backend: Backend,
    parameters: z.output<Schema>,
    inputs: CaseInputs,
    progress: CaseProgress,
  ) => Promise<Readonly<Record<string, CaseOutput>>>;
}): CaseOperator {
  return {
    optionalInputs: [],
    ...description,
    run: (backend, parameters, inputs, progress) =>
      description.run(backend, parameters as z.output<Schema>, inputs, progress),
  };
}
