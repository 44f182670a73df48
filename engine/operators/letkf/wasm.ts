/** The LETKF in SIMD: observations in units of their error by bin, then the analysis of four grid points at a time. */
import { parameterBlock, type BlockValues } from '../../compute/parameter-block.ts';
import type { ArraysOf } from '../../compute/field.ts';
import { addressesOf, partsFor, type WasmBuilder, type WasmOperator } from '../../compute/wasm/program.ts';
import { binGeometry } from '../localisation/index.ts';
import { tooManyLocal } from './parameters.ts';
import type {
  CorrelatedLetkfFields,
  LetkfFields,
  LetkfParameters,
  ObservedFields,
  PointInflationFields,
  PointInflationParameters,
} from './parameters.ts';
import { poleTable } from './inverse-root-poles.ts';

const LETKF = parameterBlock('Letkf', {
  nx: 'i32',
  ny: 'i32',
  variables: 'i32',
  members: 'i32',
  /** Members rounded up to a multiple of four. */
  padded: 'i32',
  observations: 'i32',
  /** ℓ: the largest number of local observations of a grid point. */
  localCapacity: 'i32',
  /** Largest order of a matrix here. */
  order: 'i32',
  /** 0: the smaller of the two problems; 1: dual; 2: primal. */
  form: 'i32',
  /** Cells of a row that are loaded and stored together, a multiple of four. */
  tile: 'i32',
  binsX: 'i32',
  binsY: 'i32',
  /** 2c in cells along x and in cells along y, no more than the domain. */
  reachX: 'f32',
  reachY: 'f32',
  aspect: 'f32',
  /** 1/c, 0 without localisation. */
  inverseHalfWidth: 'f32',
  periodicX: 'i32',
  periodicY: 'i32',
  /** √ρ */
  rootInflation: 'f32',
  /** √(ρ/(k − 1)) */
  meanScale: 'f32',
  ensemble: 'pointer',
  analysis: 'pointer',
  observedEnsemble: 'pointer',
  values: 'pointer',
  inverseErrorStd: 'pointer',
  positionX: 'pointer',
  positionY: 'pointer',
  binStart: 'pointer',
  binObservations: 'pointer',
  /** By slot of the bins: √(ρ/(k − 1)) R^−½ Y, padded with zeros; and x, y, R^−½ (yᵒ − ȳ), and 1 where it is there. */
  anomalies: 'pointer',
  slots: 'pointer',
  /** [class][pole](shift, weight of the root, weight of f, number of poles). */
  poles: 'pointer',
  /** Whether errors are correlated, and the correlations if they are. */
  isCorrelated: 'i32',
  correlationStart: 'pointer',
  correlation: 'pointer',
  /** Whether every grid point has a factor of its own beside ρ, and these. */
  isInflated: 'i32',
  factor: 'pointer',
  /** How a factor is found: v_b of its update, or the certainty of the finite-size prior, 0 for the update. */
  priorVariance: 'f32',
  certainty: 'f32',
  least: 'f32',
  most: 'f32',
  /** Report of each part: the first cell with more than localCapacity observations, or −1. */
  reports: 'pointer',
});

const FORMS = { auto: 0, dual: 1, primal: 2 } as const;
/** Slots of a part of `letkfStandardise`. */
const SLOTS_OF_PART = 256;
/** Grid points that are analysed together. */
const LANES = 4;
/** Cells of a row that are loaded and stored together: 256 bytes of each member. */
const TILE = 64;
const NONE = 0xffff_ffff;
/** What point-inflation.as.ts has before the work space of the analysis. */
const POINT_BYTES = 128;

/** The largest matrix: `auto` takes the dual one only where it is no larger than the other. */
function largestOrder({ form, members, observations, localCapacity }: LetkfParameters): number {
  return form === 'dual' ? Math.max(1, Math.min(observations, LANES * localCapacity)) : members;
}

/** Bytes of the work space that workspace-library.as.ts lays out. */
function workspaceBytes(
  order: number,
  padded: number,
  { variables, observations, localCapacity }: LetkfParameters,
  isCorrelated: boolean,
): number {
  const listed = Math.min(observations, LANES * localCapacity);
  const whitened = isCorrelated ? (listed * (listed + 1)) / 2 + listed * (padded + 1) : 0;
  const vectors =
    order * order +
    (8 + 2 * variables) * order +
    padded * (1 + (variables * TILE) / 4) +
    2 * variables +
    observations +
    whitened;
  return 256 + 16 * vectors + 4 * observations;
}

/** What the kernels here have in common. */
function commonValues(builder: WasmBuilder, parameters: LetkfParameters) {
  const { nx, ny, variables, members, observations, localCapacity, halfWidthCells, inflation, aspect = 1 } = parameters;
  const padded = 4 * Math.ceil(members / 4);
  const reach = Math.min(2 * halfWidthCells, nx + ny * aspect);
  return {
    nx,
    ny,
    variables,
    members,
    padded,
    observations,
    localCapacity,
    order: largestOrder(parameters),
    tile: TILE,
    form: FORMS[parameters.form],
    ...binGeometry(parameters, halfWidthCells),
    reachX: reach,
    reachY: reach / aspect,
    aspect,
    inverseHalfWidth: 1 / halfWidthCells,
    periodicX: Number(parameters.periodicX),
    periodicY: Number(parameters.periodicY),
    rootInflation: Math.sqrt(inflation),
    meanScale: Math.sqrt(inflation / (members - 1)),
    anomalies: builder.reals('letkf.anomalies', observations * padded).address,
    slots: builder.reals('letkf.slots', 4 * observations).address,
  };
}

/** Observations in units of their error, then `kernel` on every row of the grid. */
function rowByRow(
  builder: WasmBuilder,
  kernel: string,
  parameters: LetkfParameters,
  values: ReturnType<typeof commonValues> & Partial<BlockValues<typeof LETKF.members>>,
  scratchBytes: number,
): (arrays: ArraysOf<ObservedFields>) => void {
  const { nx, ny, observations, localCapacity } = parameters;
  const reports = builder.words('letkf.reports', ny);
  const all = { ...values, reports: reports.address };
  const standardise = builder.program('letkfStandardise', LETKF, all);
  const analyse = builder.program(kernel, LETKF, all, scratchBytes);

  return (arrays) => {
    const fields = addressesOf(arrays);
    standardise.set(fields);
    standardise.run(partsFor(observations, SLOTS_OF_PART));
    analyse.set({ ...fields, isInflated: Number('factor' in arrays) });
    analyse.run(ny);
    const crowded = reports.view().find((cell) => cell !== NONE);
    if (crowded !== undefined) throw tooManyLocal(crowded % nx, Math.floor(crowded / nx), localCapacity);
  };
}

function prepare(builder: WasmBuilder, parameters: LetkfParameters, isCorrelated: boolean) {
  const values = {
    ...commonValues(builder, parameters),
    isCorrelated: Number(isCorrelated),
    poles: builder.realTable('letkf.poles', poleTable()),
  };
  const scratchBytes = workspaceBytes(values.order, values.padded, parameters, isCorrelated);
  return rowByRow(builder, 'letkfAnalysis', parameters, values, scratchBytes);
}

/** Takes factors of the grid points if the fields have those. */
export const independentErrors: WasmOperator<LetkfParameters, LetkfFields> = (builder, parameters) =>
  prepare(builder, parameters, false);

export const correlatedErrors: WasmOperator<LetkfParameters, CorrelatedLetkfFields> = (builder, parameters) =>
  prepare(builder, parameters, true);

export const pointInflation: WasmOperator<PointInflationParameters, PointInflationFields> = (builder, given) => {
  const { estimate, least, most } = given;
  const parameters = { ...given, variables: 1, inflation: 1 };
  const isUpdate = estimate.kind === 'innovations';
  const values = {
    ...commonValues(builder, parameters),
    isCorrelated: 0,
    priorVariance: isUpdate ? estimate.deviation ** 2 : 0,
    certainty: isUpdate ? 0 : estimate.certainty,
    least,
    most,
  };
  const scratchBytes = POINT_BYTES + workspaceBytes(values.order, values.padded, parameters, false);
  return rowByRow(builder, 'letkfPointInflation', parameters, values, scratchBytes);
};
