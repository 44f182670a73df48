/** Spectra of errors, increment and spread, by octaves of the wavenumber. */
import type { ArraysOf, RealArray } from '../../compute/backend.ts';
import { defineOperator } from '../../compute/define-operator.ts';
import { parameterBlock } from '../../compute/parameter-block.ts';
import { addressesOf, type WasmOperator } from '../../compute/wasm/program.ts';
import indexLibrary from '../../compute/webgpu/library/index.wgsl?raw';
import { partsOf, workgroupsFor, type WebGpuOperator } from '../../compute/webgpu/program.ts';
import { prepareMean } from '../statistics/index.ts';
import source from './band-spectra.wgsl?raw';
import { spectralPlan, sumParts, transposedBasis, type SpectralPlan } from './spectral-plan.ts';

const part = partsOf(source);

/** What spectra are taken of. */
export const SPECTRA = 4;
/** Number of these that are transformed: the coefficients of x̄ᵃ − t are those of x̄ᶠ − t and x̄ᵃ − x̄ᶠ together. */
const TRANSFORMED = 3;

/** k/(k − 1), or 0 for a single member. */
function spreadFactor(members: number): number {
  return members > 1 ? members / (members - 1) : 0;
}

interface BandSpectraParameters {
  readonly nx: number;
  readonly ny: number;
  readonly periodicX: boolean;
  readonly periodicY: boolean;
  /** Metres, of which only the ratio matters here. */
  readonly dx: number;
  readonly dy: number;
  /** Members of the ensemble of `member`. */
  readonly members: number;
}

const bandSpectraFields = {
  /** Planes [ny][nx] at the beginning of a field. */
  truth: 'real',
  forecast: 'real',
  analysis: 'real',
  member: 'real',
  /** [4][bands], written: mean squares of forecast − truth, analysis − truth, analysis − forecast, and of the spread. */
  power: 'real',
} as const;

const BAND_SPECTRA = parameterBlock('BandSpectra', {
  nx: 'u32',
  blockX: 'u32',
  blockY: 'u32',
  /** Averages along x and y. */
  sizeX: 'u32',
  sizeY: 'u32',
  /** sizeX rounded up to sixteens and sizeY to fours: strides of the functions of a basis, the former also of the coefficients. */
  strideX: 'part',
  strideY: 'part',
  bands: 'u32',
  /** On a GPU. */
  spreadFactor: 'f32',
  /** [sizeX][strideX] and [sizeY][strideY]: the values of all functions at a place are together, followed by 0. */
  basisX: 'pointer',
  basisY: 'pointer',
  /** [sizeY][sizeX] */
  band: 'pointer',
  truth: 'pointer',
  forecast: 'pointer',
  analysis: 'pointer',
  member: 'pointer',
  /** [3][sizeY][strideX] */
  rows: 'pointer',
  /** [strideY / 4][bands + 1][4], float64 */
  sums: 'pointer',
});

function sizesOf(nx: number, { x, y, bands }: SpectralPlan) {
  return { nx, blockX: x.block, blockY: y.block, sizeX: x.size, sizeY: y.size, bands };
}

/** Coefficients along x, and functions along y, that are worked on together. */
const TOGETHER_X = 16;
const TOGETHER_Y = 4;

const bandSpectraWasm: WasmOperator<BandSpectraParameters, typeof bandSpectraFields> = (builder, parameters) => {
  const { nx, members } = parameters;
  const plan = spectralPlan(parameters);
  const { x, y, band, bands } = plan;
  const strideX = TOGETHER_X * Math.ceil(x.size / TOGETHER_X);
  const parts = Math.ceil(y.size / TOGETHER_Y);
  const strideY = TOGETHER_Y * parts;
  const rows = builder.reals('band-spectra.rows', TRANSFORMED * y.size * strideX);
  const sums = builder.doubles('band-spectra.sums', parts * (bands + 1) * SPECTRA);
  const constants = {
    ...sizesOf(nx, plan),
    strideX,
    strideY,
    basisX: builder.realTable('band-spectra.basisX', transposedBasis(x, strideX)),
    basisY: builder.realTable('band-spectra.basisY', transposedBasis(y, strideY)),
    band: builder.wordTable('band-spectra.band', band),
    rows: rows.address,
    sums: sums.address,
  };
  const along = builder.program('spectraAlong', BAND_SPECTRA, constants, 4 * TRANSFORMED * x.size);
  const across = builder.program('spectraAcross', BAND_SPECTRA, constants, 4 * TRANSFORMED * TOGETHER_Y * TOGETHER_Y);
  const factors = [1, 1, 1, spreadFactor(members)].map((factor) => factor / (x.size * y.size));
  return ({ truth, forecast, analysis, member, power }) => {
    along.set(addressesOf({ truth, forecast, analysis, member }));
    along.run(y.size);
    across.run(parts);
    const total = sumParts(sums.view(), parts, (bands + 1) * SPECTRA, 0);
    for (const [spectrum, factor] of factors.entries()) {
      for (let index = 0; index < bands; index++) {
        power[spectrum * bands + index] = factor * total[index * SPECTRA + spectrum];
      }
    }
  };
};

const SPECTRA_WORKGROUP = 64;

const bandSpectraWebGpu: WebGpuOperator<BandSpectraParameters, typeof bandSpectraFields> = async (
  builder,
  parameters,
) => {
  const { nx, members } = parameters;
  const plan = spectralPlan(parameters);
  const { x, y, band, bands } = plan;
  const averages = x.size * y.size;
  const [differences, rows, powers, recordMean] = await Promise.all([
    builder.program({
      label: 'consistency.band-differences',
      code: [indexLibrary, BAND_SPECTRA.wgsl, part('band-differences')],
      bindings: ['uniform', 'read', 'read', 'read', 'read', 'write'],
    }),
    builder.program({
      label: 'consistency.band-rows',
      code: [BAND_SPECTRA.wgsl, part('band-rows')],
      bindings: ['uniform', 'read', 'read', 'write'],
    }),
    builder.program({
      label: 'consistency.band-powers',
      code: [BAND_SPECTRA.wgsl, part('band-powers')],
      bindings: ['uniform', 'read', 'read', 'read', 'write'],
    }),
    prepareMean(builder, SPECTRA * bands, y.size, averages),
  ]);
  const uniform = builder.uniform('spectra-parameters', BAND_SPECTRA, {
    ...sizesOf(nx, plan),
    spreadFactor: spreadFactor(members),
  });
  const basisX = builder.table('basis-x', 'real', transposedBasis(x, x.size));
  const basisY = builder.table('basis-y', 'real', y.basis);
  const bandOf = builder.table('band', 'index', band);
  const means = builder.scratch('band-means', 'real', 4 * averages);
  const coefficients = builder.scratch('band-rows', 'real', 4 * averages);
  const partial = builder.scratch('band-powers', 'real', SPECTRA * bands * y.size);
  const [groupsX, groupsY] = workgroupsFor(averages, SPECTRA_WORKGROUP);
  return (recorder, { truth, forecast, analysis, member, power }) => {
    recorder.dispatch(differences, [uniform, truth, forecast, analysis, member, means], [groupsX, groupsY]);
    recorder.dispatch(rows, [uniform, basisX, means, coefficients], [1, y.size]);
    recorder.dispatch(powers, [uniform, basisY, bandOf, coefficients, partial], [1, y.size]);
    recordMean(recorder, partial, power);
  };
};

/**
 * Mean squares, by bands of the wavenumber (see `spectralPlan`; without the mean, corners beyond the finest wavenumber in the
 * last one), of x̄ᶠ − t, x̄ᵃ − t, x̄ᵃ − x̄ᶠ, and of the spread: k/(k − 1) times that of one member about x̄ᶠ, which is expected to be
 * that of the ensemble's variance, and 0 for a single member. Planes are averaged over blocks of cells first where they are larger
 * than 128 along an axis. Cost: three of the differences are multiplied with small matrices on both sides.
 */
export const bandSpectra = defineOperator<BandSpectraParameters, typeof bandSpectraFields>({
  name: 'band-spectra',
  fields: bandSpectraFields,
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
  wasm: async () => bandSpectraWasm,
  webgpu: async () => bandSpectraWebGpu,
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
  return ({ truth, forecast, analysis, member, power }: ArraysOf<typeof bandSpectraFields>): void => {
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
