/** Consistency on a GPU: terms in parallel, added up pairwise in a fixed order. */
import indexLibrary from '../../compute/webgpu/library/index.wgsl?raw';
import reduction from '../../compute/webgpu/library/reduction.wgsl?raw';
import { workgroupsFor } from '../../compute/webgpu/program.ts';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import { uniformBlock } from '../../compute/webgpu/uniform-block.ts';
import { prepareMean } from '../statistics/webgpu-scores.ts';
import bandDifferences from './band-differences.wgsl?raw';
import bandPowers from './band-powers.wgsl?raw';
import bandRows from './band-rows.wgsl?raw';
import departureProductsKernel from './departure-products.wgsl?raw';
import { sampledRows, SHALLOW_SHARE, SPECTRA, spreadFactor, WATER_BUDGET } from './parameters.ts';
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
import sampledScoresKernel from './sampled-scores.wgsl?raw';
import { spectralPlan } from './spectral-plan.ts';
import waterBudgetsKernel from './water-budgets.wgsl?raw';
import waterLevels from './water-levels.wgsl?raw';
import waterLibrary from './water-library.wgsl?raw';

const DEPARTURE_PARAMETERS = uniformBlock('Parameters', { observations: 'u32' });

export const departureProducts: WebGpuOperator<DepartureProductsParameters, DepartureProductsFields> = async (
  builder,
  { observations, groups },
) => {
  const program = await builder.program({
    label: 'consistency.departure-products',
    code: [reduction, DEPARTURE_PARAMETERS.wgsl, departureProductsKernel],
    bindings: ['uniform', 'read', 'read', 'read', 'read', 'read', 'read', 'write'],
  });
  const uniform = builder.uniform('departure-parameters', DEPARTURE_PARAMETERS, { observations });
  return (recorder, fields) => {
    const { group, innovation, residual, inverseErrorStd, backgroundVariance, analysisVariance, products } = fields;
    recorder.dispatch(
      program,
      [uniform, group, innovation, residual, inverseErrorStd, backgroundVariance, analysisVariance, products],
      [groups],
    );
  };
};

const SAMPLED_PARAMETERS = uniformBlock('Parameters', {
  members: 'u32',
  /** Elements of a member. */
  state: 'u32',
  cells: 'u32',
  nx: 'u32',
  strideX: 'u32',
  strideY: 'u32',
  sampledX: 'u32',
  sampled: 'u32',
  bins: 'u32',
  rows: 'u32',
});

export const sampledScores: WebGpuOperator<SampledScoresParameters, SampledScoresFields> = async (
  builder,
  parameters,
) => {
  const { members, variables, nx, ny, strideX, strideY, scored, edges } = parameters;
  const { bins, rows } = sampledRows(parameters);
  const sampledX = Math.ceil(nx / strideX);
  const sampled = sampledX * Math.ceil(ny / strideY);
  const [program, recordMean] = await Promise.all([
    builder.program({
      label: 'consistency.sampled-scores',
      code: [SAMPLED_PARAMETERS.wgsl, sampledScoresKernel],
      bindings: ['uniform', 'read', 'read', 'read', 'read', 'read', 'read', 'write'],
    }),
    prepareMean(builder, scored.length * rows, sampled, sampled),
  ]);
  const uniform = builder.uniform('sampled-parameters', SAMPLED_PARAMETERS, {
    members,
    state: variables * nx * ny,
    cells: nx * ny,
    nx,
    strideX,
    strideY,
    sampledX,
    sampled,
    bins,
    rows,
  });
  const variablesOfRows = builder.table('scored', 'index', scored);
  const squares = builder.table(
    'edges',
    'real',
    edges.map((edge) => edge ** 2),
  );
  const terms = builder.scratch('sampled-terms', 'real', scored.length * rows * sampled);
  return (recorder, { ensemble, truth, weight, meanVariance, scores }) => {
    recorder.dispatch(
      program,
      [uniform, ensemble, truth, weight, meanVariance, variablesOfRows, squares, terms],
      [sampled, 1, scored.length],
    );
    recordMean(recorder, terms, scores);
  };
};

const SPECTRA_PARAMETERS = uniformBlock('Parameters', {
  nx: 'u32',
  blockX: 'u32',
  blockY: 'u32',
  sizeX: 'u32',
  sizeY: 'u32',
  bands: 'u32',
  spreadFactor: 'f32',
});

const SPECTRA_WORKGROUP = 64;

export const bandSpectra: WebGpuOperator<BandSpectraParameters, BandSpectraFields> = async (builder, parameters) => {
  const { nx, members } = parameters;
  const { x, y, band, bands } = spectralPlan(parameters);
  const averages = x.size * y.size;
  const [differences, rows, powers, recordMean] = await Promise.all([
    builder.program({
      label: 'consistency.band-differences',
      code: [indexLibrary, SPECTRA_PARAMETERS.wgsl, bandDifferences],
      bindings: ['uniform', 'read', 'read', 'read', 'read', 'write'],
    }),
    builder.program({
      label: 'consistency.band-rows',
      code: [SPECTRA_PARAMETERS.wgsl, bandRows],
      bindings: ['uniform', 'read', 'read', 'write'],
    }),
    builder.program({
      label: 'consistency.band-powers',
      code: [reduction, SPECTRA_PARAMETERS.wgsl, bandPowers],
      bindings: ['uniform', 'read', 'read', 'read', 'write'],
    }),
    prepareMean(builder, SPECTRA * bands, y.size, averages),
  ]);
  const uniform = builder.uniform('spectra-parameters', SPECTRA_PARAMETERS, {
    nx,
    blockX: x.block,
    blockY: y.block,
    sizeX: x.size,
    sizeY: y.size,
    bands,
    spreadFactor: spreadFactor(members),
  });
  const basisX = builder.table('basis-x', 'real', x.basis);
  const basisY = builder.table('basis-y', 'real', y.basis);
  const bandOf = builder.table('band', 'index', band);
  const means = builder.scratch('band-means', 'real', SPECTRA * averages);
  const coefficients = builder.scratch('band-rows', 'real', SPECTRA * averages);
  const partial = builder.scratch('band-powers', 'real', SPECTRA * bands * y.size);
  const [groupsX, groupsY] = workgroupsFor(averages, SPECTRA_WORKGROUP);
  return (recorder, { truth, forecast, analysis, member, power }) => {
    recorder.dispatch(differences, [uniform, truth, forecast, analysis, member, means], [groupsX, groupsY, SPECTRA]);
    recorder.dispatch(
      rows,
      [uniform, basisX, means, coefficients],
      [Math.ceil(x.size / SPECTRA_WORKGROUP), y.size, SPECTRA],
    );
    recorder.dispatch(powers, [uniform, basisY, bandOf, coefficients, partial], [1, y.size, SPECTRA]);
    recordMean(recorder, partial, power);
  };
};

const WATER_PARAMETERS = uniformBlock('Parameters', {
  nx: 'u32',
  ny: 'u32',
  periodicX: 'u32',
  periodicY: 'u32',
  perDx: 'f32',
  perDy: 'f32',
  gravity: 'f32',
  f: 'f32',
  betaDy: 'f32',
  isElevation: 'u32',
  dryDepth: 'f32',
  shallowShare: 'f32',
  parts: 'u32',
});

const STATES = 3;
/** Terms of the first pass. */
const LEVELS = 3;
const WATER_WORKGROUP = 256;

export const waterBudgets: WebGpuOperator<WaterBudgetsParameters, WaterBudgetsFields> = async (builder, parameters) => {
  const { nx, ny, dx, dy, periodicX, periodicY, gravity, coriolis, surface, dryDepth } = parameters;
  const cells = nx * ny;
  const parts = Math.ceil(cells / WATER_WORKGROUP);
  const [levelling, summing, recordLevels, recordMean] = await Promise.all([
    builder.program({
      label: 'consistency.water-levels',
      code: [reduction, WATER_PARAMETERS.wgsl, waterLibrary, waterLevels],
      bindings: ['uniform', 'read', 'read', 'read', 'read', 'write'],
    }),
    builder.program({
      label: 'consistency.water-budgets',
      code: [reduction, WATER_PARAMETERS.wgsl, waterLibrary, waterBudgetsKernel],
      bindings: ['uniform', 'read', 'read', 'read', 'read', 'read', 'write'],
    }),
    prepareMean(builder, STATES * LEVELS, parts, cells),
    prepareMean(builder, STATES * WATER_BUDGET, parts, cells),
  ]);
  const uniform = builder.uniform('water-parameters', WATER_PARAMETERS, {
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
    shallowShare: SHALLOW_SHARE,
    parts,
  });
  const partialLevels = builder.scratch('water-level-parts', 'real', STATES * LEVELS * parts);
  const levels = builder.scratch('water-levels', 'real', STATES * LEVELS);
  const partial = builder.scratch('water-parts', 'real', STATES * WATER_BUDGET * parts);
  const [x, y] = workgroupsFor(cells, WATER_WORKGROUP);
  return (recorder, { truth, forecast, analysis, bed, budgets }) => {
    recorder.dispatch(levelling, [uniform, truth, forecast, analysis, bed, partialLevels], [x, y, STATES]);
    recordLevels(recorder, partialLevels, levels);
    recorder.dispatch(summing, [uniform, truth, forecast, analysis, bed, levels, partial], [x, y, STATES]);
    recordMean(recorder, partial, budgets);
  };
};
