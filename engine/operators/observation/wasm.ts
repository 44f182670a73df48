/** The WASM parts of this room: a kernel each, whose parts are runs of results. */
import { parameterBlock } from '../../compute/parameter-block.ts';
import { onFields, partsFor } from '../../compute/wasm/program.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';
import type {
  columnScalingFields,
  innovationFields,
  InnovationParameters,
  linearisationFields,
  LinearisationParameters,
  measurementFields,
  MeasurementParameters,
  observationFields,
  ObservationParameters,
  qualityControlFields,
  QualityControlParameters,
  sparseAdjointFields,
  SparseParameters,
  sparseProductFields,
  TangentVarianceFields,
  TangentVarianceParameters,
} from './parameters.ts';

/** Results of a part: observations or rows, columns or entries, of which many are next to no work. */
const OBSERVATIONS = 1024;
const ENTRIES = 16_384;

const OBSERVATION = parameterBlock('Observation', {
  observations: 'i32',
  plane: 'i32',
  variables: 'i32',
  /** Observations of a part, and parts of a member. */
  segment: 'i32',
  segments: 'i32',
  dryDepth: 'f32',
  state: 'pointer',
  corners: 'pointer',
  weights: 'pointer',
  kind: 'pointer',
  offset: 'pointer',
  output: 'pointer',
});

export const observation: WasmOperator<ObservationParameters, typeof observationFields> = (
  builder,
  { batch, ...parameters },
) => {
  const segments = partsFor(parameters.observations, OBSERVATIONS);
  const constants = { ...parameters, segment: OBSERVATIONS, segments };
  return onFields(builder.program('observe', OBSERVATION, constants), segments * batch);
};

const LINEARISATION = parameterBlock('Linearisation', {
  observations: 'i32',
  plane: 'i32',
  segment: 'i32',
  dryDepth: 'f32',
  state: 'pointer',
  corners: 'pointer',
  weights: 'pointer',
  kind: 'pointer',
  offset: 'pointer',
  inverseErrorStd: 'pointer',
  indptr: 'pointer',
  data: 'pointer',
});

export const linearisation: WasmOperator<LinearisationParameters, typeof linearisationFields> = (
  builder,
  { observations, plane, dryDepth },
) => {
  const constants = { observations, plane, dryDepth, segment: OBSERVATIONS };
  return onFields(builder.program('linearise', LINEARISATION, constants), partsFor(observations, OBSERVATIONS));
};

const TANGENT_VARIANCE = parameterBlock('TangentVariance', {
  observations: 'i32',
  segment: 'i32',
  indptr: 'pointer',
  data: 'pointer',
  covariance: 'pointer',
  variance: 'pointer',
});

export const tangentVariance: WasmOperator<TangentVarianceParameters, TangentVarianceFields> = (
  builder,
  { observations },
) => {
  const constants = { observations, segment: OBSERVATIONS };
  return onFields(builder.program('varyTangent', TANGENT_VARIANCE, constants), partsFor(observations, OBSERVATIONS));
};

const SPARSE_PRODUCT = parameterBlock('SparseProduct', {
  rows: 'i32',
  columns: 'i32',
  /** Rows of a part, and parts of a vector. */
  segment: 'i32',
  segments: 'i32',
  indptr: 'pointer',
  indices: 'pointer',
  data: 'pointer',
  input: 'pointer',
  output: 'pointer',
});

export const sparseProduct: WasmOperator<SparseParameters, typeof sparseProductFields> = (
  builder,
  { rows, columns, batch },
) => {
  const segments = partsFor(rows, OBSERVATIONS);
  const constants = { rows, columns, segment: OBSERVATIONS, segments };
  return onFields(builder.program('multiplySparse', SPARSE_PRODUCT, constants), segments * batch);
};

const SPARSE_ADJOINT = parameterBlock('SparseAdjoint', {
  rows: 'i32',
  columns: 'i32',
  /** Columns of a part, and parts of a vector. */
  segment: 'i32',
  segments: 'i32',
  columnStart: 'pointer',
  entryRow: 'pointer',
  entryPosition: 'pointer',
  data: 'pointer',
  input: 'pointer',
  output: 'pointer',
});

export const sparseAdjoint: WasmOperator<SparseParameters, typeof sparseAdjointFields> = (
  builder,
  { rows, columns, batch },
) => {
  const segments = partsFor(columns, ENTRIES);
  const constants = { rows, columns, segment: ENTRIES, segments };
  return onFields(builder.program('multiplySparseAdjoint', SPARSE_ADJOINT, constants), segments * batch);
};

const COLUMN_SCALING = parameterBlock('ColumnScaling', {
  rows: 'i32',
  /** Entries of a part. */
  segment: 'i32',
  indptr: 'pointer',
  indices: 'pointer',
  data: 'pointer',
  scale: 'pointer',
});

export const columnScaling: WasmOperator<SparseParameters, typeof columnScalingFields> = (
  builder,
  { rows, nonzeros },
) => {
  const constants = { rows, segment: ENTRIES };
  return onFields(builder.program('scaleColumns', COLUMN_SCALING, constants), partsFor(nonzeros, ENTRIES));
};

const MEASUREMENT = parameterBlock('Measurement', {
  observations: 'i32',
  segment: 'i32',
  observed: 'pointer',
  normal: 'pointer',
  term: 'pointer',
  isGiven: 'pointer',
  values: 'pointer',
});

export const measurement: WasmOperator<MeasurementParameters, typeof measurementFields> = (
  builder,
  { observations },
) => {
  const constants = { observations, segment: ENTRIES };
  return onFields(builder.program('measure', MEASUREMENT, constants), partsFor(observations, ENTRIES));
};

const INNOVATION = parameterBlock('Innovation', {
  observations: 'i32',
  segment: 'i32',
  values: 'pointer',
  observed: 'pointer',
  inverseErrorStd: 'pointer',
  innovation: 'pointer',
  scaled: 'pointer',
});

export const innovation: WasmOperator<InnovationParameters, typeof innovationFields> = (builder, { observations }) => {
  const constants = { observations, segment: ENTRIES };
  return onFields(builder.program('depart', INNOVATION, constants), partsFor(observations, ENTRIES));
};

const QUALITY_CONTROL = parameterBlock('QualityControl', {
  observations: 'i32',
  segment: 'i32',
  sharpest: 'f32',
  innovation: 'pointer',
  inverseErrorStd: 'pointer',
  variance: 'pointer',
  threshold: 'pointer',
  effective: 'pointer',
});

export const qualityControl: WasmOperator<QualityControlParameters, typeof qualityControlFields> = (
  builder,
  { observations, sharpest },
) => {
  const constants = { observations, sharpest, segment: ENTRIES };
  return onFields(builder.program('controlQuality', QUALITY_CONTROL, constants), partsFor(observations, ENTRIES));
};
