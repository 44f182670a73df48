/**
 * Operators with one kernel on each backend, pointwise ones and short sums above all: a parameter block describes their parameters
 * and fields, and with that all that the three forms have in common.
 */
import { assertParameters, count, defineOperator, integerFrom } from './define-operator.ts';
import type { ParameterRule, ParameterRules } from './define-operator.ts';
import type { ArraysOf } from './field.ts';
import type { Cost, Operator } from './operator.ts';
import type { BlockFields, BlockMembers, BlockValues, ParameterBlock, PartsOf, ScalarsOf } from './parameter-block.ts';
import { scalarsFrom } from './parameter-block.ts';
import { onFields, partsFor } from './wasm/program.ts';
import type { WebGpuWork } from './webgpu/program.ts';

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
  const values = description.values ?? ((parameters: Parameters) => scalarsFrom(block, parameters));
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
        const constants = { ...values(parameters), ...places } as unknown as Partial<BlockValues<Members>>;
        return onFields(builder.program(kernel, block, constants, scratchBytes), parts);
      }),
    webgpu: async () => (await import('./webgpu/single-kernel.ts')).singleKernel(name, block, values, webgpu),
  });
}
