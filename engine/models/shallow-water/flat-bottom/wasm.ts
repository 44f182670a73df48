/** The schemes for a flat bottom in SIMD: a part of a task is a member with all steps of a run, or a band of its rows with one. */
import type { RealArray } from '../../../compute/backend.ts';
import { parameterBlock } from '../../../compute/wasm/parameter-block.ts';
import type { WasmOperator } from '../../../compute/wasm/program.ts';
import { BOUNDARY_CODES, bandsOf, createReports, reportWords, takeTogether, wasmSteps } from '../../stepping-wasm.ts';
import type { StepsTaken } from '../../stepping-wasm.ts';
import { DIVERGENCE_KINDS } from '../../stepping.ts';
import type { StepFields } from '../../stepping.ts';
import type { FlatBottomParameters } from './parameters.ts';

const FLAT_BOTTOM = parameterBlock('FlatBottom', {
  nx: 'i32',
  ny: 'i32',
  boundaryX: 'i32',
  boundaryY: 'i32',
  gravity: 'f32',
  dx: 'f32',
  dy: 'f32',
  seconds: 'f32',
  halfX: 'f32',
  halfY: 'f32',
  fullX: 'f32',
  fullY: 'f32',
  courant: 'f32',
  courantKind: 'i32',
  steps: 'i32',
  bands: 'i32',
  rowsPerBand: 'i32',
  state: 'pointer',
  other: 'pointer',
  reports: 'pointer',
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
    const { nx, ny, dx, dy, gravity, boundary, members } = parameters;
    const bands = bandsOf(parameters);
    const length = 3 * nx * ny * members;
    const other = builder.reals(`${kernel}.other`, length);
    const together = bands.bands === 1 && members > 1 && parameters.steps > 1;
    const before = together ? builder.reals(`${kernel}.before`, length) : undefined;
    const reportMemory = builder.words(`${kernel}.reports`, reportWords(bands));
    const reports = createReports(reportMemory.view, bands, nx * ny);
    const constants = {
      nx,
      ny,
      boundaryX: BOUNDARY_CODES[boundary.x],
      boundaryY: BOUNDARY_CODES[boundary.y],
      gravity,
      dx,
      dy,
      bands: bands.bands,
      rowsPerBand: bands.rowsPerBand,
      reports: reportMemory.address,
    };
    const step = builder.program(kernel, FLAT_BOTTOM, constants, SCRATCH_ARRAYS * rowBytes(nx));
    const rate = builder.program('flatBottomWaveRate', FLAT_BOTTOM, constants);
    const share = corners ? 2 : 1;

    /** Members as single bands: all steps at once. */
    const advanceMembers = (state: RealArray, count: number): StepsTaken => {
      step.set({ state: state.byteOffset, other: other.address });
      return takeTogether(state, count, before?.view(), reports, (steps) => {
        step.set({ steps });
        step.run(bands.parts);
      });
    };

    /** Bands of members: step by step, from one state to the other. */
    const advanceBands = (state: RealArray, count: number): StepsTaken => {
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
      waveRate(state) {
        rate.set({ state: state.byteOffset });
        rate.run(bands.parts);
        return reports.largest();
      },
      advance(state, count, seconds, bound) {
        step.set({
          seconds: bound.seconds,
          courant: bound.courant,
          courantKind: DIVERGENCE_KINDS.indexOf(bound.kind),
          halfX: seconds / (2 * share * dx),
          halfY: seconds / (2 * share * dy),
          fullX: seconds / (share * dx),
          fullY: seconds / (share * dy),
        });
        return bands.bands === 1 ? advanceMembers(state, count) : advanceBands(state, count);
      },
    });
  };
}
