/** The LETKF's kernels for grid points on WebGPU: which one a form and a number of local observations take, and its run. */
import indexCode from '../../compute/webgpu/library/index.wgsl?raw';
import { partsOf, workgroupsFor } from '../../compute/webgpu/program.ts';
import type { Access, KernelBuilder, Program, Recorder } from '../../compute/webgpu/program.ts';
import { LimitError } from '../../errors.ts';
import { localWeightCode } from '../localisation/index.ts';
import dualLaneCode from './dual-lane.wgsl?raw';
import { POLE_POINTS, dualPolesCode } from './dual-poles.ts';
import { poleTable } from './inverse-root-poles.ts';
import source from './local.wgsl?raw';
import { LARGEST_POLE_ORDER, letkfForm, type LetkfParameters } from './parameters.ts';
import { PARAMETERS } from './standardising.ts';
import workgroupSource from './workgroup.wgsl?raw';

const part = partsOf(source);
const workgroupPart = partsOf(workgroupSource);

/** Invocations of a workgroup of every kernel here but that of `dualPolesCode`. */
export const WORKGROUP = 64;

/** Reals of work space for the grid points of a batch: 64 MiB. */
export const BATCH_REALS = 2 ** 24;

/**
 * Local observations that one invocation handles by itself: on an H200 it takes a third of the time of a workgroup a point at
 * 21, two thirds at 32.
 */
const LARGEST_LANE_ORDER = 32;

/** LARGEST_ORDER of workgroup.wgsl, whatever the workgroup memory. */
const LARGEST_WORKGROUP_ORDER = 128;

/** Grid points that are analysed together: from the first up to before the end. */
interface CellRange {
  readonly firstCell: number;
  readonly endCell: number;
}

/** @param points of a batch */
export function batchesOf(cells: number, points: number): CellRange[] {
  return Array.from({ length: Math.ceil(cells / points) }, (_, batch) => ({
    firstCell: batch * points,
    endCell: Math.min(cells, (batch + 1) * points),
  }));
}

interface AnalysisParts {
  readonly rows: 'neighbours' | 'whitened-rows';
  readonly inflation: 'as-set' | 'at-each-point';
  readonly bindings: readonly Access[];
}

/** What the analysis of a batch of grid points reads and writes. */
interface AnalysisBuffers {
  readonly ensemble: GPUBuffer;
  readonly analysis: GPUBuffer;
  readonly anomalies: GPUBuffer;
  readonly slots: GPUBuffer;
  readonly binStart: GPUBuffer;
  readonly factor?: GPUBuffer;
}

interface AnalysisKernel {
  /** Grid points that a batch may have. */
  readonly points: number;
  record(recorder: Recorder, constants: GPUBuffer, cells: CellRange, buffers: AnalysisBuffers): void;
}

/**
 * Prepares the analysis of grid points, with the lists of observations that its kernel may need. It is recorded batch by batch.
 *
 * @throws LimitError if a problem does not fit into the workgroup memory of this GPU
 */
export async function analysisKernel(
  builder: KernelBuilder,
  parameters: LetkfParameters,
  { rows, inflation, bindings }: AnalysisParts,
): Promise<AnalysisKernel> {
  const poles = builder.table('poles', 'real', poleTable());
  const kernel = await programOf(builder, parameters, { rows, inflation, bindings });
  const { nx, ny } = parameters;
  return {
    points: kernel.lists?.points ?? nx * ny,
    record(recorder, constants, { firstCell, endCell }, { ensemble, analysis, anomalies, slots, binStart, factor }) {
      const cells = endCell - firstCell;
      let found = binStart;
      if (kernel.lists) {
        found = kernel.lists.buffer;
        recorder.dispatch(kernel.lists.program, [constants, slots, binStart, found], workgroupsFor(cells, WORKGROUP));
      }
      recorder.dispatch(
        kernel.program,
        [constants, ensemble, analysis, anomalies, slots, found, poles, ...(factor ? [factor] : [])],
        workgroupsFor(cells, kernel.cellsPerWorkgroup),
      );
    },
  };
}

/** Lists of the observations around grid points, made before they are analysed. */
interface Lists {
  readonly program: Program;
  readonly buffer: GPUBuffer;
  /** Grid points that they have room for. */
  readonly points: number;
}

async function listsOf(
  builder: KernelBuilder,
  { nx, ny }: LetkfParameters,
  order: number,
  rows: AnalysisParts['rows'],
): Promise<Lists> {
  const program = await builder.program({
    label: 'letkf.lists',
    code: [indexCode, PARAMETERS.wgsl, ...localWeightCode, part('as-set'), part(rows), part('lists')],
    constants: { LISTED: order },
    bindings: ['uniform', 'read', 'read', 'write'],
  });
  const points = Math.min(nx * ny, Math.floor(BATCH_REALS / (2 * order)));
  return { program, buffer: builder.shared('letkf.lists', 'index', 2 * order * points), points };
}

/** The kernel for the form, and how many grid points a workgroup of it handles. @throws LimitError */
async function programOf(
  builder: KernelBuilder,
  parameters: LetkfParameters,
  { rows, inflation, bindings }: AnalysisParts,
): Promise<{ readonly program: Program; readonly cellsPerWorkgroup: number; readonly lists?: Lists }> {
  const { localCapacity, members } = parameters;
  const form = letkfForm(parameters);
  const locality = [part('scaling'), part('locality')];
  if (form === 'dual' && localCapacity <= LARGEST_POLE_ORDER) {
    const order = Math.max(1, localCapacity);
    const [lists, program] = await Promise.all([
      listsOf(builder, parameters, order, rows),
      builder.program({
        label: 'letkf.dual-poles',
        code: [PARAMETERS.wgsl, part(inflation), part('listed'), ...locality, dualPolesCode(order)],
        bindings,
      }),
    ]);
    return { program, cellsPerWorkgroup: POLE_POINTS, lists };
  }
  const shared = [PARAMETERS.wgsl, ...localWeightCode, part(inflation), part('searching'), part(rows), ...locality];
  if (form === 'dual' && localCapacity <= LARGEST_LANE_ORDER) {
    const program = await builder.program({
      label: 'letkf.dual-lane',
      code: [indexCode, ...shared, laneCapacityCode(rounded(localCapacity)), dualLaneCode],
      bindings,
    });
    return { program, cellsPerWorkgroup: WORKGROUP };
  }
  const sizes = workgroupSizes(builder, parameters);
  const program = await builder.program({
    label: form === 'dual' ? 'letkf.dual-workgroup' : 'letkf.primal',
    code: [
      ...shared,
      ...workgroupCode(form),
      workgroupPart('workgroup-root'),
      form === 'dual' ? workgroupPart('dual-workgroup') : part('primal'),
    ],
    constants: form === 'dual' ? { ...sizes, memberCapacity: rounded(members) } : sizes,
    bindings,
  });
  return { program, cellsPerWorkgroup: 1 };
}

/** A workgroup for each grid point, with its problem in the workgroup's memory, in tridiagonal form. */
export function workgroupCode(form: 'dual' | 'primal'): string[] {
  const shared = [workgroupPart('choosing'), workgroupPart('each-point'), workgroupPart('workgroup-tridiagonal')];
  const own = form === 'dual' ? [workgroupPart('listing'), workgroupPart('observations')] : [part('members')];
  return [...shared, ...own];
}

/** How that memory is laid out. @throws LimitError */
export function workgroupSizes(
  builder: KernelBuilder,
  parameters: Pick<LetkfParameters, 'form' | 'localCapacity' | 'members'>,
): Readonly<Record<string, number>> {
  const { localCapacity, members } = parameters;
  const form = letkfForm(parameters);
  const asked = form === 'dual' ? localCapacity : members;
  const memberCapacity = rounded(members);
  const largest = largestOrder(form, memberCapacity, builder.limits.maxComputeWorkgroupStorageSize);
  if (asked > largest) {
    const [what, next] =
      form === 'dual'
        ? ['local observations', 'use a shorter halfWidth or thin the observations']
        : ['members', 'use fewer members'];
    throw new LimitError(
      `letkf: ${asked} ${what} asked for, at most ${largest} fit in the workgroup memory of this GPU in the ${form} form; ` +
        `${next}, or --backend reference`,
    );
  }
  const order = Math.min(largest, rounded(asked));
  return form === 'dual' ? { order, listed: order } : { order };
}

function laneCapacityCode(capacity: number): string {
  return `const CAPACITY = ${capacity}u;\nconst PACKED = ${(capacity * (capacity + 1)) / 2}u;`;
}

/** Bytes of the workgroup variables of workgroup.wgsl and of the form's kernel, with room for their alignment. */
function workgroupBytes(form: 'dual' | 'primal', order: number, members: number): number {
  const shared = 2 * order * (order + 1) + 52 * order + 16 * (WORKGROUP + 8) + 8 * WORKGROUP + 128;
  return shared + (form === 'dual' ? 8 * order + 16 * members : 36 * order);
}

/** The largest order of the matrix that fits. */
function largestOrder(form: 'dual' | 'primal', members: number, available: number): number {
  let order = LARGEST_WORKGROUP_ORDER;
  while (order > 0 && workgroupBytes(form, order, members) > available) order--;
  return order;
}

/** Up to the next multiple of eight, so that neighbouring sizes share a pipeline. */
export function rounded(size: number): number {
  return 8 * Math.ceil(size / 8);
}
