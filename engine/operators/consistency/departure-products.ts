/** Products of innovations and residuals, that distinguish the errors of background and observations. [desroziers2005] */
import type { ArraysOf } from '../../compute/backend.ts';
import { defineOperator } from '../../compute/define-operator.ts';
import type { DepartureProductsFields, DepartureProductsParameters } from './parameters.ts';

/** Numbers of a group. */
export const DEPARTURE_PRODUCTS = 7;

/**
 * By group, over its used observations: their count, and with r = 1/σₒ the means of r²d_b², r²d_a d_b, r²(d_b − d_a)d_b,
 * r²(d_b − d_a)d_a, r²σ_b² and r²σ_a²; all 0 if none is used.
 */
export const departureProducts = defineOperator<DepartureProductsParameters, DepartureProductsFields>({
  name: 'departure-products',
  fields: {
    group: 'index',
    innovation: 'real',
    residual: 'real',
    inverseErrorStd: 'real',
    backgroundVariance: 'real',
    analysisVariance: 'real',
    products: 'real',
  },
  cost: ({ observations }, elementBytes) => ({
    bytes: (5 * elementBytes + 4) * observations,
    flops: 19 * observations,
  }),
  reference: departureProductsReference,
  wasm: async () => (await import('./wasm.ts')).departureProducts,
  webgpu: async () => (await import('./webgpu.ts')).departureProducts,
});

/** The products of a group by name. @param products of the field, [groups][DEPARTURE_PRODUCTS] */
export function readDepartureProducts(products: ArrayLike<number>, group: number) {
  const at = (index: number): number => products[group * DEPARTURE_PRODUCTS + index];
  return {
    count: at(0),
    innovation: at(1),
    residual: at(2),
    increment: at(3),
    incrementResidual: at(4),
    backgroundVariance: at(5),
    analysisVariance: at(6),
  };
}

function departureProductsReference({ observations, groups }: DepartureProductsParameters) {
  return (arrays: ArraysOf<DepartureProductsFields>): void => {
    const { group, innovation, residual, inverseErrorStd, backgroundVariance, analysisVariance, products } = arrays;
    for (let g = 0; g < groups; g++) {
      const sums = new Float64Array(DEPARTURE_PRODUCTS);
      for (let j = 0; j < observations; j++) {
        const r = inverseErrorStd[j];
        if (group[j] !== g || !(r > 0)) continue;
        const [db, da] = [r * innovation[j], r * residual[j]];
        sums[0] += 1;
        sums[1] += db * db;
        sums[2] += da * db;
        sums[3] += (db - da) * db;
        sums[4] += (db - da) * da;
        sums[5] += r * r * backgroundVariance[j];
        sums[6] += r * r * analysisVariance[j];
      }
      for (let i = 1; i < DEPARTURE_PRODUCTS; i++) sums[i] /= Math.max(1, sums[0]);
      products.set(sums, g * DEPARTURE_PRODUCTS);
    }
  };
}
