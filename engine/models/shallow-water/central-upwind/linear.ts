/**
 * The step of the central-upwind scheme, linearised: friction, Heun's two Euler steps, and friction (euler.ts), each with its
 * derivative and the adjoint of that. Where a cell runs out of water or water is held back at a shore, the shares that limit it are
 * taken as they are: there the derivative is of the flow and not of the limit. What is dry has no momentum and carries nothing.
 */
import type { ArraysOf, Cost, Operator, RealArray } from '../../../compute/backend.ts';
import { parameterBlock, uniformBlock } from '../../../compute/parameter-block.ts';
import type { WasmBuilder, WasmOperator } from '../../../compute/wasm/program.ts';
import finiteSource from '../../../compute/webgpu/library/finite.wgsl?raw';
import { partsOf, type KernelBuilder, type WebGpuOperator } from '../../../compute/webgpu/program.ts';
import { FOLLOWED_FIELDS, KEEPING_STEP_FIELDS } from '../../model.ts';
import { bandsOf, BOUNDARY_CODES } from '../../stepping.ts';
import { basinSource, basinUniform, dragFactor } from '../basin.ts';
import { createEulerStep, type SchemeBasin } from './euler.ts';
import { createLinearEuler, keptLayout } from './linear-euler.ts';
import type { FollowedStepParameters, LinearCentralUpwindParameters } from './linear-euler.ts';
import { part as stagePart, STAGE_MEMBERS, stepNumbers, workspaceBytes } from './devices.ts';
import changeSource from './linear-change.wgsl?raw';
import source from './linear.wgsl?raw';

/** Exponent of the depth in Manning's friction. */
const MANNING_EXPONENT = 7 / 3;

/** Half a step of friction, and its derivative. */
function createFriction(
  { nx, ny, gravity, manning, drag = 0, dryDepth }: SchemeBasin,
  bed: Float64Array,
  timeStep: number,
) {
  const cells = nx * ny;
  const isRubbed = manning > 0 || drag > 0;
  const half = dragFactor(drag, timeStep / 4);

  /** In a cell: the factor of its momenta, and what that depends on; undefined where it is dry. */
  function frictionOf(at: RealArray, cell: number) {
    const depth = at[cell] - bed[cell];
    if (depth <= dryDepth) return undefined;
    const speed = Math.hypot(at[cell + cells], at[cell + 2 * cells]);
    const drain = (half * (timeStep / 2) * gravity * manning ** 2 * speed) / depth ** MANNING_EXPONENT;
    return { depth, speed, drain, factor: half ** 2 / (1 + drain) };
  }

  return {
    apply(from: RealArray, to: Float64Array): void {
      to.set(from);
      if (!isRubbed) return;
      for (let cell = 0; cell < cells; cell++) {
        const factor = frictionOf(from, cell)?.factor ?? 1;
        to[cell + cells] *= factor;
        to[cell + 2 * cells] *= factor;
      }
    },

    /** Linearised about `at`, or its adjoint: in place. */
    change(direction: LinearCentralUpwindParameters['direction'], at: RealArray, vector: Float64Array): void {
      if (!isRubbed) return;
      for (let cell = 0; cell < cells; cell++) {
        const found = frictionOf(at, cell);
        if (!found) continue;
        const { depth, speed, drain, factor } = found;
        const [x, y] = [cell + cells, cell + 2 * cells];
        // −d factor / d ln drain
        const loss = (factor * drain) / (1 + drain);
        const perMomentum = speed > 0 ? loss / speed ** 2 : 0;
        const perDepth = (MANNING_EXPONENT * loss) / depth;
        if (direction === 'tangent') {
          const fall = perMomentum * (at[x] * vector[x] + at[y] * vector[y]) - perDepth * vector[cell];
          vector[x] = factor * vector[x] - at[x] * fall;
          vector[y] = factor * vector[y] - at[y] * fall;
        } else {
          const fall = at[x] * vector[x] + at[y] * vector[y];
          vector[cell] += perDepth * fall;
          vector[x] = factor * vector[x] - perMomentum * at[x] * fall;
          vector[y] = factor * vector[y] - perMomentum * at[y] * fall;
        }
      }
    },
  };
}

function followReference(parameters: FollowedStepParameters): (arrays: ArraysOf<typeof FOLLOWED_FIELDS>) => void {
  const { nx, ny, dryDepth, timeStep } = parameters;
  const cells = nx * ny;
  const layout = keptLayout(parameters);
  const euler = createEulerStep(parameters);
  const { bed, place, share, slowing } = euler;
  const friction = createFriction(parameters, bed, timeStep);
  const [rubbed, twice] = [new Float64Array(3 * cells), new Float64Array(3 * cells)];

  /** The limits of the Euler step that was taken, to the state `to`. */
  function keepLimits(kept: RealArray, step: 0 | 1, to: RealArray): void {
    const [limits, shares] = [layout.limits[step], layout.shares[step]];
    for (let cell = 0; cell < cells; cell++) {
      const isWet = to[cell] - bed[cell] > dryDepth;
      kept[limits + cell] = to[cell] > bed[cell] ? Number(isWet) * slowing[cell] : -1;
    }
    for (let j = -1; j <= ny; j++) {
      const row = place(-1, j);
      kept.set(share.subarray(row, row + nx + 2), shares + (j + 1) * (nx + 2));
    }
  }

  return ({ before, kept }) => {
    euler.roundBed(before);
    friction.apply(before, rubbed);
    const once = kept.subarray(layout.once, layout.once + 3 * cells);
    euler.load(rubbed, 0);
    euler.step(rubbed, 0, once, 0, timeStep);
    keepLimits(kept, 0, once);
    euler.load(once, 0);
    euler.step(once, 0, twice, 0, timeStep);
    keepLimits(kept, 1, twice);
    for (let i = 0; i < twice.length; i++) kept[layout.mean + i] = 0.5 * (rubbed[i] + twice[i]);
  };
}

function linearCentralUpwindReference(
  parameters: LinearCentralUpwindParameters,
): (arrays: ArraysOf<typeof KEEPING_STEP_FIELDS>) => void {
  const { nx, ny, dryDepth, timeStep, direction } = parameters;
  const cells = nx * ny;
  const layout = keptLayout(parameters);
  const state = (): Float64Array => new Float64Array(3 * cells);
  const euler = createLinearEuler(parameters);
  const { bed } = euler;
  const friction = createFriction(parameters, bed, timeStep);
  const rubbed = state();
  const [changed, changedOnce, changedTwice] = [state(), state(), state()];

  return ({ before, kept, input, output }) => {
    euler.roundBed(before);
    const once = kept.subarray(layout.once, layout.once + 3 * cells);
    const mean = kept.subarray(layout.mean, layout.mean + 3 * cells);
    /** Halves a vector before or after the mean; what is dry there has no momentum. */
    const halve = (vector: Float64Array): void => {
      for (let cell = 0; cell < cells; cell++) {
        const ofMomenta = mean[cell] - bed[cell] > dryDepth ? 0.5 : 0;
        vector[cell] *= 0.5;
        vector[cell + cells] *= ofMomenta;
        vector[cell + 2 * cells] *= ofMomenta;
      }
    };
    /** Prepares the derivative of the first Euler step, and of the second. */
    const first = (): void => {
      friction.apply(before, rubbed);
      euler.prepare(rubbed, kept.subarray(layout.limits[0]), kept.subarray(layout.shares[0]));
    };
    const second = (): void => {
      euler.prepare(once, kept.subarray(layout.limits[1]), kept.subarray(layout.shares[1]));
    };

    changed.set(input);
    if (direction === 'tangent') {
      friction.change(direction, before, changed);
      first();
      euler.tangent(changed, changedOnce);
      second();
      euler.tangent(changedOnce, changedTwice);
      for (let i = 0; i < changed.length; i++) changed[i] += changedTwice[i];
      halve(changed);
      friction.change(direction, mean, changed);
    } else {
      friction.change(direction, mean, changed);
      halve(changed);
      second();
      euler.adjoint(changed, changedTwice);
      first();
      euler.adjoint(changedTwice, changedOnce);
      for (let i = 0; i < changed.length; i++) changed[i] += changedOnce[i];
      friction.change(direction, before, changed);
    }
    output.set(changed);
  };
}

/** Reals of a cell that a step reads and writes: the state and what is kept, all but the ring of the shares. */
const FOLLOWED_REALS = 3 + 10;
/** As the scheme itself (index.ts). */
const FOLLOWED_FLOPS = 500;

/** Finds what the derivative of the step from `before` needs, into `kept` (linear-euler.ts). */
export const followCentralUpwind: Operator<FollowedStepParameters, typeof FOLLOWED_FIELDS> = {
  name: 'central-upwind-follow',
  fields: FOLLOWED_FIELDS,
  cost: ({ nx, ny }, elementBytes): Cost => ({
    bytes: FOLLOWED_REALS * nx * ny * elementBytes,
    flops: FOLLOWED_FLOPS * nx * ny,
  }),
  implementations: {
    reference: followReference,
    wasm: async () => followCentralUpwindWasm,
    webgpu: async () => followCentralUpwindWebGpu,
  },
};

/** Reals of a cell that a step reads and writes: the state, what is kept, the bed, and the change before and after. */
const LINEAR_REALS = 3 + 10 + 1 + 6;
/** Floating-point operations of a cell: two stages, each with two faces of about 180 and a cell of 90. */
const LINEAR_FLOPS = 900;

/** Its fields are η, hu, hv of one state, and what `followCentralUpwind` has kept of the step from it. */
export const linearCentralUpwind: Operator<LinearCentralUpwindParameters, typeof KEEPING_STEP_FIELDS> = {
  name: 'central-upwind-linear',
  fields: KEEPING_STEP_FIELDS,
  cost: ({ nx, ny }, elementBytes): Cost => ({
    bytes: LINEAR_REALS * nx * ny * elementBytes,
    flops: LINEAR_FLOPS * nx * ny,
  }),
  implementations: {
    reference: linearCentralUpwindReference,
    wasm: async () => linearCentralUpwindWasm,
    webgpu: async () => linearCentralUpwindWebGpu,
  },
};

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
const followCentralUpwindWasm: WasmOperator<FollowedStepParameters, typeof FOLLOWED_FIELDS> = (builder, parameters) => {
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
const linearCentralUpwindWasm: WasmOperator<LinearCentralUpwindParameters, typeof KEEPING_STEP_FIELDS> = (
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
const followCentralUpwindWebGpu: WebGpuOperator<FollowedStepParameters, typeof FOLLOWED_FIELDS> = async (
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
const linearCentralUpwindWebGpu: WebGpuOperator<LinearCentralUpwindParameters, typeof KEEPING_STEP_FIELDS> = async (
  builder,
  parameters,
) => {
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
