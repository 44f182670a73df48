/** Operators with one kernel and one dispatch. */
import { arraysOf, blockBindings } from '../parameter-block.ts';
import type { BlockFields, BlockMembers, ParameterBlock, ScalarsOf } from '../parameter-block.ts';
import indexLibrary from './library/index.wgsl?raw';
import { workgroupsFor } from './program.ts';
import type { Access, BuffersOf, WebGpuOperator, WebGpuWork } from './program.ts';

export function singleKernel<Members extends BlockMembers, Parameters>(
  name: string,
  block: ParameterBlock<Members>,
  values: (parameters: Parameters) => ScalarsOf<Members>,
  { code, items, layers, constants }: WebGpuWork<Parameters>,
): WebGpuOperator<Parameters, BlockFields<Members>> {
  const arrays = arraysOf(block.members);
  const accesses = arrays.map(([, kind]): Access => (kind.startsWith('write') ? 'write' : 'read'));
  return async (builder, parameters) => {
    const sources = await Promise.all(code());
    const program = await builder.program({
      label: `${name}.main`,
      code: [indexLibrary, blockBindings(block), ...sources.map((source) => source.default)],
      constants: constants?.(parameters),
      bindings: ['uniform', ...accesses],
    });
    const uniform = builder.uniform('parameters', block, values(parameters));
    const [x, y] = workgroupsFor(items(parameters), program.workgroup[0]);
    const workgroups = [x, y, layers?.(parameters) ?? 1] as const;
    return (recorder, buffers: BuffersOf<BlockFields<Members>>) => {
      const byName: Readonly<Record<string, GPUBuffer>> = buffers;
      recorder.dispatch(program, [uniform, ...arrays.map(([field]) => byName[field])], workgroups);
    };
  };
}
