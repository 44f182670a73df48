/** What the LETKF's kernels read: their numbers, and observations in units of their error by bin. */
import { uniformBlock, type ScalarsOf } from '../../compute/parameter-block.ts';
import indexCode from '../../compute/webgpu/library/index.wgsl?raw';
import { partsOf, workgroupsFor } from '../../compute/webgpu/program.ts';
import type { BuffersOf, KernelBuilder, Recorder } from '../../compute/webgpu/program.ts';
import { binGeometry } from '../localisation/index.ts';
import { POLE_CLASSES } from './inverse-root-poles.ts';
import source from './local.wgsl?raw';
import type { LetkfParameters, ObservedFields } from './parameters.ts';

const part = partsOf(source);

/** Slots of a workgroup. */
const WORKGROUP = 64;

const SHAPE = uniformBlock('Shape', {
  observations: 'u32',
  members: 'u32',
  quads: 'u32',
  anomalyScale: 'f32',
});

/** What the analysis kernels, and those that look for observations, have as `parameters`. */
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

/** @returns the values of `PARAMETERS` for all grid points in one batch */
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
