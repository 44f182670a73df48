/** How an operator is defined: what its parameters must be is said once and holds for its cost and on every backend. */
import { LimitError } from '../errors.ts';
import type { Cost, Operator } from './backend.ts';
import type { ArraysOf, FieldKinds } from './field.ts';
import type { WasmOperator } from './wasm/program.ts';
import type { WebGpuOperator } from './webgpu/program.ts';

/** What a parameter must be, and the words for it: "it must be …". */
export interface ParameterRule {
  readonly allows: (value: unknown) => boolean;
  readonly words: string;
}

/** @param advice what to do, as a clause */
export function integerFrom(least: number, advice?: string): ParameterRule {
  return {
    allows: (value) => Number.isInteger(value) && Number(value) >= least,
    words: withAdvice(`an integer of at least ${least}`, advice),
  };
}

/** Sizes of fields and grids, members, iterations. */
export const count = integerFrom(1);

/** Members of an ensemble whose covariance is taken. */
export const sampled = integerFrom(2, 'a single member has no sample covariance');

export const aboveZero: ParameterRule = {
  allows: (value) => Number.isFinite(value) && Number(value) > 0,
  words: 'finite and above 0',
};

export function oneOf(...allowed: readonly string[]): ParameterRule {
  return { allows: (value) => allowed.includes(value as string), words: allowed.join(' or ') };
}

function withAdvice(words: string, advice?: string): string {
  return advice === undefined ? words : `${words}; ${advice}`;
}

export type ParameterRules<Parameters> = { readonly [Name in keyof Parameters]?: ParameterRule };

/** @throws LimitError naming operator and parameter, what was found and what is allowed */
export function assertParameters(
  operator: string,
  parameters: object,
  rules: Readonly<Record<string, ParameterRule | undefined>>,
): void {
  for (const [name, rule] of Object.entries(rules)) {
    const found = (parameters as Readonly<Record<string, unknown>>)[name];
    if (rule && !rule.allows(found)) {
      throw new LimitError(`${operator}: ${name} is ${String(found)}, it must be ${rule.words}`);
    }
  }
}

export interface OperatorDescription<Parameters extends object, Kinds extends FieldKinds> {
  readonly name: string;
  readonly fields: Kinds;
  /** What each parameter must be; those that are omitted are not checked. */
  readonly parameters?: ParameterRules<Parameters>;
  /** Checks parameters against each other. @throws LimitError */
  readonly check?: (parameters: Parameters) => void;
  /** @param elementBytes size of a real on the backend: 8 or 4 */
  readonly cost: (parameters: Parameters, elementBytes: number) => Cost;
  /** The specification: plain code that reads like the formula, prepared once and run on arrays of either precision. */
  readonly reference: (parameters: Parameters) => (arrays: ArraysOf<Kinds>) => void;
  /** Loads the form of the `wasm` backend; if omitted, the reference form runs on that backend's memory. */
  readonly wasm?: () => Promise<WasmOperator<Parameters, Kinds>>;
  /** Loads the form of the `webgpu` backend. */
  readonly webgpu?: () => Promise<WebGpuOperator<Parameters, Kinds>>;
}

export function defineOperator<Parameters extends object, const Kinds extends FieldKinds>({
  name,
  fields,
  parameters: rules = {},
  check,
  cost,
  reference,
  wasm,
  webgpu,
}: OperatorDescription<Parameters, Kinds>): Operator<Parameters, Kinds> {
  const checked = (parameters: Parameters): Parameters => {
    assertParameters(name, parameters, rules);
    check?.(parameters);
    return parameters;
  };
  return {
    name,
    fields,
    cost: (parameters, elementBytes) => cost(checked(parameters), elementBytes),
    implementations: {
      reference: (parameters) => reference(checked(parameters)),
      ...(wasm && {
        wasm: async () => {
          const prepare = await wasm();
          return (builder, parameters) => prepare(builder, checked(parameters));
        },
      }),
      ...(webgpu && {
        webgpu: async () => {
          const prepare = await webgpu();
          return (builder, parameters) => prepare(builder, checked(parameters));
        },
      }),
    },
  };
}
