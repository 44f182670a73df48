/** Three stages: which cells are wet, what share of all they are, and the weights that follow. */
import indexLibrary from '../../compute/webgpu/library/index.wgsl?raw';
import reduction from '../../compute/webgpu/library/reduction.wgsl?raw';
import { workgroupsFor } from '../../compute/webgpu/program.ts';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import { uniformBlock } from '../../compute/parameter-block.ts';
import { prepareMean } from './webgpu-scores.ts';
import type { WetCellsFields, WetCellsParameters } from './parameters.ts';
import wetCells from './wet-cells.wgsl?raw';
import wetWeights from './wet-weights.wgsl?raw';

const SCALE_PARAMETERS = uniformBlock('Parameters', {
  cells: 'u32',
});

const PARAMETERS = uniformBlock('Parameters', {
  members: 'u32',
  /** Elements of a member. */
  state: 'u32',
  cells: 'u32',
  parts: 'u32',
  dryDepth: 'f32',
});

const WORKGROUP = 256;

const webGpuWetCells: WebGpuOperator<WetCellsParameters, WetCellsFields> = async (
  builder,
  { members, variables, cells, dryDepth },
) => {
  const parts = Math.ceil(cells / WORKGROUP);
  const [findProgram, scaleProgram, recordMean] = await Promise.all([
    builder.program({
      label: 'statistics.wet-cells',
      code: [reduction, PARAMETERS.wgsl, wetCells],
      bindings: ['uniform', 'read', 'read', 'read', 'write', 'write'],
    }),
    builder.program({
      label: 'statistics.wet-weights',
      code: [indexLibrary, SCALE_PARAMETERS.wgsl, wetWeights],
      bindings: ['uniform', 'read', 'write'],
    }),
    prepareMean(builder, 1, parts, cells),
  ]);
  const uniform = builder.uniform('parameters', PARAMETERS, {
    members,
    state: variables * cells,
    cells,
    parts,
    dryDepth,
  });
  const scaleUniform = builder.uniform('scale-parameters', SCALE_PARAMETERS, { cells });
  const counts = builder.scratch('counts', 'real', parts);
  const share = builder.scratch('share', 'real', 1);
  const workgroups = workgroupsFor(cells, WORKGROUP);
  return (recorder, { ensemble, truth, bed, weight }) => {
    recorder.dispatch(findProgram, [uniform, ensemble, truth, bed, weight, counts], workgroups);
    recordMean(recorder, counts, share);
    recorder.dispatch(scaleProgram, [scaleUniform, share, weight], workgroups);
  };
};

export default webGpuWetCells;
