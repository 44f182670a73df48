/** The linearised step of the central-upwind scheme on devices. */
import { uniformBlock } from '../../../compute/parameter-block.ts';
import finiteSource from '../../../compute/webgpu/library/finite.wgsl?raw';
import { partsOf, type WebGpuOperator } from '../../../compute/webgpu/program.ts';
import type { LinearStepFields, LinearStepParameters } from '../../linear-step.ts';
import { basinSource, basinUniform } from '../devices.ts';
import { part as stagePart } from './devices.ts';
import type { SchemeBasin } from './euler.ts';
import changeSource from './linear-change.wgsl?raw';
import source from './linear.wgsl?raw';

/** What the linearised step of the central-upwind scheme is prepared with. */
export interface LinearCentralUpwindParameters extends LinearStepParameters, SchemeBasin {}

const part = partsOf(source);
const changePart = partsOf(changeSource);

const STEP = uniformBlock('Step', { seconds: 'f32' });

/** Invocations of a workgroup along x and y: as many as its memory of 16 KiB, which every GPU has, allows. */
const [LANES_X, LANES_Y] = [16, 12] as const;
/** Rings of cells among them that are not its own. */
const RINGS = 3;
/** Sections of the work space, a real a cell each, as in linear.wgsl. */
const SECTIONS = 13;

/** Two dispatches follow the Euler steps, two more take the tangent through them, or the adjoint backwards. */
export const linearCentralUpwindWebGpu: WebGpuOperator<LinearCentralUpwindParameters, LinearStepFields> = async (
  builder,
  parameters,
) => {
  const { nx, ny, bed, timeStep, direction } = parameters;
  const program = (role: 'follow' | 'change', stage: number) =>
    builder.program({
      label: `central-upwind-linear.${role === 'follow' ? role : direction}-${stage}`,
      code: [
        STEP.wgsl,
        basinSource,
        finiteSource,
        stagePart('tile'),
        stagePart('faces'),
        part('common'),
        ...(role === 'follow' ? [part('follow')] : [part('linear-faces'), changePart(direction)]),
      ],
      constants: { STAGE: stage, IS_ADJOINT: direction === 'adjoint' ? 1 : 0, LANES_X, LANES_Y },
      bindings: ['uniform', 'uniform', 'read', 'read', 'read', 'write', 'write'],
    });
  const stages = direction === 'tangent' ? [1, 2] : [2, 1];
  const programs = await Promise.all([
    ...[1, 2].map((stage) => program('follow', stage)),
    ...stages.map((stage) => program('change', stage)),
  ]);
  const basin = basinUniform(builder, { ...parameters, members: 1 });
  const step = builder.uniform('step', STEP, { seconds: timeStep });
  const bedTable = builder.table('bed', 'real', bed);
  const work = builder.scratch('work', 'real', SECTIONS * nx * ny + 2 * (nx + 2) * (ny + 2));
  const workgroups = [Math.ceil(nx / (LANES_X - RINGS)), Math.ceil(ny / (LANES_Y - RINGS))] as const;
  return (recorder, { before, input, output }) => {
    for (const each of programs) {
      recorder.dispatch(each, [basin, step, bedTable, before, input, output, work], workgroups);
    }
  };
};
