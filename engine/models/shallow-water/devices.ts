/**
 * What frames the steps of every scheme: in SIMD a second state, the reports of the parts, and the parameters of every kernel; on a
 * GPU the basin's uniform, the survey before them and the conclusion after.
 */
import type { RealArray } from '../../compute/backend.ts';
import { uniformBlock } from '../../compute/parameter-block.ts';
import type { Allocated, WasmBuilder, WasmProgram } from '../../compute/wasm/program.ts';
import indexSource from '../../compute/webgpu/library/index.wgsl?raw';
import { workgroupsFor, partsOf } from '../../compute/webgpu/program.ts';
import type { BuffersOf, Recorder, KernelBuilder } from '../../compute/webgpu/program.ts';
import {
  STEPPING_BINDINGS,
  steppingBuffers,
  steppingSource,
  BOUNDARY_CODES,
  bandsOf,
  createReports,
  reportWords,
  takeTogether,
} from '../stepping-devices.ts';
import type { Bands, Reports, StepsTaken } from '../stepping-devices.ts';
import { DIVERGENCE_KINDS, type StepFields, type StepBound, type StepParameters } from '../stepping.ts';
import type { SchemeParameters } from './basin.ts';
import source from './basin.wgsl?raw';

const part = partsOf(source);

/** WGSL: where cells beyond the basin come from. */
export const sourcesSource = part('sources');

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
  /** Speeds of waves along x and along y, m/s, from which on a row is looked at cell by cell. */
  fastX: 'f32',
  fastY: 'f32',
  steps: 'i32',
  bands: 'i32',
  rowsPerBand: 'i32',
  /** [member][h or η, hu, hv][y][x] */
  state: 'pointer',
  other: 'pointer',
  /** Report of each part: step, cell, kind, variable, value; step −1 if nothing went wrong. */
  reports: 'pointer',
} as const;

/** The members of a frame that follow from the bound of a forecast. */
const BOUND_MEMBERS = ['seconds', 'courant', 'courantKind', 'fastX', 'fastY'] as const;

/** Share of the largest Courant number from which on a row is looked at cell by cell. */
const SUSPICIOUS = 0.99;

interface WasmFrame {
  readonly bands: Bands;
  /** A second state of all members. */
  readonly other: Allocated<Float32Array>;
  readonly reports: Reports;
  /** What the kernels are given once, and the bound of every forecast. */
  readonly constants: Readonly<
    Record<Exclude<keyof typeof FRAME, (typeof BOUND_MEMBERS)[number] | 'steps' | 'state'>, number>
  >;
  boundOf(bound: StepBound): Readonly<Record<(typeof BOUND_MEMBERS)[number], number>>;
  /** All steps of members that are a band each. */
  takeMembers(program: WasmProgram<{ readonly steps: 'i32' }>, state: RealArray, count: number): StepsTaken;
  /** Largest wave rate of the ensemble, 1/s, by the scheme's kernel. */
  waveRate(program: WasmProgram<{ readonly state: 'pointer' }>, state: RealArray): number;
}

/** @param name of the scheme */
export function createWasmFrame(builder: WasmBuilder, name: string, parameters: SchemeParameters): WasmFrame {
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
    boundOf: ({ kind, seconds, courant }) => ({
      seconds,
      courant,
      courantKind: DIVERGENCE_KINDS.indexOf(kind),
      fastX: (SUSPICIOUS * courant * dx) / seconds,
      fastY: (SUSPICIOUS * courant * dy) / seconds,
    }),
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

const BASIN = uniformBlock('Basin', {
  nx: 'u32',
  ny: 'u32',
  members: 'u32',
  /** Index into BOUNDARY_CODES. */
  boundaryX: 'u32',
  boundaryY: 'u32',
  /** Metres. */
  dx: 'f32',
  dy: 'f32',
  /** 1/dx, 1/dy */
  perX: 'f32',
  perY: 'f32',
  /** m/s² */
  gravity: 'f32',
  /** A depth up to this, metres, is taken as dry. */
  dryDepth: 'f32',
  /** f, 1/s, in the middle of the basin, and β, 1/(m s). */
  coriolis: 'f32',
  beta: 'f32',
  /** Manning's n, s/m^⅓. */
  manning: 'f32',
  /** Linear drag r, 1/s. */
  drag: 'f32',
});

interface BasinParameters extends Omit<SchemeParameters, keyof StepParameters>, Pick<StepParameters, 'members'> {
  readonly bed?: Float64Array;
  readonly coriolis?: { readonly f: number; readonly beta: number };
  readonly manning?: number;
  readonly dryDepth?: number;
}

/** WGSL: the basin's uniform, and where cells beyond it come from. */
export const basinSource = `${BASIN.wgsl}${sourcesSource}`;

export function basinUniform(
  builder: KernelBuilder,
  { nx, ny, dx, dy, gravity, members, boundary, coriolis, manning = 0, drag = 0, dryDepth = 0 }: BasinParameters,
): GPUBuffer {
  return builder.uniform('basin', BASIN, {
    nx,
    ny,
    members,
    boundaryX: BOUNDARY_CODES[boundary.x],
    boundaryY: BOUNDARY_CODES[boundary.y],
    dx,
    dy,
    perX: 1 / dx,
    perY: 1 / dy,
    gravity,
    dryDepth,
    coriolis: coriolis?.f ?? 0,
    beta: coriolis?.beta ?? 0,
    manning,
    drag,
  });
}

export interface WebGpuFrame {
  /** The sources before a kernel's own. */
  readonly code: readonly string[];
  readonly basin: GPUBuffer;
  readonly bed: GPUBuffer;
  /** Buffers of bindings 0 to 3 for step `s`. */
  stepping(s: number, buffers: BuffersOf<StepFields>): readonly GPUBuffer[];
  /** Before the first step. */
  begin(recorder: Recorder, buffers: BuffersOf<StepFields>): void;
  /** After the last. */
  end(recorder: Recorder, buffers: BuffersOf<StepFields>): void;
}

/** @param name of the operator, for labels */
export async function createWebGpuFrame(
  builder: KernelBuilder,
  name: string,
  parameters: BasinParameters & StepParameters,
): Promise<WebGpuFrame> {
  const { nx, ny, members, bed } = parameters;
  const code = [steppingSource, basinSource, part('basin')];
  const constants = { HAS_BED: bed ? 1 : 0 };
  const bindings = [...STEPPING_BINDINGS, 'uniform', 'read', 'read'] as const;
  const [survey, conclude] = await Promise.all([
    parameters.timeStep === 'auto' && parameters.begins
      ? builder.program({ label: `${name}.survey`, code: [indexSource, ...code, part('survey')], constants, bindings })
      : undefined,
    builder.program({ label: `${name}.conclude`, code: [...code, part('conclude')], constants, bindings }),
  ]);
  const basin = basinUniform(builder, parameters);
  const bedTable = builder.table('bed', 'real', bed ?? [0]);
  const stepping = steppingBuffers(builder, parameters);
  return {
    code,
    basin,
    bed: bedTable,
    stepping,
    begin(recorder, buffers) {
      if (!survey) return;
      recorder.dispatch(
        survey,
        [...stepping(0, buffers), basin, bedTable, buffers.state],
        workgroupsFor(members * nx * ny, 256),
      );
    },
    end(recorder, buffers) {
      const bound = [...stepping(parameters.steps, buffers), basin, bedTable, buffers.state];
      recorder.dispatch(conclude, bound, [parameters.companion ? 2 : 1]);
    },
  };
}
