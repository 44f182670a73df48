/** The schemes for a flat bottom in SIMD: a part of a task is a member with all steps of a run, or a band of its rows with one. */
import type { RealArray } from '../../../compute/backend.ts';
import { parameterBlock } from '../../../compute/parameter-block.ts';
import type { WasmOperator } from '../../../compute/wasm/program.ts';
import { wasmSteps } from '../../stepping-wasm.ts';
import type { StepsTaken } from '../../stepping-wasm.ts';
import type { StepFields } from '../../stepping.ts';
import { dragFactor } from '../drag.ts';
import { FRAME, createFrame } from '../wasm-frame.ts';
import type { FlatBottomParameters } from './parameters.ts';

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
export function flatBottomWasm(kernel: string, corners: boolean): WasmOperator<FlatBottomParameters, StepFields> {
  return (builder, parameters) => {
    const { nx, dx, dy, drag = 0 } = parameters;
    const frame = createFrame(builder, kernel, parameters);
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
