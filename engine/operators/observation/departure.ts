/** What is observed of the truth, departures of observations from the state, and which of them to believe. */
import type { Operator } from '../../compute/backend.ts';
import { innovationFields, measurementFields, qualityControlFields } from './parameters.ts';
import type { InnovationParameters, MeasurementParameters, QualityControlParameters } from './parameters.ts';
import * as reference from './reference.ts';

/**
 * What instruments report of a truth: `values` = `observed` + `term` · `normal`, H(x) and an error of standard deviation `term`, or
 * `term` alone where `isGiven` is not 0, since the value is known already. All arrays are `[observations]`.
 * Cost: 5 arrays, 2 flops an observation.
 */
export const measurement: Operator<MeasurementParameters, typeof measurementFields> = {
  name: 'measurement',
  fields: measurementFields,
  cost: ({ observations }, elementBytes) => ({ bytes: observations * (4 * elementBytes + 4), flops: 2 * observations }),
  implementations: {
    reference: reference.measurement,
    wasm: async () => (await import('./wasm.ts')).measurement,
    webgpu: async () => (await import('./webgpu.ts')).measurement,
  },
};

/**
 * d = y − H(x̄) in `innovation` and R^−½d in `scaled`, all `[observations]`. Where `inverseErrorStd` is 0 both are exactly 0,
 * whatever the value. Run it again with the effective inverse deviations after quality control.
 * Cost: 5 arrays, 2 flops an observation.
 */
export const innovation: Operator<InnovationParameters, typeof innovationFields> = {
  name: 'innovation',
  fields: innovationFields,
  cost: ({ observations }, elementBytes) => ({ bytes: 5 * observations * elementBytes, flops: 2 * observations }),
  implementations: {
    reference: reference.innovation,
    wasm: async () => (await import('./wasm.ts')).innovation,
    webgpu: async () => (await import('./webgpu.ts')).innovation,
  },
};

/**
 * Rejects innovations that are beyond what the statistics allow: `effective` is 0 where |d| > n·√(σₒ² + σ_b²), and
 * `inverseErrorStd` elsewhere. Written r|d| > n·√(1 + r²σ_b²) with r = 1/σₒ, so that r = 0 stays 0. `variance` is σ_b², the
 * background's variance at the observations; `threshold` is n, of which 0 keeps all. All arrays are `[observations]`.
 *
 * An observation is taken for no sharper than r·max(σ_b, |d|) = `sharpest`: beyond that the analysis would be the same to
 * 1/sharpest², but in the backend's precision I + Y R⁻¹ Yᵀ could not be distinguished from a singular matrix, and what no member can
 * explain of an innovation would not cancel any more.
 * Cost: 5 arrays, 8 flops an observation.
 */
export const qualityControl: Operator<QualityControlParameters, typeof qualityControlFields> = {
  name: 'quality-control',
  fields: qualityControlFields,
  cost: ({ observations }, elementBytes) => ({ bytes: 5 * observations * elementBytes, flops: 8 * observations }),
  implementations: {
    reference: reference.qualityControl,
    wasm: async () => (await import('./wasm.ts')).qualityControl,
    webgpu: async () => (await import('./webgpu.ts')).qualityControl,
  },
};
