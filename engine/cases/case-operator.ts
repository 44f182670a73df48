/** What the case of one operator is: its parameters, its arrays, and how they become the operator's fields. */
import type { z } from 'zod';
import type { Backend } from '../compute/backend.ts';
import type { CaseInputs } from './case-arrays.ts';

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
