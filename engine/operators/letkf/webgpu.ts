/** The LETKF on WebGPU: observations in units of their error by bin, then one analysis kernel over all grid points. */
import type { Program, UniformMember, WebGpuOperator, Workshop } from '../../compute/webgpu/program.ts';
import { workgroupsFor } from '../../compute/webgpu/program.ts';
import gaspariCohnCode from '../../compute/webgpu/library/gaspari-cohn.wgsl?raw';
import indexCode from '../../compute/webgpu/library/index.wgsl?raw';
import { LimitError } from '../../errors.ts';
import dualLaneCode from './dual-lane.wgsl?raw';
import dualWorkgroupCode from './dual-workgroup.wgsl?raw';
import { polesFor } from './inverse-root-poles.ts';
import { binGeometry } from './local-observations.ts';
import localityCode from './locality.wgsl?raw';
import { assertLetkfParameters, letkfForm } from './parameters.ts';
import type { LetkfFields, LetkfParameters } from './parameters.ts';
import primalCode from './primal.wgsl?raw';
import standardiseCode from './standardise.wgsl?raw';
import workgroupRootCode from './workgroup-root.wgsl?raw';

/** Invocations of every kernel here. */
const WORKGROUP = 64;

/** Local observations that one invocation handles by itself; CAPACITY of dual-lane.wgsl. */
const LARGEST_LANE_ORDER = 16;

/** LARGEST_ORDER of workgroup-root.wgsl, whatever the workgroup memory. */
const LARGEST_WORKGROUP_ORDER = 128;

/**
 * Pole classes hold for conditions up to 4, 16, …, 4^24 = 2.8e14, where float32 has long lost the smallest eigenvalues;
 * beyond, the clamped pivots keep the result finite. 32 poles are enough for each.
 */
const POLE_CLASSES = 24;
const POLE_STRIDE = 36;

/** Error of the inverse root relative to itself: that of float32. */
const POLE_TOLERANCE = 1e-7;

const ANALYSIS_BINDINGS = ['uniform', 'read', 'write', 'read', 'read', 'read', 'read'] as const;

const prepare: WebGpuOperator<LetkfParameters, LetkfFields> = async (workshop, parameters) => {
  assertLetkfParameters(parameters);
  const { nx, ny, members, observations, inflation } = parameters;
  const quads = Math.ceil(members / 4);
  const [standardise, analyse] = await Promise.all([
    workshop.program({
      label: 'letkf.standardise',
      code: [indexCode, standardiseCode],
      bindings: ['uniform', 'read', 'read', 'read', 'read', 'read', 'read', 'write', 'write'],
    }),
    analysisKernel(workshop, parameters),
  ]);
  const shape = workshop.uniform('shape', [
    { u32: observations },
    { u32: members },
    { u32: quads },
    { f32: Math.sqrt(inflation / (members - 1)) },
  ]);
  const constants = workshop.uniform('parameters', uniformOf(parameters));
  const poles = workshop.table('poles', 'real', poleTable());
  const anomalies = workshop.scratch('anomalies', 'real', observations * quads * 4);
  const slots = workshop.scratch('slots', 'real', observations * 4);

  return (recorder, { ensemble, analysis, binStart, binObservations, ...observed }) => {
    const { observedEnsemble, values, inverseDeviation, positionX, positionY } = observed;
    recorder.dispatch(
      standardise,
      [shape, observedEnsemble, values, inverseDeviation, positionX, positionY, binObservations, anomalies, slots],
      workgroupsFor(observations, WORKGROUP),
    );
    recorder.dispatch(
      analyse.program,
      [constants, ensemble, analysis, anomalies, slots, binStart, poles],
      workgroupsFor(nx * ny, analyse.cellsPerWorkgroup),
    );
  };
};

/** The kernel for the form, and how many grid points a workgroup of it handles. @throws LimitError */
async function analysisKernel(
  workshop: Workshop,
  parameters: LetkfParameters,
): Promise<{ readonly program: Program; readonly cellsPerWorkgroup: number }> {
  const { localCapacity, members } = parameters;
  const form = letkfForm(parameters);
  const shared = [gaspariCohnCode, localityCode];
  if (form === 'dual' && localCapacity <= LARGEST_LANE_ORDER) {
    const program = await workshop.program({
      label: 'letkf.dual-lane',
      code: [indexCode, ...shared, dualLaneCode],
      bindings: ANALYSIS_BINDINGS,
    });
    return { program, cellsPerWorkgroup: WORKGROUP };
  }
  const order = form === 'dual' ? localCapacity : members;
  const largest = largestOrder(form, members, workshop.limits.maxComputeWorkgroupStorageSize);
  if (order > largest) {
    const asked = form === 'dual' ? `localCapacity ${localCapacity}` : `${members} members`;
    const next = form === 'dual' ? 'use a shorter halfWidth or thin the observations' : 'use fewer members';
    throw new LimitError(
      `letkf: ${asked} asked for, at most ${largest} fit in the workgroup memory of this GPU in the ${form} form; ` +
        `${next}, or --backend reference`,
    );
  }
  const program = await workshop.program({
    label: `letkf.${form}`,
    code: [...shared, workgroupRootCode, form === 'dual' ? dualWorkgroupCode : primalCode],
    constants: form === 'dual' ? { order, memberCapacity: members } : { order },
    bindings: ANALYSIS_BINDINGS,
  });
  return { program, cellsPerWorkgroup: 1 };
}

/** The largest order of the matrix that fits: workgroup variables of workgroup-root.wgsl and of the form's kernel. */
function largestOrder(form: 'dual' | 'primal', members: number, available: number): number {
  const shared = (order: number): number =>
    4 * ((order * (order + 1)) / 2 + 5 * order + 8 * order) + 16 * 3 * 64 + 1024;
  const own = (order: number): number => (form === 'dual' ? 8 * order + 16 * members : 4 * 9 * order);
  let order = LARGEST_WORKGROUP_ORDER;
  while (order > 0 && shared(order) + own(order) > available) order--;
  return order;
}

/** The members of Parameters in locality.wgsl. */
function uniformOf(parameters: LetkfParameters): UniformMember[] {
  const { nx, ny, periodicX, periodicY, variables, members, halfWidth, inflation, localCapacity } = parameters;
  const { binsX, binsY } = binGeometry(parameters, halfWidth);
  return [
    { u32: nx },
    { u32: ny },
    { u32: variables },
    { u32: members },
    { u32: Math.ceil(members / 4) },
    { u32: localCapacity },
    { u32: binsX },
    { u32: binsY },
    { f32: Math.min(2 * halfWidth, nx + ny) },
    { f32: 1 / halfWidth },
    { u32: Number(periodicX) },
    { u32: Number(periodicY) },
    { f32: Math.sqrt(inflation) },
    { f32: Math.sqrt(inflation / (members - 1)) },
    { u32: POLE_CLASSES },
    { u32: POLE_STRIDE },
  ];
}

let table: Float64Array | undefined;

/** [class][pole](shift, weight of the root, weight of f = weight/shift, number of poles of the class). */
function poleTable(): Float64Array {
  if (table) return table;
  table = new Float64Array(POLE_CLASSES * POLE_STRIDE * 4);
  for (let c = 0; c < POLE_CLASSES; c++) {
    const poles = polesFor(4 ** (c + 1), POLE_TOLERANCE);
    for (const [m, { shift, weight }] of poles.entries()) {
      table.set([shift, weight, weight / shift, poles.length], 4 * (c * POLE_STRIDE + m));
    }
  }
  return table;
}

export default prepare;
