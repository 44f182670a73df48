/**
 * Operators with one kernel on each backend, pointwise ones and short sums above all: a parameter block describes their parameters
 * and fields, and with that all that the three forms have in common.
 */
import type { Cost, Operator } from './backend.ts';
import { assertParameters, count, defineOperator, integerFrom } from './define-operator.ts';
import type { ParameterRule, ParameterRules } from './define-operator.ts';
import type { ArraysOf } from './field.ts';
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
import { onFields, partsFor } from './wasm/program.ts';
import indexLibrary from './webgpu/library/index.wgsl?raw';
import { partsOf, workgroupsFor } from './webgpu/program.ts';
import type { WebGpuWork, Access, BuffersOf, Program, WebGpuOperator } from './webgpu/program.ts';

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
