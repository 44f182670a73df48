/** What the schemes have in common in SIMD: a second state, the reports of their parts, and the parameters of every kernel. */
import type { RealArray } from '../../compute/backend.ts';
import type { Allocated, WasmBuilder, WasmProgram } from '../../compute/wasm/program.ts';
import { BOUNDARY_CODES, bandsOf, createReports, reportWords, takeTogether } from '../stepping-wasm.ts';
import type { Bands, Reports, StepsTaken } from '../stepping-wasm.ts';
import { DIVERGENCE_KINDS } from '../stepping.ts';
import type { StepBound } from '../stepping.ts';
import type { FlatBottomParameters } from './flat-bottom/parameters.ts';

/** Words of a parameter block that every kernel of a scheme has. */
export const FRAME = {
  nx: 'i32',
  ny: 'i32',
  /** 0 wall, 1 periodic, 2 open. */
  boundaryX: 'i32',
  boundaryY: 'i32',
  gravity: 'f32',
  dx: 'f32',
  dy: 'f32',
  /** Bound on the waves: seconds, Courant number, and the index of the kind of fault that a larger one is. */
  seconds: 'f32',
  courant: 'f32',
  courantKind: 'i32',
  steps: 'i32',
  bands: 'i32',
  rowsPerBand: 'i32',
  /** [member][h or η, hu, hv][y][x] */
  state: 'pointer',
  other: 'pointer',
  /** Report of each part: step, cell, kind, variable, value; step −1 if nothing went wrong. */
  reports: 'pointer',
} as const;

export interface Frame {
  readonly bands: Bands;
  /** A second state of all members. */
  readonly other: Allocated<Float32Array>;
  readonly reports: Reports;
  /** What the kernels are given once, and the bound of every forecast. */
  readonly constants: Readonly<
    Record<Exclude<keyof typeof FRAME, 'seconds' | 'courant' | 'courantKind' | 'steps' | 'state'>, number>
  >;
  boundOf(bound: StepBound): { readonly seconds: number; readonly courant: number; readonly courantKind: number };
  /** All steps of members that are a band each. */
  takeMembers(program: WasmProgram<{ readonly steps: 'i32' }>, state: RealArray, count: number): StepsTaken;
  /** Largest wave rate of the ensemble, 1/s, by the scheme's kernel. */
  waveRate(program: WasmProgram<{ readonly state: 'pointer' }>, state: RealArray): number;
}

/** @param name of the scheme */
export function createFrame(builder: WasmBuilder, name: string, parameters: FlatBottomParameters): Frame {
  const { nx, ny, dx, dy, gravity, boundary, members, steps } = parameters;
  const bands = bandsOf(parameters);
  const length = 3 * nx * ny * members;
  const other = builder.reals(`${name}.other`, length);
  const canDiffer = bands.bands === 1 && members > 1 && steps > 1;
  const before = canDiffer ? builder.reals(`${name}.before`, length) : undefined;
  const memory = builder.words(`${name}.reports`, reportWords(bands));
  const reports = createReports(memory.view, bands, nx * ny);
  return {
    bands,
    other,
    reports,
    constants: {
      nx,
      ny,
      boundaryX: BOUNDARY_CODES[boundary.x],
      boundaryY: BOUNDARY_CODES[boundary.y],
      gravity,
      dx,
      dy,
      bands: bands.bands,
      rowsPerBand: bands.rowsPerBand,
      other: other.address,
      reports: memory.address,
    },
    boundOf: ({ kind, seconds, courant }) => ({ seconds, courant, courantKind: DIVERGENCE_KINDS.indexOf(kind) }),
    takeMembers: (program, state, count) =>
      takeTogether(state, count, before?.view(), reports, (taken) => {
        program.set({ steps: taken });
        program.run(bands.parts);
      }),
    waveRate(program, state) {
      program.set({ state: state.byteOffset });
      program.run(bands.parts);
      return reports.largest();
    },
  };
}
