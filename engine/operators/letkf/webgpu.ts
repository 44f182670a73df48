/** The LETKF on WebGPU: observations in units of their error by bin, then one analysis kernel over all grid points. */
import { uniformBlock, type ScalarsOf } from '../../compute/parameter-block.ts';
import indexCode from '../../compute/webgpu/library/index.wgsl?raw';
import { workgroupsFor, partsOf } from '../../compute/webgpu/program.ts';
import type {
  Access,
  BuffersOf,
  KernelBuilder,
  Program,
  Recorder,
  WebGpuOperator,
} from '../../compute/webgpu/program.ts';
import { LimitError } from '../../errors.ts';
import { binGeometry, localWeightCode } from '../localisation/index.ts';
import dualLaneCode from './dual-lane.wgsl?raw';
import { LARGEST_POLE_ORDER, POLE_POINTS, dualPolesCode } from './dual-poles.ts';
import { POLE_CLASSES, poleTable } from './inverse-root-poles.ts';
import source from './local.wgsl?raw';
import { letkfForm } from './parameters.ts';
import type {
  CorrelatedLetkfFields,
  InflatedLetkfFields,
  LetkfFields,
  LetkfParameters,
  ObservedFields,
} from './parameters.ts';
import whiteningCode from './whitening.wgsl?raw';
import workgroupSource from './workgroup.wgsl?raw';

const part = partsOf(source);
const workgroupPart = partsOf(workgroupSource);

const SHAPE = uniformBlock('Shape', {
  observations: 'u32',
  members: 'u32',
  quads: 'u32',
  anomalyScale: 'f32',
});

export const PARAMETERS = uniformBlock('Parameters', {
  nx: 'u32',
  ny: 'u32',
  variables: 'u32',
  members: 'u32',
  /** Members over four, rounded up. */
  quads: 'u32',
  /** The largest number of local observations. */
  localCapacity: 'u32',
  binsX: 'u32',
  binsY: 'u32',
  /** 2c in cells along x and in cells along y, no more than the domain. */
  reachX: 'f32',
  reachY: 'f32',
  /** dy/dx: what a cell along y counts. */
  aspect: 'f32',
  /** 1/c, 0 without localisation. */
  inverseHalfWidthCells: 'f32',
  periodicX: 'u32',
  periodicY: 'u32',
  /** sqrt(rho). */
  rootInflation: 'f32',
  /** sqrt(rho/(k - 1)). */
  meanScale: 'f32',
  poleClasses: 'u32',
  /** The grid points that are analysed: from the first up to before the end. */
  firstCell: 'u32',
  endCell: 'u32',
});

/** Invocations of every kernel here. */
const WORKGROUP = 64;

/** Reals of work space for the grid points of a batch: 64 MiB. */
const BATCH_REALS = 2 ** 24;

/**
 * Local observations that one invocation handles by itself: on an H200 it takes a third of the time of a workgroup a point at
 * 21, two thirds at 32.
 */
const LARGEST_LANE_ORDER = 32;

/** LARGEST_ORDER of workgroup.wgsl, whatever the workgroup memory. */
const LARGEST_WORKGROUP_ORDER = 128;

const ANALYSIS_BINDINGS = ['uniform', 'read', 'write', 'read', 'read', 'read', 'read'] as const;

/** What the analysis kernels read beside their arrays where each grid point has a factor of its own, and the part that reads it. */
const EACH_BY_ITSELF = { part: 'at-each-point', bindings: [...ANALYSIS_BINDINGS, 'read'] } as const;
const AS_SET = { part: 'as-set', bindings: ANALYSIS_BINDINGS } as const;

/** Observations in units of their error, in the order of the bins. */
export async function prepareStandardising(
  builder: KernelBuilder,
  { members, observations, inflation }: Pick<LetkfParameters, 'members' | 'observations' | 'inflation'>,
) {
  const quads = Math.ceil(members / 4);
  const standardise = await builder.program({
    label: 'letkf.standardise',
    code: [indexCode, SHAPE.wgsl, part('standardise')],
    bindings: ['uniform', 'read', 'read', 'read', 'read', 'read', 'read', 'write', 'write'],
  });
  const shape = builder.uniform('shape', SHAPE, {
    observations,
    members,
    quads,
    anomalyScale: Math.sqrt(inflation / (members - 1)),
  });
  const anomalies = builder.scratch('anomalies', 'real', observations * quads * 4);
  const slots = builder.scratch('slots', 'real', observations * 4);
  return {
    anomalies,
    slots,
    record(recorder: Recorder, fields: BuffersOf<ObservedFields>): void {
      const { observedEnsemble, values, inverseErrorStd, positionX, positionY, binObservations } = fields;
      recorder.dispatch(
        standardise,
        [shape, observedEnsemble, values, inverseErrorStd, positionX, positionY, binObservations, anomalies, slots],
        workgroupsFor(observations, WORKGROUP),
      );
    },
  };
}

function preparing({ part: inflation, bindings }: typeof AS_SET | typeof EACH_BY_ITSELF) {
  const independentErrors: WebGpuOperator<LetkfParameters, LetkfFields> = async (builder, parameters) => {
    const { nx, ny } = parameters;
    const [standardised, analyse] = await Promise.all([
      prepareStandardising(builder, parameters),
      analysisKernel(builder, parameters, { rows: 'neighbours', inflation, bindings }),
    ]);
    const constants = builder.uniform('parameters', PARAMETERS, uniformOf(parameters));
    const poles = builder.table('poles', 'real', poleTable());

    return (recorder, fields) => {
      const { ensemble, analysis, binStart } = fields;
      const { anomalies, slots } = standardised;
      standardised.record(recorder, fields);
      recorder.dispatch(
        analyse.program,
        [constants, ensemble, analysis, anomalies, slots, binStart, poles, ...factorOf(fields)],
        workgroupsFor(nx * ny, analyse.cellsPerWorkgroup),
      );
    };
  };

  /**
   * Grid points are whitened and analysed in batches: each point has rows of its own in work space, and a factor of order
   * localCapacity. If local observations are many, batches are of few points, and a GPU is badly used: at 1000 there are sixteen.
   */
  const correlatedErrors: WebGpuOperator<LetkfParameters, CorrelatedLetkfFields> = async (builder, given) => {
    const localCapacity = Math.max(1, given.localCapacity);
    const parameters = { ...given, localCapacity };
    const { nx, ny, members } = parameters;
    const quads = Math.ceil(members / 4);
    const listed = rounded(localCapacity);
    assertListed(listed, builder.limits.maxComputeWorkgroupStorageSize);
    const [standardised, whiten, analyse] = await Promise.all([
      prepareStandardising(builder, parameters),
      builder.program({
        label: 'letkf.whiten',
        code: [
          PARAMETERS.wgsl,
          ...localWeightCode,
          part('as-set'),
          part('neighbours'),
          workgroupPart('choosing'),
          workgroupPart('listing'),
          whiteningCode,
        ],
        constants: { listed },
        bindings: ['uniform', 'read', 'read', 'read', 'read', 'read', 'write', 'write', 'write'],
      }),
      analysisKernel(builder, parameters, { rows: 'whitened-rows', inflation, bindings }),
    ]);
    const poles = builder.table('poles', 'real', poleTable());
    const realsOfPoint = localCapacity * (localCapacity + 4 * quads + 4);
    const points = Math.min(nx * ny, Math.max(1, Math.floor(BATCH_REALS / realsOfPoint)));
    const space = (name: string, each: number) =>
      builder.shared(`letkf.${name}`, 'real', points * localCapacity * each);
    const factors = space('factors', localCapacity);
    const whiteAnomalies = space('whiteAnomalies', 4 * quads);
    const whiteSlots = space('whiteSlots', 4);
    const constants = uniformOf(parameters);
    const batches = Array.from({ length: Math.ceil((nx * ny) / points) }, (_, batch) => {
      const firstCell = batch * points;
      const endCell = Math.min(nx * ny, firstCell + points);
      const own = { ...constants, firstCell, endCell };
      return {
        points: endCell - firstCell,
        whitening: builder.uniform('whitening', PARAMETERS, own),
        analysing: builder.uniform('analysing', PARAMETERS, { ...own, binsX: nx, binsY: ny }),
      };
    });

    return (recorder, fields) => {
      const { ensemble, analysis, binStart, correlationStart, correlation } = fields;
      const { anomalies, slots } = standardised;
      standardised.record(recorder, fields);
      for (const { points: count, whitening, analysing } of batches) {
        const known = [anomalies, slots, binStart, correlationStart, correlation];
        recorder.dispatch(whiten, [whitening, ...known, factors, whiteAnomalies, whiteSlots], workgroupsFor(count, 1));
        recorder.dispatch(
          analyse.program,
          [analysing, ensemble, analysis, whiteAnomalies, whiteSlots, binStart, poles, ...factorOf(fields)],
          workgroupsFor(count, analyse.cellsPerWorkgroup),
        );
      }
    };
  };
  return { independentErrors, correlatedErrors };
}

function factorOf(fields: BuffersOf<LetkfFields> | BuffersOf<InflatedLetkfFields>) {
  return 'factor' in fields ? [fields.factor] : [];
}

/** With the inflation that is set. */
export const { independentErrors, correlatedErrors } = preparing(AS_SET);
/** With a factor of every grid point's own. */
export const inflated = preparing(EACH_BY_ITSELF);

/** @throws LimitError */
function assertListed(listed: number, available: number): void {
  // 12 bytes each, and what `choosing` has.
  const largest = Math.floor((available - 8 * WORKGROUP - 256) / 12);
  if (listed <= largest) return;
  throw new LimitError(
    `letkf: ${listed} local observations with correlated errors asked for, at most ${largest} fit in the workgroup memory of ` +
      'this GPU; use a shorter halfWidth or thin the observations, or --backend reference',
  );
}

interface AnalysisParts {
  readonly rows: 'neighbours' | 'whitened-rows';
  readonly inflation: 'as-set' | 'at-each-point';
  readonly bindings: readonly Access[];
}

/** The kernel for the form, and how many grid points a workgroup of it handles. @throws LimitError */
async function analysisKernel(
  builder: KernelBuilder,
  parameters: LetkfParameters,
  { rows, inflation, bindings }: AnalysisParts,
): Promise<{ readonly program: Program; readonly cellsPerWorkgroup: number }> {
  const { localCapacity, members } = parameters;
  const form = letkfForm(parameters);
  const shared = [PARAMETERS.wgsl, ...localWeightCode, part(inflation), part(rows), part('scaling'), part('locality')];
  if (form === 'dual' && localCapacity <= LARGEST_POLE_ORDER) {
    const program = await builder.program({
      label: 'letkf.dual-poles',
      code: [...shared, dualPolesCode(Math.max(1, localCapacity))],
      bindings,
    });
    return { program, cellsPerWorkgroup: POLE_POINTS };
  }
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
function rounded(size: number): number {
  return 8 * Math.ceil(size / 8);
}

export function uniformOf(parameters: LetkfParameters): ScalarsOf<typeof PARAMETERS.members> {
  const {
    nx,
    ny,
    periodicX,
    periodicY,
    variables,
    members,
    halfWidthCells,
    inflation,
    localCapacity,
    aspect = 1,
  } = parameters;
  const { binsX, binsY } = binGeometry(parameters, halfWidthCells);
  const reach = Math.min(2 * halfWidthCells, nx + ny * aspect);
  return {
    nx,
    ny,
    variables,
    members,
    quads: Math.ceil(members / 4),
    localCapacity,
    binsX,
    binsY,
    reachX: reach,
    reachY: reach / aspect,
    aspect,
    inverseHalfWidthCells: 1 / halfWidthCells,
    periodicX: Number(periodicX),
    periodicY: Number(periodicY),
    rootInflation: Math.sqrt(inflation),
    meanScale: Math.sqrt(inflation / (members - 1)),
    poleClasses: POLE_CLASSES,
    firstCell: 0,
    endCell: nx * ny,
  };
}
