/** What the schemes for a flat bottom share: their cost, what drives them in float64 and in SIMD, and one kernel a step on a GPU. */
import type { ArraysOf, RealArray, Cost } from '../../../compute/backend.ts';
import { parameterBlock } from '../../../compute/parameter-block.ts';
import type { WasmOperator } from '../../../compute/wasm/program.ts';
import { partsOf, type WebGpuOperator } from '../../../compute/webgpu/program.ts';
import { referenceSteps, STEPPING_BINDINGS, wasmSteps, type StepFields, type StepsTaken } from '../../stepping.ts';
import {
  createWebGpuFrame,
  FRAME,
  createWasmFrame,
  cellWaveRate,
  firstFault,
  largestRate,
  dragFactor,
  type SchemeParameters,
} from '../basin.ts';
import flatBottomSource from './flat-bottom.wgsl?raw';

export { linearFlatBottom } from './linear.ts';

/** Every step reads and writes three reals a cell. @param flopsPerCell of one step */
export function flatBottomCost(flopsPerCell: number) {
  return ({ nx, ny, members, steps }: SchemeParameters, elementBytes: number): Cost => ({
    bytes: 6 * nx * ny * members * steps * elementBytes,
    flops: flopsPerCell * nx * ny * members * steps,
  });
}

/** @param stepMember steps the member whose h, hu, hv begin at `offset` of the state by `seconds`, in place */
export function flatBottomReference(
  parameters: SchemeParameters,
  stepMember: (state: RealArray, offset: number, seconds: number) => void,
): (arrays: ArraysOf<StepFields>) => void {
  const { nx, ny, members, drag = 0 } = parameters;
  const cells = nx * ny;

  function slow(state: RealArray, seconds: number): void {
    if (drag === 0) return;
    const factor = dragFactor(drag, seconds);
    for (let member = 0; member < members; member++) {
      const depth = member * 3 * cells;
      for (let i = depth + cells; i < depth + 3 * cells; i++) state[i] *= factor;
    }
  }

  return referenceSteps(parameters, (state) => {
    const rateOf = (i: number): number =>
      cellWaveRate(parameters, state[i], state[i + cells] / state[i], state[i + 2 * cells] / state[i]);
    return {
      step(seconds) {
        slow(state, seconds / 2);
        for (let member = 0; member < members; member++) stepMember(state, member * 3 * cells, seconds);
        slow(state, seconds / 2);
      },
      waveRate: () => largestRate(parameters, rateOf),
      fault: (bound) => firstFault(parameters, state, bound, rateOf, (h) => h <= 0),
    };
  });
}

const part = partsOf(flatBottomSource);

const FLAT_BOTTOM = parameterBlock('FlatBottom', {
  ...FRAME,
  /** Ratios of the time step to the cells: of the half step, and of the full step. */
  halfX: 'f32',
  halfY: 'f32',
  fullX: 'f32',
  fullY: 'f32',
  /** What drag leaves of the momenta in half a step: 1 without. */
  drag: 'f32',
});

/** Arrays of a row with its ghost cells that a kernel keeps at a time, at most. */
const SCRATCH_ARRAYS = 30;

/** Bytes of such an array, as in frame-library.as.ts. */
function rowBytes(nx: number): number {
  return 4 * (4 * Math.ceil((nx + 1) / 4) + 12);
}

/**
 * @param kernel of the scheme
 * @param corners whether half steps are taken at corners, of the mean of two differences, and not on faces
 */
export function flatBottomWasm(kernel: string, corners: boolean): WasmOperator<SchemeParameters, StepFields> {
  return (builder, parameters) => {
    const { nx, dx, dy, drag = 0 } = parameters;
    const frame = createWasmFrame(builder, kernel, parameters);
    const { bands, other, reports } = frame;
    const step = builder.program(kernel, FLAT_BOTTOM, frame.constants, SCRATCH_ARRAYS * rowBytes(nx));
    const rate = builder.program('flatBottomWaveRate', FLAT_BOTTOM, frame.constants);
    const share = corners ? 2 : 1;

    /** Bands of members: step by step, from one state to the other. */
    const takeBands = (state: RealArray, count: number): StepsTaken => {
      const places = [state.byteOffset, other.address];
      let wrong: ReturnType<typeof reports.first>;
      let taken = 0;
      while (taken < count && !wrong) {
        step.set({ state: places[taken % 2], other: places[(taken + 1) % 2], steps: 1 });
        step.run(bands.parts);
        wrong = reports.first();
        taken++;
      }
      if (taken % 2 === 1) state.set(other.view());
      return { steps: taken, ...(wrong && { fault: wrong.fault }) };
    };

    return wasmSteps(parameters, {
      waveRate: (state) => frame.waveRate(rate, state),
      advance(state, count, seconds, bound) {
        step.set({
          ...frame.boundOf(bound),
          halfX: seconds / (2 * share * dx),
          halfY: seconds / (2 * share * dy),
          fullX: seconds / (share * dx),
          fullY: seconds / (share * dy),
          drag: dragFactor(drag, seconds / 2),
          state: state.byteOffset,
          other: other.address,
        });
        return bands.bands === 1 ? frame.takeMembers(step, state, count) : takeBands(state, count);
      },
    });
  };
}

/** Columns and rows of invocations in a workgroup, and columns of each; as in the kernels. */
const LANES = [64, 2] as const;
const COLUMNS = 4;
/** Rows of an invocation: fewer reads and fluxes a cell the more there are, if there are cells enough for all lanes. */
const ROWS = { few: 1, many: 4 } as const;
const MANY_CELLS = 2 ** 20;

/**
 * @param name of the operator
 * @param source of the scheme's kernel, which follows `flat-bottom.wgsl`
 * @param constants of the kernel, beside ROWS
 */
export function flatBottomWebGpu(
  name: string,
  source: string,
  constants: Readonly<Record<string, number>> = {},
): WebGpuOperator<SchemeParameters, StepFields> {
  return async (builder, parameters) => {
    const { nx, ny, members, steps } = parameters;
    const frame = await createWebGpuFrame(builder, name, parameters);
    const rows = nx * ny * members >= MANY_CELLS ? ROWS.many : ROWS.few;
    const step = await builder.program({
      label: `${name}.step`,
      code: [...frame.code, nx % COLUMNS === 0 ? part('quads-aligned') : part('quads-anywhere'), part('keep'), source],
      constants: { ...constants, ROWS: rows },
      bindings: [...STEPPING_BINDINGS, 'uniform', 'read', 'write'],
    });
    const length = 3 * nx * ny * members;
    const other = builder.shared('shallow-water.other', 'real', length);
    const workgroups = [Math.ceil(nx / (COLUMNS * LANES[0])), Math.ceil(ny / (rows * LANES[1])), members] as const;
    return (recorder, buffers) => {
      frame.begin(recorder, buffers);
      for (let s = 0; s < steps; s++) {
        const [from, to] = s % 2 === 0 ? [buffers.state, other] : [other, buffers.state];
        recorder.dispatch(step, [...frame.stepping(s, buffers), frame.basin, from, to], workgroups);
      }
      if (steps % 2 === 1) recorder.copy(other, buffers.state, length * Float32Array.BYTES_PER_ELEMENT);
      frame.end(recorder, buffers);
    };
  };
}
