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
import type { Cost, Operator } from '../../compute/backend.ts';
import { NEIGHBOURS } from './parameters.ts';
import type {
  AnalysisCovarianceFields,
  LetkfPartsFields,
  LetkfPartsParameters,
  ObservationWeightsFields,
} from './parameters.ts';
import { analysisCovarianceReference, letkfPartsReference, observationWeightsReference } from './reference.ts';

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
