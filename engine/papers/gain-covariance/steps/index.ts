/**
 * P_HT as [gain-gpu] has it, from the basic form to the optimised one: with C₂ = C ∘ (e eᵀ)/(L − 1) whole in memory,
 *
 *   basic        e eᵀ from a transposed copy of e; C₂Hᵀ by columns of C₂, a launch for each row of H
 *   rows         e eᵀ as rows with rows of e, without the copy                                 [gain-gpu, 7.1]
 *   transposed   C₂Hᵀ as (H C₂ᵀ)ᵀ, which runs along the rows of C₂                             [gain-gpu, 7.2]
 *   one launch   the product with the sparse H in one launch                                   [gain-gpu, 7.3]
 *
 * They are here for the comparison alone: `operators/gain-covariance` has no C₂. On a processor a launch is a task for all threads.
 *
 * Operations of one run, n cells, z stored entries of H: n²(2L + 1) for C₂ and 2 z n for the product, the same in each form. They
 * differ in what they move: `basic` 2 n L reals more for the copy.
 */
import type { ArraysOf } from '../../../compute/backend.ts';
import { defineOperator } from '../../../compute/define-operator.ts';
import { gainStepsFields, type GainStepsParameters } from './parameters.ts';

export { GAIN_STEPS, type GainStep } from './parameters.ts';

/** P_HT by its definition: C₂, then its product with Hᵀ. */
function gainStepsReference({ nx, ny, members, observations }: GainStepsParameters) {
  const n = nx * ny;
  return ({ anomalies: e, taperRow, indptr, indices, data, output }: ArraysOf<typeof gainStepsFields>): void => {
    const c2 = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        const lagY = Math.abs(Math.floor(i / nx) - Math.floor(j / nx));
        const lagX = Math.abs((i % nx) - (j % nx));
        let product = 0;
        for (let l = 0; l < members; l++) product += e[i * members + l] * e[j * members + l];
        c2[i * n + j] = (taperRow[lagY * nx + lagX] * product) / (members - 1);
      }
    }
    output.fill(0);
    for (let j = 0; j < observations; j++) {
      for (let entry = indptr[j]; entry < indptr[j + 1]; entry++) {
        for (let i = 0; i < n; i++) output[j * n + i] += data[entry] * c2[indices[entry] * n + i];
      }
    }
  };
}

export const gainSteps = defineOperator<GainStepsParameters, typeof gainStepsFields>({
  name: 'gain-steps',
  fields: gainStepsFields,
  cost: ({ nx, ny, members, observations, nonzeros, step }, elementBytes) => {
    const n = nx * ny;
    const copy = step === 'basic' ? 2 * n * members : 0;
    return {
      bytes: elementBytes * (n * members + copy + n * n + nonzeros * n + observations * n) + 4 * nonzeros,
      flops: n * n * (2 * members + 1) + 2 * nonzeros * n,
    };
  },
  reference: gainStepsReference,
  wasm: async () => (await import('./wasm.ts')).prepareGainSteps,
  webgpu: async () => (await import('./webgpu.ts')).prepareGainSteps,
});
