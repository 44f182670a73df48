/** The smallest and the largest value of each variable: scales of colours, and the first sign of trouble. */
import type { ArraysOf, Operator } from '../../compute/backend.ts';
import type { EnsembleShape, ExtremesFields } from './parameters.ts';

/** Extremes over members and cells. Cost: reads the ensemble once. */
export const extremes: Operator<EnsembleShape, ExtremesFields> = {
  name: 'extremes',
  fields: { ensemble: 'real', minimum: 'real', maximum: 'real' },
  cost: ({ members, variables, cells }, elementBytes) => ({
    bytes: elementBytes * members * variables * cells,
    flops: 2 * members * variables * cells,
  }),
  implementations: {
    reference: extremesReference,
    wasm: async () => (await import('./wasm-extremes.ts')).default,
    webgpu: async () => (await import('./webgpu-extremes.ts')).default,
  },
};

function extremesReference({ members, variables, cells }: EnsembleShape) {
  return ({ ensemble, minimum, maximum }: ArraysOf<ExtremesFields>): void => {
    for (let v = 0; v < variables; v++) {
      minimum[v] = Infinity;
      maximum[v] = -Infinity;
      for (let l = 0; l < members; l++) {
        const start = (l * variables + v) * cells;
        for (let i = start; i < start + cells; i++) {
          // Math.min and Math.max hand on a NaN of either argument.
          minimum[v] = Math.min(minimum[v], ensemble[i]);
          maximum[v] = Math.max(maximum[v], ensemble[i]);
        }
      }
    }
  };
}
