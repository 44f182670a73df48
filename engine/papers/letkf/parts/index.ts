/**
 * The parts of the LETKF that [letkf-gpu] put on GPUs, and the inverse after them, written out with every matrix in memory:
 *
 *   C = Yᵀ R⁻¹  (k × ℓ a cell),   P = C Y  (k × k),   P̃ᵃ = [(k − 1) I/ρ + P]⁻¹  (k × k),
 *
 * Y (ℓ × k) the observed anomalies of a cell and its eight neighbours, ℓ = 9, and R⁻¹ whole (ℓ × ℓ), the same at every cell. They
 * are here for the comparison alone: the analysis of the program (operators/letkf) stores none of the three. On a GPU, C comes in
 * the paper's three forms, whose sums have the same order; on a processor the three are one, which follows the order of memory. The
 * inverse is made by Gauss–Jordan elimination without pivots, since the matrix is symmetric and positive.
 *
 * Cost of one run over n cells, e bytes a real: C moves 10 n k e bytes and 81 e for R⁻¹ and takes 2 n k ℓ² operations; P moves
 * (k + 10) n k e bytes and takes 2 n ℓ k²; P̃ᵃ moves 2 n k² e bytes and takes 2 n k³.
 */
import { smoothEnsemble } from '../../../benchmarks/index.ts';
import type { RealArray } from '../../../compute/backend.ts';
import { aboveZero, count, oneOf, sampled, kernelOperator } from '../../../compute/define-operator.ts';
import { parameterBlock } from '../../../compute/parameter-block.ts';
import { gaspariCohn } from '../../../operators/localisation/index.ts';

/** How C is computed on a GPU: see letkf-parts.wgsl. */
type ObservationWeightsForm = 'naive' | 'workgroup' | 'members';

export interface LetkfPartsParameters {
  /** Every cell of nx × ny is observed. */
  readonly nx: number;
  readonly ny: number;
  /** k, at least 2. */
  readonly members: number;
  /** ρ > 0, multiplies the background covariance. */
  readonly inflation: number;
  readonly form: ObservationWeightsForm;
}

/** ℓ. Neighbour o is at (o mod 3 − 1, ⌊o/3⌋ − 1) from its cell; the anomaly of one beyond the edge is 0. */
export const NEIGHBOURS = 9;

/** Cells a side of the tiles, and invocations of a cell, as in letkf-parts.wgsl. */
const SIDE = 16;
const LANES = 32;

const RULES = {
  nx: count,
  ny: count,
  members: sampled,
  inflation: aboveZero,
  form: oneOf('naive', 'workgroup', 'members'),
};

const code = (): readonly Promise<{ readonly default: string }>[] => [import('./letkf-parts.wgsl?raw')];

/** Workgroups that share the members of a tile. */
function layersOf({ form, members }: LetkfPartsParameters): number {
  return form === 'members' ? members : 1;
}

/** Puts the anomalies of a cell's neighbours into `near` [9]. */
function gather(
  { nx, ny }: LetkfPartsParameters,
  anomalies: RealArray,
  member: number,
  cell: number,
  near: Float64Array,
): void {
  for (let o = 0; o < NEIGHBOURS; o++) {
    const x = (cell % nx) + (o % 3) - 1;
    const y = Math.floor(cell / nx) + Math.floor(o / 3) - 1;
    near[o] = x < 0 || x >= nx || y < 0 || y >= ny ? 0 : anomalies[(member * ny + y) * nx + x];
  }
}

/** C = Yᵀ R⁻¹ */
export const observationWeights = kernelOperator({
  name: 'observation-weights',
  block: parameterBlock('ObservationWeights', {
    nx: 'count',
    ny: 'count',
    members: 'count',
    /** Yᵀ [k][ny][nx] */
    anomalies: 'read real',
    /** R⁻¹ [9][9] */
    inverseR: 'read real',
    /** [ny][nx][k][9] */
    c: 'write real',
  }),
  parameters: RULES,
  cost: ({ nx, ny, members: k }: LetkfPartsParameters, elementBytes) => ({
    bytes: ((1 + NEIGHBOURS) * nx * ny * k + NEIGHBOURS ** 2) * elementBytes,
    flops: 2 * nx * ny * k * NEIGHBOURS ** 2,
  }),
  reference: (parameters) => {
    const { nx, ny, members } = parameters;
    const near = new Float64Array(NEIGHBOURS);
    return ({ anomalies, inverseR, c }) => {
      for (let cell = 0, at = 0; cell < nx * ny; cell++) {
        for (let member = 0; member < members; member++) {
          gather(parameters, anomalies, member, cell, near);
          for (let o = 0; o < NEIGHBOURS; o++) {
            let sum = 0;
            for (let q = 0; q < NEIGHBOURS; q++) sum += near[q] * inverseR[q * NEIGHBOURS + o];
            c[at++] = sum;
          }
        }
      }
    };
  },
  wasm: ({ ny }) => ({ kernel: 'observationWeights', parts: ny, scratchBytes: 4 * NEIGHBOURS * 13 }),
  webgpu: {
    code,
    parts: ({ form }) => ['neighbours', form === 'naive' ? 'naive' : 'tiles'],
    items: (parameters) => {
      const { nx, ny, form } = parameters;
      return form === 'naive' ? nx * ny : [layersOf(parameters) * SIDE * Math.ceil(nx / SIDE), ny];
    },
    constants: (parameters): Readonly<Record<string, number>> =>
      parameters.form === 'naive' ? {} : { LAYERS: layersOf(parameters) },
  },
});

/** P = C Y */
export const weightedProduct = kernelOperator({
  name: 'weighted-product',
  block: parameterBlock('WeightedProduct', {
    nx: 'count',
    ny: 'count',
    members: 'count',
    /** Yᵀ [k][ny][nx] */
    anomalies: 'read real',
    /** [ny][nx][k][9] */
    c: 'read real',
    /** [ny][nx][k][k] */
    product: 'write real',
  }),
  parameters: RULES,
  cost: ({ nx, ny, members: k }: LetkfPartsParameters, elementBytes) => ({
    bytes: (k + NEIGHBOURS + 1) * nx * ny * k * elementBytes,
    flops: 2 * nx * ny * NEIGHBOURS * k ** 2,
  }),
  reference: (parameters) => {
    const { nx, ny, members: k } = parameters;
    const near = new Float64Array(NEIGHBOURS);
    return ({ anomalies, c, product }) => {
      for (let cell = 0; cell < nx * ny; cell++) {
        for (let j = 0; j < k; j++) {
          gather(parameters, anomalies, j, cell, near);
          for (let i = 0; i < k; i++) {
            let sum = 0;
            for (let o = 0; o < NEIGHBOURS; o++) sum += c[(cell * k + i) * NEIGHBOURS + o] * near[o];
            product[(cell * k + i) * k + j] = sum;
          }
        }
      }
    };
  },
  wasm: ({ ny, members }) => ({
    kernel: 'weightedProduct',
    parts: ny,
    scratchBytes: 16 * NEIGHBOURS * Math.ceil(members / 4),
  }),
  webgpu: {
    code,
    parts: ['neighbours', 'product'],
    items: ({ nx, ny }) => LANES * nx * ny,
    constants: ({ members }) => ({ order: members }),
  },
});

/** Turns a symmetric positive matrix [k][k] into its inverse. */
function invert(matrix: Float64Array, k: number): void {
  for (let p = 0; p < k; p++) {
    const d = 1 / matrix[p * k + p];
    for (let j = 0; j < k; j++) if (j !== p) matrix[p * k + j] *= d;
    for (let i = 0; i < k; i++) {
      if (i === p) continue;
      const factor = matrix[i * k + p];
      for (let j = 0; j < k; j++) if (j !== p) matrix[i * k + j] -= factor * matrix[p * k + j];
      matrix[i * k + p] = -factor * d;
    }
    matrix[p * k + p] = d;
  }
}

/** P̃ᵃ = [(k − 1) I/ρ + P]⁻¹ */
export const analysisCovariance = kernelOperator({
  name: 'analysis-covariance',
  block: parameterBlock('AnalysisCovariance', {
    nx: 'count',
    ny: 'count',
    members: 'count',
    /** (k − 1)/ρ */
    diagonal: 'f32',
    /** P [ny][nx][k][k] */
    product: 'read real',
    /** [ny][nx][k][k] */
    covariance: 'write real',
  }),
  parameters: RULES,
  values: ({ nx, ny, members, inflation }: LetkfPartsParameters) => ({
    nx,
    ny,
    members,
    diagonal: (members - 1) / inflation,
  }),
  cost: ({ nx, ny, members: k }: LetkfPartsParameters, elementBytes) => ({
    bytes: 2 * nx * ny * k ** 2 * elementBytes,
    flops: 2 * nx * ny * k ** 3,
  }),
  reference: ({ nx, ny, members: k, inflation }) => {
    const matrix = new Float64Array(k * k);
    return ({ product, covariance }) => {
      for (let cell = 0; cell < nx * ny; cell++) {
        matrix.set(product.subarray(cell * k * k, (cell + 1) * k * k));
        for (let i = 0; i < k; i++) matrix[i * k + i] += (k - 1) / inflation;
        invert(matrix, k);
        covariance.set(matrix, cell * k * k);
      }
    };
  },
  wasm: ({ ny, members }) => ({
    kernel: 'analysisCovariance',
    parts: ny,
    scratchBytes: 16 * members * Math.ceil(members / 4),
  }),
  webgpu: {
    code,
    parts: ['inverse'],
    items: ({ nx, ny }) => LANES * nx * ny,
    constants: ({ members }) => ({ order: members }),
  },
});

export interface LocalErrors {
  /** σₒ > 0 */
  readonly standardDeviation: number;
  /** L of the correlation exp(−d/L) between errors at d cells from each other; 0: independent. */
  readonly correlationLength: number;
  /** Gaspari–Cohn half-width of the weights w, cells, or Infinity. */
  readonly halfWidth: number;
}

/** @returns cells between two neighbours of a cell */
function distance(a: number, b: number): number {
  return Math.hypot((a % 3) - (b % 3), Math.floor(a / 3) - Math.floor(b / 3));
}

/** √w R⁻¹ √w of a cell's neighbours, symmetric, row by row. [9][9] */
export function localInverseR({ standardDeviation, correlationLength, halfWidth }: LocalErrors): Float64Array {
  const places = Float64Array.from({ length: NEIGHBOURS ** 2 }, (_, at) => at);
  const rowOf = (at: number): number => Math.floor(at / NEIGHBOURS);
  const inverseR = places.map((at) => {
    const [a, b] = [rowOf(at), at % NEIGHBOURS];
    return standardDeviation ** 2 * (a === b ? 1 : Math.exp(-distance(a, b) / correlationLength));
  });
  invert(inverseR, NEIGHBOURS);
  const middle = (NEIGHBOURS - 1) / 2;
  const rootWeight = (o: number): number => Math.sqrt(gaspariCohn(distance(o, middle) / halfWidth));
  return places.map((at) => rootWeight(rowOf(at)) * inverseR[at] * rootWeight(at % NEIGHBOURS));
}

/** Members of a smooth ensemble less their mean, [member][n][n]. */
export function smoothAnomalies(n: number, members: number): Float64Array {
  const ensemble = smoothEnsemble(n, members);
  const cells = n * n;
  for (let cell = 0; cell < cells; cell++) {
    let sum = 0;
    for (let member = 0; member < members; member++) sum += ensemble[member * cells + cell];
    for (let member = 0; member < members; member++) ensemble[member * cells + cell] -= sum / members;
  }
  return ensemble;
}
