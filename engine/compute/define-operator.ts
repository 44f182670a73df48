/**
 * How an operator is defined: what its parameters must be is said once and holds for its cost and on every backend. If it has one
 * kernel on each backend, a parameter block describes its parameters and fields, and with that all that its three forms have in
 * common.
 */
import { LimitError } from '../errors.ts';
import type { Cost, Operator } from './backend.ts';
import type { ArraysOf, FieldKinds } from './field.ts';
import { onFields, partsFor, type WasmOperator } from './wasm/program.ts';
import { partsOf, workgroupsFor } from './webgpu/program.ts';
import type { WebGpuOperator, WebGpuWork, Access, BuffersOf, Program } from './webgpu/program.ts';
import { scalarsFrom, arraysOf, blockBindings } from './parameter-block.ts';
import type {
  BlockFields,
  BlockMembers,
  BlockValues,
  ParameterBlock,
  PartsOf,
  ScalarsOf,
  TablesOf,
} from './parameter-block.ts';
import indexLibrary from './webgpu/library/index.wgsl?raw';

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
function assertParameters(
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

/** What a kernel of AssemblyScript does of the work, and how it is divided. */
type WasmWork<Members extends BlockMembers> = PartsOf<Members> & {
  /** Exported name of the kernel. */
  readonly kernel: string;
  readonly parts: number;
  /** Work space of a part; none if omitted. */
  readonly scratchBytes?: number;
};

export interface KernelOperatorDescription<Members extends BlockMembers, Parameters extends object> {
  readonly name: string;
  /** Its counts are checked. */
  readonly block: ParameterBlock<Members>;
  /** What other parameters must be. */
  readonly parameters?: ParameterRules<Parameters>;
  /** Checks parameters against each other. @throws LimitError */
  readonly check?: (parameters: Parameters) => void;
  /** The numbers of the block; the parameters of their names if omitted. */
  readonly values?: (parameters: Parameters) => ScalarsOf<Members>;
  /** The tables of the block; one that is undefined has the address 0 in AssemblyScript, and the single number 0 on a GPU. */
  readonly tables?: (parameters: Parameters) => TablesOf<Members>;
  /** @param elementBytes size of a real on the backend: 8 or 4 */
  readonly cost: (parameters: Parameters, elementBytes: number) => Cost;
  readonly reference: (parameters: Parameters) => (arrays: ArraysOf<BlockFields<Members>>) => void;
  readonly wasm: (parameters: Parameters) => WasmWork<Members>;
  readonly webgpu: WebGpuWork<Parameters>;
}

/** Work divided into runs of items. @param segment items of a part */
export function inRuns(items: number, segment: number): { readonly parts: number; readonly segment: number } {
  return { parts: partsFor(items, segment), segment };
}

/** Work on layers of items, each divided into runs. @param segment items of a part */
export function inRunsOfLayers(items: number, layers: number, segment: number) {
  const segments = partsFor(items, segment);
  return { parts: segments * layers, segment, segments };
}

export function kernelOperator<const Members extends BlockMembers, Parameters extends object = ScalarsOf<Members>>(
  description: KernelOperatorDescription<Members, Parameters>,
): Operator<Parameters, BlockFields<Members>> {
  const { name, block, parameters: rules, check, cost, reference, wasm, webgpu } = description;
  const values = (parameters: Parameters) => scalarsFrom(block, description.values?.(parameters) ?? parameters);
  const tables = description.tables ?? (() => ({}) as TablesOf<Members>);
  const integers: Record<string, ParameterRule> = {};
  for (const [member, kind] of Object.entries(block.members)) {
    if (kind === 'count') integers[member] = count;
    if (kind === 'u32') integers[member] = integerFrom(0);
  }
  return defineOperator<Parameters, BlockFields<Members>>({
    name,
    fields: block.fields,
    ...(rules && { parameters: rules }),
    check(parameters) {
      assertParameters(name, values(parameters), integers);
      check?.(parameters);
    },
    cost,
    reference,
    wasm: () =>
      Promise.resolve((builder, parameters) => {
        const { kernel, parts, scratchBytes, ...places } = wasm(parameters);
        const addresses = tableEntries(block, tables(parameters)).map(([table, kind, numbers = []]) => {
          const copy = kind === 'index' ? 'wordTable' : 'realTable';
          return [table, numbers.length > 0 ? builder[copy](`${name}.${table}`, numbers) : 0];
        });
        const constants = { ...values(parameters), ...Object.fromEntries(addresses), ...places };
        return onFields(
          builder.program(kernel, block, constants as Partial<BlockValues<Members>>, scratchBytes),
          parts,
        );
      }),
    webgpu: () => Promise.resolve(singleKernel(name, block, values, tables, webgpu)),
  });
}

function tableEntries<Members extends BlockMembers>(
  { members }: ParameterBlock<Members>,
  tables: TablesOf<Members>,
): readonly (readonly [name: string, kind: 'real' | 'index', numbers: ArrayLike<number> | undefined])[] {
  return Object.entries<ArrayLike<number> | undefined>(tables).map(([table, numbers]) => [
    table,
    members[table] === 'index table' ? 'index' : 'real',
    numbers,
  ]);
}

/** Its form on a GPU: one kernel and one dispatch. */
function singleKernel<Members extends BlockMembers, Parameters>(
  name: string,
  block: ParameterBlock<Members>,
  values: (parameters: Parameters) => ScalarsOf<Members>,
  tables: (parameters: Parameters) => TablesOf<Members>,
  { code, parts, items, layers, constants }: WebGpuWork<Parameters>,
): WebGpuOperator<Parameters, BlockFields<Members>> {
  const arrays = arraysOf(block.members);
  const accesses = arrays.map(([, kind]): Access => (kind.startsWith('write') ? 'write' : 'read'));
  return async (builder, parameters) => {
    const sources = await Promise.all(
      code().map(async (source) => (typeof source === 'string' ? source : (await source).default)),
    );
    const wanted = typeof parts === 'function' ? parts(parameters) : parts;
    if (wanted) sources.push(...wanted.map(partsOf(sources.pop() ?? '')));
    const program = await builder.program({
      label: `${name}.main`,
      code: [indexLibrary, blockBindings(block), ...sources],
      constants: constants?.(parameters),
      bindings: ['uniform', ...accesses],
    });
    const uniform = builder.uniform('parameters', block, values(parameters));
    const [x, y] = coveredBy(program.workgroup, items(parameters));
    const workgroups = [x, y, layers?.(parameters) ?? 1] as const;
    const own = Object.fromEntries(
      tableEntries(block, tables(parameters)).map(([table, kind, numbers = [0]]) => [
        table,
        builder.table(table, kind, numbers),
      ]),
    );
    return (recorder, buffers: BuffersOf<BlockFields<Members>>) => {
      const byName: Readonly<Record<string, GPUBuffer>> = { ...own, ...buffers };
      recorder.dispatch(program, [uniform, ...arrays.map(([field]) => byName[field])], workgroups);
    };
  };
}

/** Workgroups along x and y. */
function coveredBy(
  [sizeX, sizeY]: Program['workgroup'],
  items: number | readonly [x: number, y: number],
): readonly [number, number] {
  if (typeof items === 'number') return workgroupsFor(items, sizeX);
  return [Math.ceil(items[0] / sizeX), Math.ceil(items[1] / sizeY)];
}
