/** The linearised step of the central-upwind scheme on devices. */
import { parameterBlock, uniformBlock } from '../../../compute/parameter-block.ts';
import type { WasmOperator } from '../../../compute/wasm/program.ts';
import finiteSource from '../../../compute/webgpu/library/finite.wgsl?raw';
import { partsOf, type WebGpuOperator } from '../../../compute/webgpu/program.ts';
import type { LinearStepFields, LinearStepParameters } from '../../linear-step.ts';
import { bandsOf, BOUNDARY_CODES } from '../../stepping-devices.ts';
import { basinSource, basinUniform } from '../devices.ts';
import { part as stagePart, STAGE_MEMBERS, stepNumbers, workspaceBytes } from './devices.ts';
import type { SchemeBasin } from './euler.ts';
import changeSource from './linear-change.wgsl?raw';
import source from './linear.wgsl?raw';

/** What the linearised step of the central-upwind scheme is prepared with. */
export interface LinearCentralUpwindParameters extends LinearStepParameters, SchemeBasin {}

const part = partsOf(source);
const changePart = partsOf(changeSource);

/** The parameters of the scheme itself, and after them those of its derivative. */
const LINEAR_CENTRAL_UPWIND = parameterBlock('LinearCentralUpwind', {
  ...STAGE_MEMBERS,
  /** Change of the state, or sensitivity: before, after, and between the stages; [η, hu, hv][y][x]. */
  input: 'pointer',
  output: 'pointer',
  between: 'pointer',
});

/** As in linear-faces-library.as.ts: arrays of changes or sensitivities; three rows of sides, a row of faces, and what is computed from faces. */
const VECTOR_ARRAYS = 6;
const ROW_ARRAYS = 3 * 24 + 15 + 15;
/** Reals beyond the shares that vectors reach. */
const BEYOND = 8;

/** In SIMD: two runs follow the Euler steps, two more compute the tangent of each, or the adjoint in reverse order; a part is a band of rows. */
export const linearCentralUpwindWasm: WasmOperator<LinearCentralUpwindParameters, LinearStepFields> = (
  builder,
  parameters,
) => {
  const { nx, ny, dx, dy, gravity, boundary, bed, dryDepth, timeStep, direction } = parameters;
  const cells = nx * ny;
  const { bands, rowsPerBand, parts } = bandsOf({ nx, ny, members: 1 });
  const reals = (label: string, length: number): number =>
    builder.reals(`central-upwind-linear.${label}`, length).address;
  const shares = (nx + 2) * (ny + 2) + BEYOND;
  const stages = [1, 2].map((stage) => ({
    stage,
    limits: reals(`limits-${stage}`, 2 * cells),
    shares: reals(`shares-${stage}`, shares),
  }));
  const numbers = {
    nx,
    ny,
    boundaryX: BOUNDARY_CODES[boundary.x],
    boundaryY: BOUNDARY_CODES[boundary.y],
    gravity,
    dx,
    dy,
    dryDepth,
    ...stepNumbers(parameters, timeStep),
    bands,
    rowsPerBand,
    bed: builder.realTable('central-upwind-linear.bed', bed),
    other: reals('once', 3 * cells),
    mean: reals('mean', 3 * cells),
    between: reals('between', 3 * cells),
  };
  const program = (kernel: string) =>
    builder.program(kernel, LINEAR_CENTRAL_UPWIND, numbers, workspaceBytes(nx, VECTOR_ARRAYS, ROW_ARRAYS));
  const follow = program('centralUpwindFollow');
  const change = program(direction === 'tangent' ? 'centralUpwindTangent' : 'centralUpwindAdjoint');
  const order = direction === 'tangent' ? stages : stages.toReversed();
  return ({ before, input, output }) => {
    for (const stage of stages) {
      follow.set({ ...stage, state: before.byteOffset });
      follow.run(parts);
    }
    for (const stage of order) {
      change.set({
        ...stage,
        state: before.byteOffset,
        input: input.byteOffset,
        output: output.byteOffset,
      });
      change.run(parts);
    }
  };
};

const STEP = uniformBlock('Step', { seconds: 'f32' });

/** Invocations of a workgroup along x and y: as many as its memory of 16 KiB, which every GPU has, allows. */
const [LANES_X, LANES_Y] = [16, 12] as const;
/** Rings of cells among them that are not its own. */
const RINGS = 3;
/** Sections of the work space, a real a cell each, as in linear.wgsl. */
const SECTIONS = 13;

/** Two dispatches follow the Euler steps, two more compute the tangent of each, or the adjoint in reverse order. */
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
