/** Spectra of errors, increment and spread, by octaves of the wavenumber. */
import type { ArraysOf, RealArray } from '../../compute/backend.ts';
import { defineOperator } from '../../compute/define-operator.ts';
import { SPECTRA, spreadFactor, TRANSFORMED } from './parameters.ts';
import type { BandSpectraFields, BandSpectraParameters } from './parameters.ts';
import { spectralPlan } from './spectral-plan.ts';
import type { SpectralPlan } from './spectral-plan.ts';

/**
 * Mean squares, by bands of the wavenumber (see `spectralPlan`; without the mean, corners beyond the finest wavenumber in the
 * last one), of x̄ᶠ − t, x̄ᵃ − t, x̄ᵃ − x̄ᶠ, and of the spread: k/(k − 1) times that of one member about x̄ᶠ, which is expected to be
 * that of the ensemble's variance, and 0 for a single member. Planes are averaged over blocks of cells first where they are larger
 * than 128 along an axis. Cost: three of the differences are multiplied with small matrices on both sides.
 */
export const bandSpectra = defineOperator<BandSpectraParameters, BandSpectraFields>({
  name: 'band-spectra',
  fields: { truth: 'real', forecast: 'real', analysis: 'real', member: 'real', power: 'real' },
  cost: (parameters, elementBytes) => {
    const { nx, ny } = parameters;
    const [blockX, blockY] = [Math.ceil(nx / 128), Math.ceil(ny / 128)];
    const [mx, my] = [Math.floor(nx / blockX), Math.floor(ny / blockY)];
    return {
      bytes: elementBytes * (4 * nx * ny + TRANSFORMED * 4 * mx * my + mx * mx + my * my),
      flops: TRANSFORMED * 2 * nx * ny + TRANSFORMED * 2 * mx * my * (mx + my) + (2 * SPECTRA + 1) * mx * my,
    };
  },
  reference: bandSpectraReference,
  wasm: async () => (await import('./wasm.ts')).bandSpectra,
  webgpu: async () => (await import('./webgpu.ts')).bandSpectra,
});

/** Means of a − b over the blocks, [y.size][x.size]. */
function blockMeans(a: RealArray, b: RealArray, nx: number, { x, y }: SpectralPlan): Float64Array {
  const means = new Float64Array(y.size * x.size);
  for (let j = 0; j < y.size * y.block; j++) {
    const row = Math.floor(j / y.block) * x.size;
    for (let i = 0; i < x.size * x.block; i++) {
      means[row + Math.floor(i / x.block)] += (a[j * nx + i] - b[j * nx + i]) / (x.block * y.block);
    }
  }
  return means;
}

/** Σ of squared coefficients by band, over the number of averages. */
function bandPower(field: Float64Array, { x, y, band, bands }: SpectralPlan): Float64Array {
  const rows = new Float64Array(y.size * x.size);
  for (let j = 0; j < y.size; j++) {
    for (let k = 0; k < x.size; k++) {
      for (let i = 0; i < x.size; i++) rows[j * x.size + k] += x.basis[k * x.size + i] * field[j * x.size + i];
    }
  }
  const power = new Float64Array(bands + 1);
  for (let l = 0; l < y.size; l++) {
    for (let k = 0; k < x.size; k++) {
      let coefficient = 0;
      for (let j = 0; j < y.size; j++) coefficient += y.basis[l * y.size + j] * rows[j * x.size + k];
      power[band[l * x.size + k]] += coefficient ** 2 / (x.size * y.size);
    }
  }
  return power.subarray(0, bands);
}

function bandSpectraReference(parameters: BandSpectraParameters) {
  const { nx, members } = parameters;
  const plan = spectralPlan(parameters);
  const factor = spreadFactor(members);
  return ({ truth, forecast, analysis, member, power }: ArraysOf<BandSpectraFields>): void => {
    const spectrum = (a: RealArray, b: RealArray): Float64Array => bandPower(blockMeans(a, b, nx, plan), plan);
    power.set(spectrum(forecast, truth), 0);
    power.set(spectrum(analysis, truth), plan.bands);
    power.set(spectrum(analysis, forecast), 2 * plan.bands);
    power.set(
      spectrum(member, forecast).map((value) => factor * value),
      3 * plan.bands,
    );
  };
}
