/** Operators with one kernel and one dispatch. */
import { arraysOf, blockBindings } from '../parameter-block.ts';
import type { BlockFields, BlockMembers, ParameterBlock, ScalarsOf } from '../parameter-block.ts';
import indexLibrary from './library/index.wgsl?raw';
import { workgroupsFor } from './program.ts';
import type { Access, BuffersOf, Program, WebGpuOperator, WebGpuWork } from './program.ts';

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
    const [x, y] = coveredBy(program.workgroup, items(parameters));
    const workgroups = [x, y, layers?.(parameters) ?? 1] as const;
    return (recorder, buffers: BuffersOf<BlockFields<Members>>) => {
      const byName: Readonly<Record<string, GPUBuffer>> = buffers;
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
