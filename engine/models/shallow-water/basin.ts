/**
 * What the schemes share: the boundaries of the basin, drag at its bottom, how fast waves are, and what can be wrong with a state; and
 * what frames their steps: in SIMD a second state, the reports of the parts, and the parameters of every kernel; on a GPU the uniform of
 * the basin, the survey before them and the conclusion after.
 */
import type { RealArray } from '../../compute/backend.ts';
import { uniformBlock } from '../../compute/parameter-block.ts';
import type { Allocated, WasmBuilder, WasmProgram } from '../../compute/wasm/program.ts';
import indexSource from '../../compute/webgpu/library/index.wgsl?raw';
import { workgroupsFor, partsOf } from '../../compute/webgpu/program.ts';
import type { BuffersOf, Recorder, KernelBuilder } from '../../compute/webgpu/program.ts';
import {
  DIVERGENCE_KINDS,
  STEPPING_BINDINGS,
  steppingBuffers,
  steppingSource,
  BOUNDARY_CODES,
  bandsOf,
  createReports,
  reportWords,
  takeTogether,
} from '../stepping.ts';
import type { StepFields, StepBound, StepParameters, Bands, Reports, StepsTaken, Fault } from '../stepping.ts';
import source from './basin.wgsl?raw';

/**
 * Linear drag at the bottom: ∂(hu)/∂t = … − r·hu and ∂(hv)/∂t = … − r·hv, what the bottom takes from a current to first order
 * (Rayleigh friction). It acts for half a step before the scheme's own step and for half a step after, by its exact solution, so
 * that a scheme of second order keeps its order. A steady current falls to 1/e of its momentum in 1/r seconds, and so does the
 * energy of a wave, half of which is kinetic. The water's mass stays.
 *
 * @param rate r, 1/s
 * @returns what is left of a momentum after so many seconds: 1 without drag, to the last bit
 */
export function dragFactor(rate: number, seconds: number): number {
  return Math.exp(-rate * seconds);
}

/**
 * `wall` reflects (depth and tangential momentum copied, normal momentum negated), `periodic` wraps, `open` continues the
 * outermost cell (zero gradient).
 */
export type Boundary = 'wall' | 'periodic' | 'open';

/** The cell inside that represents index `i` of an axis of `n` cells, any number of cells outside. */
export function sourceCell(i: number, n: number, boundary: Boundary): number {
  switch (boundary) {
    case 'wall': {
      const folded = modulo(i, 2 * n);
      return folded < n ? folded : 2 * n - 1 - folded;
    }
    case 'periodic':
      return modulo(i, n);
    case 'open':
      return Math.min(Math.max(i, 0), n - 1);
    default:
      return boundary satisfies never;
  }
}

/** Sign of the normal momentum at index `i`: −1 behind a wall. */
export function sourceSign(i: number, n: number, boundary: Boundary): 1 | -1 {
  return boundary === 'wall' && modulo(i, 2 * n) >= n ? -1 : 1;
}

function modulo(i: number, n: number): number {
  return ((i % n) + n) % n;
}

/** What every scheme is prepared with. */
export interface SchemeParameters extends StepParameters {
  readonly nx: number;
  readonly ny: number;
  /** Metres. */
  readonly dx: number;
  readonly dy: number;
  /** m/s² */
  readonly gravity: number;
  readonly boundary: { readonly x: Boundary; readonly y: Boundary };
  /** Linear drag r of the momenta, 1/s. Default 0. */
  readonly drag?: number;
}

export interface Basin {
  readonly members: number;
  readonly nx: number;
  readonly ny: number;
  /** Metres. */
  readonly dx: number;
  readonly dy: number;
  /** m/s² */
  readonly gravity: number;
}

/** (|u| + c)/dx or (|v| + c)/dy of one cell, 1/s, whichever is larger; 0 without water. */
export function cellWaveRate(
  { dx, dy, gravity }: Pick<Basin, 'dx' | 'dy' | 'gravity'>,
  h: number,
  u: number,
  v: number,
): number {
  if (!(h > 0)) return 0;
  const c = Math.sqrt(gravity * h);
  return Math.max((Math.abs(u) + c) / dx, (Math.abs(v) + c) / dy);
}

/** Largest wave rate of an ensemble, where `rateOf` gives that of the element index of component 0 and its cell. */
export function largestRate({ members, nx, ny }: Basin, rateOf: (i: number, cell: number) => number): number {
  const cells = nx * ny;
  let largest = 0;
  for (let member = 0; member < members; member++) {
    for (let cell = 0; cell < cells; cell++) largest = Math.max(largest, rateOf(member * 3 * cells + cell, cell));
  }
  return largest;
}

/**
 * First fault of an ensemble: a value that is not finite, a depth that the scheme does not allow, or a wave that is too
 * fast for the bound.
 *
 * @param depthIsWrong whether a finite component 0 means a depth below what the scheme allows
 */
export function firstFault(
  { members, nx, ny }: Basin,
  state: RealArray,
  { kind, seconds, courant: largest }: StepBound,
  rateOf: (i: number, cell: number) => number,
  depthIsWrong: (surface: number) => boolean,
): Fault | undefined {
  const cells = nx * ny;
  for (let member = 0; member < members; member++) {
    for (let cell = 0; cell < cells; cell++) {
      const place = member * cells + cell;
      const i = member * 3 * cells + cell;
      // A sum is finite only where its terms are; nearly always this is all there is to look at.
      const sum = state[i] + state[i + cells] + state[i + 2 * cells];
      if (sum - sum === 0 && !depthIsWrong(state[i]) && seconds * rateOf(i, cell) <= largest) continue;
      for (let variable = 0; variable < 3; variable++) {
        const value = state[i + variable * cells];
        if (!Number.isFinite(value)) return { place, kind: 'not-finite', variable, value };
      }
      if (depthIsWrong(state[i])) return { place, kind: 'negative-depth', variable: 0, value: state[i] };
      const courant = seconds * rateOf(i, cell);
      if (courant > largest) return { place, kind, variable: 0, value: courant };
    }
  }
  return undefined;
}

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
