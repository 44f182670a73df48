/** Two stages: 256 cells of all members each, then all parts of a variable. */
import { workgroupsFor } from '../../compute/webgpu/program.ts';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import library from './extremes-library.wgsl?raw';
import ofParts from './extremes-of-parts.wgsl?raw';
import type { EnsembleShape, ExtremesFields } from './parameters.ts';
import whole from './extremes.wgsl?raw';

const WORKGROUP = 256;

const webGpuExtremes: WebGpuOperator<EnsembleShape, ExtremesFields> = async (
  workshop,
  { members, variables, cells },
) => {
  const [partsProgram, wholeProgram] = await Promise.all([
    workshop.program({
      label: 'statistics.extremes-of-parts',
      code: [library, ofParts],
      bindings: ['uniform', 'read', 'write'],
    }),
    workshop.program({
      label: 'statistics.extremes',
      code: [library, whole],
      bindings: ['uniform', 'read', 'write', 'write'],
    }),
  ]);
  const parts = Math.ceil(cells / WORKGROUP);
  const uniform = workshop.uniform('parameters', [
    { u32: members },
    { u32: variables },
    { u32: cells },
    { u32: parts },
  ]);
  const partial = workshop.scratch('parts', 'index', 2 * variables * parts);
  const [x, y] = workgroupsFor(cells, WORKGROUP);
  return (recorder, { ensemble, minimum, maximum }) => {
    recorder.dispatch(partsProgram, [uniform, ensemble, partial], [x, y, variables]);
    recorder.dispatch(wholeProgram, [uniform, partial, minimum, maximum], [variables]);
  };
};

export default webGpuExtremes;
