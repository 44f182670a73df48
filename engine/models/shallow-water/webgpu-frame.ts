/** What frames the steps of every scheme on a GPU: the basin's uniform, the survey before them and the conclusion after. */
import indexSource from '../../compute/webgpu/library/index.wgsl?raw';
import { workgroupsFor } from '../../compute/webgpu/program.ts';
import type { BuffersOf, Recorder, KernelBuilder } from '../../compute/webgpu/program.ts';
import { uniformBlock } from '../../compute/parameter-block.ts';
import { STEPPING_BINDINGS, steppingBuffers, steppingSource } from '../stepping-webgpu.ts';
import type { StepFields, StepParameters } from '../stepping.ts';
import type { Boundary } from './boundary.ts';
import basinSource from './basin.wgsl?raw';
import concludeSource from './conclude.wgsl?raw';
import surveySource from './survey.wgsl?raw';

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

/** As basin.wgsl has them. */
const BOUNDARY_CODES: Readonly<Record<Boundary, number>> = { wall: 0, periodic: 1, open: 2 };

interface BasinParameters extends StepParameters {
  readonly nx: number;
  readonly ny: number;
  readonly dx: number;
  readonly dy: number;
  readonly gravity: number;
  readonly boundary: { readonly x: Boundary; readonly y: Boundary };
  readonly bed?: Float64Array;
  readonly coriolis?: { readonly f: number; readonly beta: number };
  readonly manning?: number;
  readonly drag?: number;
  readonly dryDepth?: number;
}

export interface Frame {
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
export async function createFrame(builder: KernelBuilder, name: string, parameters: BasinParameters): Promise<Frame> {
  const { nx, ny, dx, dy, gravity, members, boundary, bed, coriolis, manning = 0, drag = 0, dryDepth = 0 } = parameters;
  const code = [steppingSource, BASIN.wgsl, basinSource];
  const constants = { HAS_BED: bed ? 1 : 0 };
  const bindings = [...STEPPING_BINDINGS, 'uniform', 'read', 'read'] as const;
  const [survey, conclude] = await Promise.all([
    parameters.timeStep === 'auto' && parameters.begins
      ? builder.program({ label: `${name}.survey`, code: [indexSource, ...code, surveySource], constants, bindings })
      : undefined,
    builder.program({ label: `${name}.conclude`, code: [...code, concludeSource], constants, bindings }),
  ]);
  const basin = builder.uniform('basin', BASIN, {
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
      recorder.dispatch(conclude, [...stepping(parameters.steps, buffers), basin, bedTable, buffers.state], [1]);
    },
  };
}
