/** Two stages: 256 cells of all members each, then all parts of a variable. */
import { workgroupsFor } from '../../compute/webgpu/program.ts';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import { uniformBlock } from '../../compute/webgpu/uniform-block.ts';
import library from './extremes-library.wgsl?raw';
import ofParts from './extremes-of-parts.wgsl?raw';
import type { EnsembleShape, ExtremesFields } from './parameters.ts';
import whole from './extremes.wgsl?raw';

const PARAMETERS = uniformBlock('Parameters', {
  members: 'u32',
  variables: 'u32',
  cells: 'u32',
  parts: 'u32',
});

const WORKGROUP = 256;

const webGpuExtremes: WebGpuOperator<EnsembleShape, ExtremesFields> = async (
  builder,
  { members, variables, cells },
) => {
  const [partsProgram, wholeProgram] = await Promise.all([
    builder.program({
      label: 'statistics.extremes-of-parts',
      code: [library, PARAMETERS.wgsl, ofParts],
      bindings: ['uniform', 'read', 'write'],
    }),
    builder.program({
      label: 'statistics.extremes',
      code: [library, PARAMETERS.wgsl, whole],
      bindings: ['uniform', 'read', 'write', 'write'],
    }),
  ]);
  const parts = Math.ceil(cells / WORKGROUP);
  const uniform = builder.uniform('parameters', PARAMETERS, { members, variables, cells, parts });
  const partial = builder.scratch('parts', 'index', 2 * variables * parts);
  const [x, y] = workgroupsFor(cells, WORKGROUP);
  return (recorder, { ensemble, minimum, maximum }) => {
    recorder.dispatch(partsProgram, [uniform, ensemble, partial], [x, y, variables]);
    recorder.dispatch(wholeProgram, [uniform, partial, minimum, maximum], [variables]);
  };
};

export default webGpuExtremes;
