/** The central-upwind scheme on a GPU: one kernel a stage of Heun's step. */
import type { WebGpuOperator } from '../../../compute/webgpu/program.ts';
import { STEPPING_BINDINGS } from '../../stepping-webgpu.ts';
import type { StepFields } from '../../stepping.ts';
import { createFrame } from '../webgpu-frame.ts';
import type { CentralUpwindParameters } from './parameters.ts';
import source from './stage.wgsl?raw';

/** Invocations of a workgroup along x and y: of a basin, and of a single row of cells, which most of those would miss. */
const LANES = { basin: [16, 16], row: [32, 4] } as const;
/** Rings of cells among them that are not its own. */
const RINGS = 3;

const prepareCentralUpwind: WebGpuOperator<CentralUpwindParameters, StepFields> = async (builder, parameters) => {
  const { nx, ny, members, steps } = parameters;
  const [LANES_X, LANES_Y] = ny === 1 ? LANES.row : LANES.basin;
  const frame = await createFrame(builder, 'central-upwind', parameters);
  const stages = await Promise.all(
    [1, 2].map((stage) =>
      builder.program({
        label: `central-upwind.stage-${stage}`,
        code: [...frame.code, source],
        constants: { STAGE: stage, LANES_X, LANES_Y },
        bindings: [...STEPPING_BINDINGS, 'uniform', 'read', 'write', 'write'],
      }),
    ),
  );
  const other = builder.shared('shallow-water.other', 'real', 3 * nx * ny * members);
  const workgroups = [Math.ceil(nx / (LANES_X - RINGS)), Math.ceil(ny / (LANES_Y - RINGS)), members] as const;
  return (recorder, buffers) => {
    frame.begin(recorder, buffers);
    for (let s = 0; s < steps; s++) {
      for (const stage of stages) {
        const own = [frame.basin, frame.bed, buffers.state, other];
        recorder.dispatch(stage, [...frame.stepping(s, buffers), ...own], workgroups);
      }
    }
    frame.end(recorder, buffers);
  };
};

export default prepareCentralUpwind;
