/** The linearised step of the central-upwind scheme on devices. */
import { parameterBlock, uniformBlock } from '../../../compute/parameter-block.ts';
import type { RealArray } from '../../../compute/backend.ts';
import type { WasmBuilder, WasmOperator } from '../../../compute/wasm/program.ts';
import finiteSource from '../../../compute/webgpu/library/finite.wgsl?raw';
import { partsOf, type KernelBuilder, type WebGpuOperator } from '../../../compute/webgpu/program.ts';
import type { FOLLOWED_FIELDS, KEEPING_STEP_FIELDS } from '../../linear-step.ts';
import { bandsOf, BOUNDARY_CODES } from '../../stepping-devices.ts';
import { basinSource, basinUniform } from '../devices.ts';
import { part as stagePart, STAGE_MEMBERS, stepNumbers, workspaceBytes } from './devices.ts';
import { keptLayout, type FollowedStepParameters, type LinearCentralUpwindParameters } from './linear-kept.ts';
import changeSource from './linear-change.wgsl?raw';
import source from './linear.wgsl?raw';

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
/** Numbers of a step on a basin that is divided into bands, and addresses of what is kept of the step. */
function stepOnBands(builder: WasmBuilder, parameters: FollowedStepParameters) {
  const { nx, ny, dx, dy, gravity, boundary, bed, dryDepth, timeStep } = parameters;
  const { bands, rowsPerBand, parts } = bandsOf({ nx, ny, members: 1 });
  const layout = keptLayout(parameters);
  return {
    parts,
    numbers: {
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
    },
    addressesIn: ({ byteOffset }: RealArray, stage: 1 | 2) => {
      const at = (reals: number): number => byteOffset + 4 * reals;
      return {
        stage,
        other: at(layout.once),
        mean: at(layout.mean),
        limits: at(layout.limits[stage - 1]),
        shares: at(layout.shares[stage - 1]),
      };
    },
  };
}

/** In SIMD: a run for each Euler step; a part is a band of rows. */
export const followCentralUpwindWasm: WasmOperator<FollowedStepParameters, typeof FOLLOWED_FIELDS> = (
  builder,
  parameters,
) => {
  const { parts, numbers, addressesIn } = stepOnBands(builder, parameters);
  const follow = builder.program('centralUpwindFollow', LINEAR_CENTRAL_UPWIND, numbers, workspaceBytes(parameters.nx));
  return ({ before, kept }) => {
    for (const stage of [1, 2] as const) {
      follow.set({ ...addressesIn(kept, stage), state: before.byteOffset });
      follow.run(parts);
    }
  };
};

/** In SIMD: a run for the tangent of each Euler step, or for the adjoint in reverse order; a part is a band of rows. */
export const linearCentralUpwindWasm: WasmOperator<LinearCentralUpwindParameters, typeof KEEPING_STEP_FIELDS> = (
  builder,
  parameters,
) => {
  const { nx, ny, direction } = parameters;
  const { parts, numbers, addressesIn } = stepOnBands(builder, parameters);
  const change = builder.program(
    direction === 'tangent' ? 'centralUpwindTangent' : 'centralUpwindAdjoint',
    LINEAR_CENTRAL_UPWIND,
    { ...numbers, between: builder.reals('central-upwind-linear.between', 3 * nx * ny).address },
    workspaceBytes(nx, VECTOR_ARRAYS, ROW_ARRAYS),
  );
  const order = direction === 'tangent' ? ([1, 2] as const) : ([2, 1] as const);
  return ({ before, kept, input, output }) => {
    for (const stage of order) {
      change.set({
        ...addressesIn(kept, stage),
        state: before.byteOffset,
        input: input.byteOffset,
        output: output.byteOffset,
      });
      change.run(parts);
    }
  };
};

const STEP = uniformBlock('Step', { seconds: 'f32' });

/**
 * The workgroup of a kernel, whose memory is 16 KiB at most, which every GPU has.
 *
 * @param lanesX columns of its own cells and those around them, @param lanesY rows
 * @param ahead columns and rows before its own cells; as many come after them, and one more
 */
function workgroupOf(lanesX: number, lanesY: number, ahead: number) {
  return {
    constants: { LANES_X: lanesX, LANES_Y: lanesY, AHEAD: ahead },
    covering: ({ nx, ny }: { readonly nx: number; readonly ny: number }) =>
      [Math.ceil(nx / (lanesX - 1 - 2 * ahead)), Math.ceil(ny / (lanesY - 1 - 2 * ahead))] as const,
  };
}

const ADJOINT = workgroupOf(16, 16, 1);

/**
 * A tangent needs no more than the far faces of its own cells, since the shares of the cells around them are kept. An adjoint has an
 * invocation for each face along an axis, in place of one for each of those cells.
 */
const WORKGROUPS = {
  follow: workgroupOf(16, 16, 1),
  tangent: workgroupOf(16, 14, 0),
  adjoint: { ...ADJOINT, constants: { ...ADJOINT.constants, LANES: 16 * 13 } },
} as const;

const COMMON_CODE = [STEP.wgsl, basinSource, finiteSource, stagePart('tile'), stagePart('faces'), part('common')];

/** Two dispatches, one for each Euler step. */
export const followCentralUpwindWebGpu: WebGpuOperator<FollowedStepParameters, typeof FOLLOWED_FIELDS> = async (
  builder,
  parameters,
) => {
  const { constants, covering } = WORKGROUPS.follow;
  const stages = await Promise.all(
    [1, 2].map((stage) =>
      builder.program({
        label: `central-upwind-follow.stage-${stage}`,
        code: [...COMMON_CODE, part('follow')],
        constants: { ...constants, STAGE: stage },
        bindings: ['uniform', 'uniform', 'read', 'read', 'write'],
      }),
    ),
  );
  const fixed = fixedBuffers(builder, parameters);
  return (recorder, { before, kept }) => {
    for (const stage of stages) recorder.dispatch(stage, [...fixed, before, kept], covering(parameters));
  };
};

/** Basin, step and bed. */
function fixedBuffers(builder: KernelBuilder, parameters: FollowedStepParameters): readonly GPUBuffer[] {
  return [
    basinUniform(builder, { ...parameters, members: 1 }),
    builder.uniform('step', STEP, { seconds: parameters.timeStep }),
    builder.table('bed', 'real', parameters.bed),
  ];
}

/** Two dispatches: the tangent of each Euler step, or the adjoint in reverse order. */
export const linearCentralUpwindWebGpu: WebGpuOperator<
  LinearCentralUpwindParameters,
  typeof KEEPING_STEP_FIELDS
> = async (builder, parameters) => {
  const { nx, ny, direction } = parameters;
  const { constants, covering } = WORKGROUPS[direction];
  const order = direction === 'tangent' ? [1, 2] : [2, 1];
  const stages = await Promise.all(
    order.map((stage) =>
      builder.program({
        label: `central-upwind-linear.${direction}-${stage}`,
        code: [...COMMON_CODE, part('linear-faces'), changePart('change'), changePart(direction)],
        constants: { ...constants, STAGE: stage },
        bindings: ['uniform', 'uniform', 'read', 'read', 'read', 'read', 'write', 'write'],
      }),
    ),
  );
  const fixed = fixedBuffers(builder, parameters);
  const between = builder.scratch('between', 'real', 3 * nx * ny);
  return (recorder, { before, kept, input, output }) => {
    for (const stage of stages) {
      recorder.dispatch(stage, [...fixed, before, kept, input, output, between], covering(parameters));
    }
  };
};
