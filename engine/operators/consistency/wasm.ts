/** Consistency on threads: parts in any order, whose float64 sums are added up in theirs. */
import { parameterBlock } from '../../compute/parameter-block.ts';
import { addressesOf, onFields } from '../../compute/wasm/program.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';
import { sampledRows, SHALLOW_SHARE, SPECTRA, spreadFactor, TRANSFORMED, WATER_BUDGET } from './parameters.ts';
import type {
  BandSpectraFields,
  BandSpectraParameters,
  DepartureProductsFields,
  DepartureProductsParameters,
  SampledScoresFields,
  SampledScoresParameters,
  WaterBudgetsFields,
  WaterBudgetsParameters,
} from './parameters.ts';
import { spectralPlan, transposedBasis } from './spectral-plan.ts';

const DEPARTURE_PRODUCTS = parameterBlock('DepartureProducts', {
  observations: 'i32',
  group: 'pointer',
  innovation: 'pointer',
  residual: 'pointer',
  inverseErrorStd: 'pointer',
  backgroundVariance: 'pointer',
  analysisVariance: 'pointer',
  products: 'pointer',
});

export const departureProducts: WasmOperator<DepartureProductsParameters, DepartureProductsFields> = (
  builder,
  { observations, groups },
) => onFields(builder.program('departureProducts', DEPARTURE_PRODUCTS, { observations }), groups);

/** The sums of rows of numbers, [outer][parts][rows], over the parts. */
function sumParts(sums: Float64Array, parts: number, rows: number, outer: number): Float64Array {
  const total = new Float64Array(rows);
  for (let part = outer * parts; part < (outer + 1) * parts; part++) {
    for (let row = 0; row < rows; row++) total[row] += sums[part * rows + row];
  }
  return total;
}

const SAMPLED_SCORES = parameterBlock('SampledScores', {
  members: 'i32',
  /** Elements of a member, of a variable, of a row of cells. */
  state: 'i32',
  cells: 'i32',
  nx: 'i32',
  ny: 'i32',
  strideX: 'i32',
  strideY: 'i32',
  /** Sampled rows of a variable. */
  segments: 'i32',
  /** Bins of spread. */
  bins: 'i32',
  /** Numbers of a part. */
  rows: 'i32',
  /** The variable of each scored one. */
  scored: 'pointer',
  /** Squares of the edges between the bins. */
  edges: 'pointer',
  ensemble: 'pointer',
  truth: 'pointer',
  weight: 'pointer',
  meanVariance: 'pointer',
  /** [parts][rows], float64 */
  sums: 'pointer',
});

export const sampledScores: WasmOperator<SampledScoresParameters, SampledScoresFields> = (builder, parameters) => {
  const { members, variables, nx, ny, strideX, strideY, scored, edges } = parameters;
  const { bins, rows } = sampledRows(parameters);
  const segments = Math.ceil(ny / strideY);
  const sampled = segments * Math.ceil(nx / strideX);
  const parts = segments * scored.length;
  const sums = builder.doubles('sampled-scores.sums', parts * rows);
  const program = builder.program(
    'sampledScores',
    SAMPLED_SCORES,
    {
      members,
      state: variables * nx * ny,
      cells: nx * ny,
      nx,
      ny,
      strideX,
      strideY,
      segments,
      bins,
      rows,
      scored: builder.wordTable('sampled-scores.scored', scored),
      edges: builder.realTable(
        'sampled-scores.edges',
        edges.map((edge) => edge ** 2),
      ),
      sums: sums.address,
    },
    8 * members,
  );
  return ({ ensemble, truth, weight, meanVariance, scores }) => {
    program.set(addressesOf({ ensemble, truth, weight, meanVariance }));
    program.run(parts);
    const found = sums.view();
    for (const row of scored.keys()) {
      scores.set(
        sumParts(found, segments, rows, row).map((sum) => sum / sampled),
        row * rows,
      );
    }
  };
};

const BAND_SPECTRA = parameterBlock('BandSpectra', {
  nx: 'i32',
  blockX: 'i32',
  blockY: 'i32',
  /** Averages along x and y. */
  sizeX: 'i32',
  sizeY: 'i32',
  /** sizeX rounded up to sixteens and sizeY to fours: strides of the functions of a basis, the former also of the coefficients. */
  strideX: 'i32',
  strideY: 'i32',
  bands: 'i32',
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

/** Coefficients along x, and functions along y, that are worked on together. */
const TOGETHER_X = 16;
const TOGETHER_Y = 4;

export const bandSpectra: WasmOperator<BandSpectraParameters, BandSpectraFields> = (builder, parameters) => {
  const { nx, members } = parameters;
  const { x, y, band, bands } = spectralPlan(parameters);
  const strideX = TOGETHER_X * Math.ceil(x.size / TOGETHER_X);
  const parts = Math.ceil(y.size / TOGETHER_Y);
  const strideY = TOGETHER_Y * parts;
  const rows = builder.reals('band-spectra.rows', TRANSFORMED * y.size * strideX);
  const sums = builder.doubles('band-spectra.sums', parts * (bands + 1) * SPECTRA);
  const constants = {
    nx,
    blockX: x.block,
    blockY: y.block,
    sizeX: x.size,
    sizeY: y.size,
    strideX,
    strideY,
    bands,
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

const WATER_BUDGETS = parameterBlock('WaterBudgets', {
  nx: 'i32',
  ny: 'i32',
  periodicX: 'i32',
  periodicY: 'i32',
  perDx: 'f32',
  perDy: 'f32',
  gravity: 'f32',
  /** In the middle, and its change from row to row. */
  f: 'f32',
  betaDy: 'f32',
  isElevation: 'i32',
  dryDepth: 'f32',
  truth: 'pointer',
  forecast: 'pointer',
  analysis: 'pointer',
  bed: 'pointer',
  /** [3][2], mean elevation of the surface and what is shallow. */
  levels: 'pointer',
  /** [3][ny][7], float64 */
  sums: 'pointer',
});

const STATES = 3;

export const waterBudgets: WasmOperator<WaterBudgetsParameters, WaterBudgetsFields> = (builder, parameters) => {
  const { nx, ny, dx, dy, periodicX, periodicY, gravity, coriolis, surface, dryDepth } = parameters;
  const levels = builder.reals('water-budgets.levels', 2 * STATES);
  const sums = builder.doubles('water-budgets.sums', STATES * ny * WATER_BUDGET);
  const constants = {
    nx,
    ny,
    periodicX: Number(periodicX),
    periodicY: Number(periodicY),
    perDx: 1 / dx,
    perDy: 1 / dy,
    gravity,
    f: coriolis.f,
    betaDy: coriolis.beta * dy,
    isElevation: Number(surface === 'elevation'),
    dryDepth,
    levels: levels.address,
    sums: sums.address,
  };
  const levelling = builder.program('waterLevels', WATER_BUDGETS, constants);
  const summing = builder.program('waterBudgets', WATER_BUDGETS, constants, 96);
  const parts = STATES * ny;
  return ({ truth, forecast, analysis, bed, budgets }) => {
    const places = addressesOf({ truth, forecast, analysis, bed });
    levelling.set(places);
    levelling.run(parts);
    for (let index = 0; index < STATES; index++) {
      const [wet, elevation, depth] = sumParts(sums.view(), ny, WATER_BUDGET, index);
      const count = Math.max(1, wet);
      levels.view().set([elevation / count, Math.max(dryDepth, (SHALLOW_SHARE * depth) / count)], 2 * index);
    }
    summing.set(places);
    summing.run(parts);
    for (let index = 0; index < STATES; index++) {
      budgets.set(
        sumParts(sums.view(), ny, WATER_BUDGET, index).map((sum) => sum / (nx * ny)),
        index * WATER_BUDGET,
      );
    }
  };
};
