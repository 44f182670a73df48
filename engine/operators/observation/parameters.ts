/** What the operators of observations are prepared with, and the arrays they work on. */

export interface ObservationParameters {
  /** Capacity of the network. */
  readonly observations: number;
  /** Cells of one variable, nx·ny. */
  readonly plane: number;
  /** Components of the state. */
  readonly variables: number;
  /** States that are observed at once. */
  readonly batch: number;
  /** ε, metres: shallower water is taken for almost dry. */
  readonly dryDepth: number;
}

export interface SparseParameters {
  readonly rows: number;
  readonly columns: number;
  /** Entries of the matrix at most: enters the cost alone. */
  readonly nonzeros: number;
  /** Vectors that are multiplied at once. */
  readonly batch: number;
}

/** Where the entries are: those of row j are `indptr[j]` … `indptr[j + 1]`. Rows may be empty, columns may repeat. */
export interface SparseRows {
  /** `[rows + 1]`. */
  readonly indptr: Uint32Array;
  /** Column of each entry. */
  readonly indices: Uint32Array;
}

/** The same entries by column: those of column i are `columnStart[i]` … `columnStart[i + 1]`. */
export interface TransposedStructure {
  /** `[columns + 1]`. */
  readonly columnStart: Uint32Array;
  /** Row of each entry. */
  readonly entryRow: Uint32Array;
  /** Where it stands in `data`. */
  readonly entryPosition: Uint32Array;
}

/** Entries of `covariance` for one observation: of its components 0-0, 1-1, 2-2, 0-1, 0-2, 1-2. */
export const COVARIANCE_ENTRIES = 6;

export type TangentVarianceFields = {
  /** H′ in compressed rows as `linearisation` makes it: four entries for each component that the observation depends on. */
  readonly indptr: 'index';
  readonly data: 'real';
  /** [observations][6]: covariances of the state's components, interpolated to the observation, in the row's order of them. */
  readonly covariance: 'real';
  /** [observations], written: H′ B H′ᵀ's diagonal; 0 for an empty row. */
  readonly variance: 'real';
};

/** Shapes: `observation`. */
export const observationFields = {
  state: 'real',
  corners: 'index',
  weights: 'real',
  kind: 'index',
  offset: 'real',
  output: 'real',
} as const;

export type LinearisationParameters = Omit<ObservationParameters, 'batch'>;

/** Shapes: `linearisation`. */
export const linearisationFields = {
  state: 'real',
  corners: 'index',
  weights: 'real',
  kind: 'index',
  offset: 'real',
  inverseErrorStd: 'real',
  indptr: 'index',
  data: 'real',
} as const;

/** Shapes: `sparseProduct`. */
export const sparseProductFields = {
  indptr: 'index',
  indices: 'index',
  data: 'real',
  input: 'real',
  output: 'real',
} as const;

/** Shapes: `sparseAdjoint`. */
export const sparseAdjointFields = {
  columnStart: 'index',
  entryRow: 'index',
  entryPosition: 'index',
  data: 'real',
  input: 'real',
  output: 'real',
} as const;

/** Shapes: `columnScaling`. */
export const columnScalingFields = {
  indptr: 'index',
  indices: 'index',
  data: 'real',
  scale: 'real',
} as const;

export interface InnovationParameters {
  readonly observations: number;
}

export interface MeasurementParameters {
  readonly observations: number;
}

/** Shapes: `measurement`. */
export const measurementFields = {
  observed: 'real',
  normal: 'real',
  term: 'real',
  isGiven: 'index',
  values: 'real',
} as const;

/** Shapes: `innovation`. */
export const innovationFields = {
  values: 'real',
  observed: 'real',
  inverseErrorStd: 'real',
  innovation: 'real',
  scaled: 'real',
} as const;

export interface QualityControlParameters {
  readonly observations: number;
  /** r·max(σ_b, |d|) at most. */
  readonly sharpest: number;
}

/** Shapes: `qualityControl`. */
export const qualityControlFields = {
  innovation: 'real',
  inverseErrorStd: 'real',
  variance: 'real',
  threshold: 'real',
  effective: 'real',
} as const;

export interface TangentVarianceParameters {
  readonly observations: number;
}
