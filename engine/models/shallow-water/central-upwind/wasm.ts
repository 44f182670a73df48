/** The central-upwind scheme in SIMD: a part of a task is a member with all steps of a run, or a stage of a band of its rows. */
import type { RealArray } from '../../../compute/backend.ts';
import { parameterBlock } from '../../../compute/wasm/parameter-block.ts';
import type { WasmOperator } from '../../../compute/wasm/program.ts';
import { BOUNDARY_CODES, bandsOf, createReports, reportWords, takeTogether, wasmSteps } from '../../stepping-wasm.ts';
import type { StepsTaken } from '../../stepping-wasm.ts';
import { DIVERGENCE_KINDS } from '../../stepping.ts';
import type { StepFields } from '../../stepping.ts';
import type { CentralUpwindParameters } from './parameters.ts';

const CENTRAL_UPWIND = parameterBlock('CentralUpwind', {
  nx: 'i32',
  ny: 'i32',
  boundaryX: 'i32',
  boundaryY: 'i32',
  gravity: 'f32',
  dx: 'f32',
  dy: 'f32',
  dryDepth: 'f32',
  ratioX: 'f32',
  ratioY: 'f32',
  rotation: 'f32',
  rotationGrowth: 'f32',
  friction: 'f32',
  seconds: 'f32',
  courant: 'f32',
  courantKind: 'i32',
  steps: 'i32',
  stage: 'i32',
  bands: 'i32',
  rowsPerBand: 'i32',
  state: 'pointer',
  other: 'pointer',
  bed: 'pointer',
  reports: 'pointer',
});

/** As in block-library.as.ts: rows of a block with its rings, arrays of so many rows, and rows of slopes. */
const BLOCK_ROWS = 16 + 2 * 3;
const BLOCK_ARRAYS = 19;
const SLOPE_ROWS = 2 * 5;

function workspaceBytes(nx: number): number {
  const rowBytes = 4 * (4 * Math.ceil(nx / 4) + 16);
  return (BLOCK_ARRAYS * BLOCK_ROWS + SLOPE_ROWS) * rowBytes;
}

const prepare: WasmOperator<CentralUpwindParameters, StepFields> = (builder, parameters) => {
  const { nx, ny, dx, dy, gravity, boundary, members, bed, coriolis, manning, dryDepth } = parameters;
  const bands = bandsOf(parameters);
  const length = 3 * nx * ny * members;
  const other = builder.reals('central-upwind.other', length);
  const together = bands.bands === 1 && members > 1 && parameters.steps > 1;
  const before = together ? builder.reals('central-upwind.before', length) : undefined;
  const reportMemory = builder.words('central-upwind.reports', reportWords(bands));
  const reports = createReports(reportMemory.view, bands, nx * ny);
  const constants = {
    nx,
    ny,
    boundaryX: BOUNDARY_CODES[boundary.x],
    boundaryY: BOUNDARY_CODES[boundary.y],
    gravity,
    dx,
    dy,
    dryDepth,
    bands: bands.bands,
    rowsPerBand: bands.rowsPerBand,
    other: other.address,
    bed: builder.realTable('central-upwind.bed', bed),
    reports: reportMemory.address,
  };
  const kernel = bands.bands === 1 ? 'centralUpwindMember' : 'centralUpwindStage';
  const step = builder.program(kernel, CENTRAL_UPWIND, constants, workspaceBytes(nx));
  const rate = builder.program('centralUpwindWaveRate', CENTRAL_UPWIND, constants);

  const advanceMembers = (state: RealArray, count: number): StepsTaken =>
    takeTogether(state, count, before?.view(), reports, (steps) => {
      step.set({ steps });
      step.run(bands.parts);
    });

  const advanceBands = (count: number): StepsTaken => {
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
    waveRate(state) {
      rate.set({ state: state.byteOffset });
      rate.run(bands.parts);
      return reports.largest();
    },
    advance(state, count, seconds, bound) {
      step.set({
        state: state.byteOffset,
        ratioX: seconds / dx,
        ratioY: seconds / dy,
        rotation: seconds * (coriolis.f - coriolis.beta * 0.5 * (ny - 1) * dy),
        rotationGrowth: seconds * coriolis.beta * dy,
        friction: 0.5 * seconds * gravity * manning ** 2,
        seconds: bound.seconds,
        courant: bound.courant,
        courantKind: DIVERGENCE_KINDS.indexOf(bound.kind),
      });
      return bands.bands === 1 ? advanceMembers(state, count) : advanceBands(count);
    },
  });
};

export default prepare;
