/** The parts of the LETKF that were published: their operators, and the benchmarks of them. */
import type { ArraysOf, RealArray, Cost, Operator, Backend } from '../../../compute/backend.ts';
import { NEIGHBOURS } from './parameters.ts';
import type {
  AnalysisCovarianceFields,
  LetkfPartsFields,
  LetkfPartsParameters,
  ObservationWeightsFields,
  ObservationWeightsForm,
} from './parameters.ts';
import { gaspariCohn } from '../../../operators/localisation/index.ts';
import { type Benchmark, type Workload, smoothEnsemble, openOperator } from '../../../benchmarks/index.ts';
import { LETKF_PARTS, publishedPart, type LetkfPart } from '../published.ts';

export { NEIGHBOURS, type LetkfPartsParameters } from './parameters.ts';

/** The anomaly of a neighbour of a cell, 0 beyond the edge. */
function neighbour(
  { nx, ny }: LetkfPartsParameters,
  anomalies: RealArray,
  member: number,
  cell: number,
  o: number,
): number {
  const x = (cell % nx) + (o % 3) - 1;
  const y = Math.floor(cell / nx) + Math.floor(o / 3) - 1;
  return x < 0 || x >= nx || y < 0 || y >= ny ? 0 : anomalies[(member * ny + y) * nx + x];
}

/** C and P̃ᵃ in float64, a cell after the other. */
function observationWeightsReference(
  parameters: LetkfPartsParameters,
): (arrays: ArraysOf<ObservationWeightsFields>) => void {
  const { nx, ny, members } = parameters;
  return ({ anomalies, weights, c }) => {
    for (let cell = 0, at = 0; cell < nx * ny; cell++) {
      for (let member = 0; member < members; member++) {
        for (let o = 0; o < NEIGHBOURS; o++) c[at++] = weights[o] * neighbour(parameters, anomalies, member, cell, o);
      }
    }
  };
}

/** The inverse of a symmetric positive matrix [k][k], in place. */
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

function analysisCovarianceReference(
  parameters: LetkfPartsParameters,
): (arrays: ArraysOf<AnalysisCovarianceFields>) => void {
  const { nx, ny, members: k, inflation } = parameters;
  const observed = new Float64Array(NEIGHBOURS * k);
  const matrix = new Float64Array(k * k);
  return ({ anomalies, c, covariance }) => {
    for (let cell = 0; cell < nx * ny; cell++) {
      for (let o = 0; o < NEIGHBOURS; o++) {
        for (let j = 0; j < k; j++) observed[o * k + j] = neighbour(parameters, anomalies, j, cell, o);
      }
      for (let i = 0; i < k; i++) {
        for (let j = 0; j < k; j++) {
          let sum = i === j ? (k - 1) / inflation : 0;
          for (let o = 0; o < NEIGHBOURS; o++) sum += c[(cell * k + i) * NEIGHBOURS + o] * observed[o * k + j];
          matrix[i * k + j] = sum;
        }
      }
      invert(matrix, k);
      covariance.set(matrix, cell * k * k);
    }
  };
}

function letkfPartsReference(parameters: LetkfPartsParameters): (arrays: ArraysOf<LetkfPartsFields>) => void {
  const weigh = observationWeightsReference(parameters);
  const invertAll = analysisCovarianceReference(parameters);
  return (arrays) => {
    weigh(arrays);
    invertAll(arrays);
  };
}

function weightsCost({ nx, ny, members: k }: LetkfPartsParameters, elementBytes: number): Cost {
  const cells = nx * ny;
  return { bytes: (1 + NEIGHBOURS) * cells * k * elementBytes, flops: NEIGHBOURS * cells * k };
}

function covarianceCost({ nx, ny, members: k }: LetkfPartsParameters, elementBytes: number): Cost {
  const cells = nx * ny;
  return {
    bytes: (k + NEIGHBOURS + 1) * cells * k * elementBytes,
    flops: cells * (2 * NEIGHBOURS * k * k + 2 * k ** 3),
  };
}

/**
 * The two parts of the LETKF that [letkf-gpu] put on GPUs, written out as the paper has them, with every C and every P̃ᵃ in memory:
 *
 *   C = Yᵀ R⁻¹ w  (k × ℓ a cell),   P̃ᵃ = [(k − 1) I/ρ + C Y]⁻¹  (k × k a cell),
 *
 * Y (ℓ × k) the observed anomalies of a cell's nine neighbours, w their weights. They are here for the comparison alone: the
 * analysis of the program (operators/letkf) stores neither. C comes in the paper's three forms, of which each gives the same bits;
 * on a processor the three are one, which follows the order of memory. The inverse is made by Gauss–Jordan elimination without
 * pivots, the matrix being symmetric and positive.
 *
 * Cost of one run over n cells, e bytes a real: C moves 10 n k e bytes and takes 9 n k operations; P̃ᵃ moves (k + 10) n k e bytes
 * and takes n (18 k² + 2 k³).
 */
export const observationWeights: Operator<LetkfPartsParameters, ObservationWeightsFields> = {
  name: 'observation-weights',
  fields: { anomalies: 'real', weights: 'real', c: 'real' },
  cost: weightsCost,
  implementations: {
    reference: observationWeightsReference,
    wasm: async () => (await import('./wasm.ts')).prepareObservationWeights,
    webgpu: async () => (await import('./webgpu.ts')).prepareObservationWeights,
  },
};

export const analysisCovariance: Operator<LetkfPartsParameters, AnalysisCovarianceFields> = {
  name: 'analysis-covariance',
  fields: { anomalies: 'real', c: 'real', covariance: 'real' },
  cost: covarianceCost,
  implementations: {
    reference: analysisCovarianceReference,
    wasm: async () => (await import('./wasm.ts')).prepareAnalysisCovariance,
    webgpu: async () => (await import('./webgpu.ts')).prepareAnalysisCovariance,
  },
};

/** C, then P̃ᵃ from it. */
export const letkfParts: Operator<LetkfPartsParameters, LetkfPartsFields> = {
  name: 'letkf-parts',
  fields: { anomalies: 'real', weights: 'real', c: 'real', covariance: 'real' },
  cost(parameters, elementBytes) {
    const [first, second] = [weightsCost(parameters, elementBytes), covarianceCost(parameters, elementBytes)];
    return { bytes: first.bytes + second.bytes, flops: first.flops + second.flops };
  },
  implementations: {
    reference: letkfPartsReference,
    wasm: async () => (await import('./wasm.ts')).prepareLetkfParts,
    webgpu: async () => (await import('./webgpu.ts')).prepareLetkfParts,
  },
};

const OBSERVATION_ERROR = 0.3;
/** Gaspari–Cohn half-width, cells. */
const HALF_WIDTH = 3;
const INFLATION = 1.05;

/** w/σₒ² of the nine. */
const WEIGHTS = Float64Array.from(
  { length: NEIGHBOURS },
  (_, o) => gaspariCohn(Math.hypot((o % 3) - 1, Math.floor(o / 3) - 1) / HALF_WIDTH) / OBSERVATION_ERROR ** 2,
);

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

const FORMS: Readonly<Record<LetkfPart, ObservationWeightsForm>> = {
  'c-naive': 'naive',
  'c-workgroup': 'workgroup',
  'c-members': 'members',
  p: 'members',
  'c-p': 'members',
};

function open(backend: Backend, part: LetkfPart, n: number, members: number): Promise<Workload> {
  const parameters: LetkfPartsParameters = { nx: n, ny: n, members, inflation: INFLATION, form: FORMS[part] };
  const anomalies = smoothAnomalies(n, members);
  const lengthOfC = NEIGHBOURS * anomalies.length;
  const covariance = members * anomalies.length;
  if (part === 'c-p') {
    const arrays = { anomalies, weights: WEIGHTS, c: lengthOfC, covariance };
    return openOperator(backend, letkfParts, parameters, { arrays, output: 'covariance' });
  }
  if (part === 'p') {
    const c = new Float64Array(lengthOfC);
    observationWeightsReference(parameters)({ anomalies, weights: WEIGHTS, c });
    return openOperator(backend, analysisCovariance, parameters, {
      arrays: { anomalies, c, covariance },
      output: 'covariance',
    });
  }
  const arrays = { anomalies, weights: WEIGHTS, c: lengthOfC };
  return openOperator(backend, observationWeights, parameters, { arrays, output: 'c' });
}

/** @param n cells a side */
export function letkfPartBenchmarks(n: number, members: number): readonly Benchmark[] {
  return LETKF_PARTS.map((part) => ({
    suite: 'letkf',
    name: `letkf-${part}-${n}-k${members}-l${NEIGHBOURS}`,
    table: 'LETKF: C and P̃ᵃ, ratios to one core',
    parameters: { n, k: members, ℓ: NEIGHBOURS, part },
    published: publishedPart(n, part),
    comparesWithOneThread: true,
    open: (backend) => open(backend, part, n, members),
  }));
}
