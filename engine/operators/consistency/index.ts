/**
 * What shows whether the errors that a method states agree with its errors, and what its analyses do to the water; reduced
 * on the device to a few numbers of each cycle.
 *
 * - `departureProducts`: innovations and residuals against the stated errors of background and observations.
 * - `sampledScores`: parts of the CRPS, and errors by bins of spread, of thinned cells.
 * - `bandSpectra`: errors, increment and spread by octaves of the wavenumber.
 * - `waterBudgets`: mass, energy, potential enstrophy and imbalance of truth, forecast and analysis.
 *
 * Sums are in a fixed order: the same data give the same bits.
 */
import type { ArraysOf } from '../../compute/backend.ts';
import { defineOperator } from '../../compute/define-operator.ts';
import { parameterBlock } from '../../compute/parameter-block.ts';
import { onFields, type WasmOperator } from '../../compute/wasm/program.ts';
import vectorReduction from '../../compute/webgpu/library/vector-reduction.wgsl?raw';
import { partsOf, type WebGpuOperator } from '../../compute/webgpu/program.ts';
import source from './scores.wgsl?raw';

export { bandSpectra, SPECTRA } from './band-spectra.ts';
export { sampledRows, sampledScores, sampleStride } from './sampled-scores.ts';
export { spectralOctaves, spectralPlan } from './spectral-plan.ts';
export { WATER_BUDGET, waterBudgets } from './water-budgets.ts';

const part = partsOf(source);

interface DepartureProductsParameters {
  readonly observations: number;
  /** Kinds of observations that are distinguished. */
  readonly groups: number;
}

const departureProductsFields = {
  /** Group of each observation; `groups` and above for none. [observations] */
  group: 'index',
  /** d_b = y − H(x̄ᶠ), [observations] */
  innovation: 'real',
  /** d_a = y − H(x̄ᵃ), [observations] */
  residual: 'real',
  /** 1/σₒ, 0 where an observation is not used: there the other arrays may be anything. [observations] */
  inverseErrorStd: 'real',
  /** σ_b² and σ_a², [observations] */
  backgroundVariance: 'real',
  analysisVariance: 'real',
  /** [groups][DEPARTURE_PRODUCTS], written. */
  products: 'real',
} as const;

const DEPARTURES = parameterBlock('DepartureProducts', {
  observations: 'u32',
  /** On a GPU: parts of a group. */
  parts: 'u32',
  group: 'pointer',
  innovation: 'pointer',
  residual: 'pointer',
  inverseErrorStd: 'pointer',
  backgroundVariance: 'pointer',
  analysisVariance: 'pointer',
  products: 'pointer',
});

const departureProductsWasm: WasmOperator<DepartureProductsParameters, typeof departureProductsFields> = (
  builder,
  { observations, groups },
) => onFields(builder.program('departureProducts', DEPARTURES, { observations }), groups);

/** Invocations of a workgroup that adds up, and parts that one of them can add up in turn. */
const WORKGROUP = 256;

const departureProductsWebGpu: WebGpuOperator<DepartureProductsParameters, typeof departureProductsFields> = async (
  builder,
  { observations, groups },
) => {
  const parts = Math.min(WORKGROUP, Math.ceil(observations / WORKGROUP));
  const [summing, averaging] = await Promise.all([
    builder.program({
      label: 'consistency.departure-products',
      code: [vectorReduction, DEPARTURES.wgsl, part('departure-products')],
      bindings: ['uniform', 'read', 'read', 'read', 'read', 'read', 'read', 'write'],
    }),
    builder.program({
      label: 'consistency.departure-means',
      code: [vectorReduction, DEPARTURES.wgsl, part('departure-means')],
      bindings: ['uniform', 'read', 'write'],
    }),
  ]);
  const uniform = builder.uniform('departure-parameters', DEPARTURES, { observations, parts });
  const sums = builder.scratch('departure-sums', 'real', 8 * groups * parts);
  return (recorder, fields) => {
    const { group, innovation, residual, inverseErrorStd, backgroundVariance, analysisVariance, products } = fields;
    recorder.dispatch(
      summing,
      [uniform, group, innovation, residual, inverseErrorStd, backgroundVariance, analysisVariance, sums],
      [parts, groups],
    );
    recorder.dispatch(averaging, [uniform, sums, products], [groups]);
  };
};

/** Numbers of a group. */
export const DEPARTURE_PRODUCTS = 7;

/**
 * By group, over its used observations: their count, and with r = 1/σₒ the means of r²d_b², r²d_a d_b, r²(d_b − d_a)d_b,
 * r²(d_b − d_a)d_a, r²σ_b² and r²σ_a²; all 0 if none is used.
 */
export const departureProducts = defineOperator<DepartureProductsParameters, typeof departureProductsFields>({
  name: 'departure-products',
  fields: departureProductsFields,
  cost: ({ observations }, elementBytes) => ({
    bytes: (5 * elementBytes + 4) * observations,
    flops: 19 * observations,
  }),
  reference: departureProductsReference,
  wasm: async () => departureProductsWasm,
  webgpu: async () => departureProductsWebGpu,
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
  return (arrays: ArraysOf<typeof departureProductsFields>): void => {
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
