/** The central-upwind scheme on a GPU: one kernel a stage of Heun's step. */
import { parameterBlock } from '../../../compute/parameter-block.ts';
import type { WasmOperator } from '../../../compute/wasm/program.ts';
import { partsOf, type WebGpuOperator } from '../../../compute/webgpu/program.ts';
import { STEPPING_BINDINGS, wasmSteps, type StepFields, type StepsTaken } from '../../stepping.ts';
import { createWebGpuFrame, FRAME, createWasmFrame, dragFactor } from '../basin.ts';
import type { SchemeBasin, CentralUpwindParameters } from './euler.ts';
import source from './stage.wgsl?raw';

/** Parts of the kernels in WGSL. */
export const part = partsOf(source);

/** Members of the parameters of all kernels of the scheme. */
export const STAGE_MEMBERS = {
  ...FRAME,
  dryDepth: 'f32',
  /** dt/dx, dt/dy */
  ratioX: 'f32',
  ratioY: 'f32',
  /** dt·f of row 0, and what it grows by from row to row. */
  rotation: 'f32',
  rotationGrowth: 'f32',
  /** dt/2·g n², m^⅓·s: 0 without Manning's friction. */
  friction: 'f32',
  /** What linear drag leaves of the momenta in a quarter of a step: 1 without. */
  drag: 'f32',
  stage: 'i32',
  /** [y][x] */
  bed: 'pointer',
  /**
   * Where a stage keeps its limits and shares for its derivative, if any, and the mean of Heun's method (linear-euler.ts).
   */
  limits: 'pointer',
  shares: 'pointer',
  mean: 'pointer',
} as const;

const CENTRAL_UPWIND = parameterBlock('CentralUpwind', { ...STAGE_MEMBERS });

/** As in block-library.as.ts: rows of a block with its rings, arrays of so many rows, and rows of slopes. */
const BLOCK_ROWS = 16 + 2 * 3;
const BLOCK_ARRAYS = 19;
const SLOPE_ROWS = 2 * 5;

/** @param arrays, rows that a kernel needs beyond those of the scheme itself: arrays of a block, and single rows */
export function workspaceBytes(nx: number, arrays = 0, rows = 0): number {
  const rowBytes = 4 * (4 * Math.ceil(nx / 4) + 16);
  return ((BLOCK_ARRAYS + arrays) * BLOCK_ROWS + SLOPE_ROWS + rows) * rowBytes;
}

/** Numbers of a step of so many seconds, as the kernels use them. */
export function stepNumbers({ ny, dx, dy, gravity, coriolis, manning, drag = 0 }: SchemeBasin, seconds: number) {
  return {
    ratioX: seconds / dx,
    ratioY: seconds / dy,
    rotation: seconds * (coriolis.f - coriolis.beta * 0.5 * (ny - 1) * dy),
    rotationGrowth: seconds * coriolis.beta * dy,
    friction: 0.5 * seconds * gravity * manning ** 2,
    drag: dragFactor(drag, seconds / 4),
  };
}

/** The central-upwind scheme in SIMD: a part of a task is a member with all steps of a run, or a stage of a band of its rows. */
export const centralUpwindWasm: WasmOperator<CentralUpwindParameters, StepFields> = (builder, parameters) => {
  const { nx, bed, dryDepth } = parameters;
  const frame = createWasmFrame(builder, 'central-upwind', parameters);
  const { bands, reports } = frame;
  const constants = {
    ...frame.constants,
    dryDepth,
    bed: builder.realTable('central-upwind.bed', bed),
    limits: 0,
    shares: 0,
    mean: 0,
  };
  const kernel = bands.bands === 1 ? 'centralUpwindMember' : 'centralUpwindStage';
  const step = builder.program(kernel, CENTRAL_UPWIND, constants, workspaceBytes(nx));
  const rate = builder.program('centralUpwindWaveRate', CENTRAL_UPWIND, constants);

  const takeBands = (count: number): StepsTaken => {
    for (let taken = 1; taken <= count; taken++) {
      for (const stage of [1, 2]) {
        step.set({ stage });
        step.run(bands.parts);
      }
      const wrong = reports.first();
      if (wrong) return { steps: taken, fault: wrong.fault };
    }
    return { steps: count };
  };

  return wasmSteps(parameters, {
    waveRate: (state) => frame.waveRate(rate, state),
    advance(state, count, seconds, bound) {
      step.set({ ...frame.boundOf(bound), state: state.byteOffset, ...stepNumbers(parameters, seconds) });
      return bands.bands === 1 ? frame.takeMembers(step, state, count) : takeBands(count);
    },
  });
};

/** Invocations of a workgroup along x and y: of a basin, and of a single row of cells, which most of those would miss. */
const LANES = { basin: [16, 16], row: [32, 4] } as const;
/** Rings of cells among them that are not its own. */
const RINGS = 3;

export const centralUpwindWebGpu: WebGpuOperator<CentralUpwindParameters, StepFields> = async (builder, parameters) => {
  const { nx, ny, members, steps } = parameters;
  const [LANES_X, LANES_Y] = ny === 1 ? LANES.row : LANES.basin;
  const frame = await createWebGpuFrame(builder, 'central-upwind', parameters);
  const stages = await Promise.all(
    [1, 2].map((stage) =>
      builder.program({
        label: `central-upwind.stage-${stage}`,
        code: [...frame.code, part('tile'), part('faces'), part('stage')],
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
