/** Consistency on a GPU: terms in parallel, added up pairwise in a fixed order. */
import { uniformBlock } from '../../compute/parameter-block.ts';
import indexLibrary from '../../compute/webgpu/library/index.wgsl?raw';
import vectorReduction from '../../compute/webgpu/library/vector-reduction.wgsl?raw';
import { workgroupsFor, partsOf } from '../../compute/webgpu/program.ts';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import { prepareMean } from '../statistics/webgpu.ts';
import source from './band-spectra.wgsl?raw';
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
import scoresSource from './scores.wgsl?raw';
import { spectralPlan, transposedBasis } from './spectral-plan.ts';
import waterBudgetsSource from './water-budgets.wgsl?raw';

const part = partsOf(source);
const scoresPart = partsOf(scoresSource);
const waterBudgetsPart = partsOf(waterBudgetsSource);

/** Invocations of a workgroup that adds up, and parts that one of them can add up in turn. */
const WORKGROUP = 256;

const DEPARTURE_PARAMETERS = uniformBlock('Parameters', { observations: 'u32', parts: 'u32' });

export const departureProducts: WebGpuOperator<DepartureProductsParameters, DepartureProductsFields> = async (
  builder,
  { observations, groups },
) => {
  const parts = Math.min(WORKGROUP, Math.ceil(observations / WORKGROUP));
  const [summing, averaging] = await Promise.all([
    builder.program({
      label: 'consistency.departure-products',
      code: [vectorReduction, DEPARTURE_PARAMETERS.wgsl, scoresPart('departure-products')],
      bindings: ['uniform', 'read', 'read', 'read', 'read', 'read', 'read', 'write'],
    }),
    builder.program({
      label: 'consistency.departure-means',
      code: [vectorReduction, DEPARTURE_PARAMETERS.wgsl, scoresPart('departure-means')],
      bindings: ['uniform', 'read', 'write'],
    }),
  ]);
  const uniform = builder.uniform('departure-parameters', DEPARTURE_PARAMETERS, { observations, parts });
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
      code: [SAMPLED_PARAMETERS.wgsl, scoresPart('sampled-scores')],
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
      code: [indexLibrary, SPECTRA_PARAMETERS.wgsl, part('band-differences')],
      bindings: ['uniform', 'read', 'read', 'read', 'read', 'write'],
    }),
    builder.program({
      label: 'consistency.band-rows',
      code: [SPECTRA_PARAMETERS.wgsl, part('band-rows')],
      bindings: ['uniform', 'read', 'read', 'write'],
    }),
    builder.program({
      label: 'consistency.band-powers',
      code: [SPECTRA_PARAMETERS.wgsl, part('band-powers')],
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
  levelParts: 'u32',
  parts: 'u32',
});

const STATES = 3;
/** Workgroups of a state: each has the levels to add up before it begins. */
const MOST_WATER_PARTS = 1024;

export const waterBudgets: WebGpuOperator<WaterBudgetsParameters, WaterBudgetsFields> = async (builder, parameters) => {
  const { nx, ny, dx, dy, periodicX, periodicY, gravity, coriolis, surface, dryDepth } = parameters;
  const cells = nx * ny;
  const parts = Math.min(MOST_WATER_PARTS, Math.ceil(cells / WORKGROUP));
  const levelParts = Math.min(WORKGROUP, parts);
  const [levelling, summing, recordMean] = await Promise.all([
    builder.program({
      label: 'consistency.water-levels',
      code: [
        vectorReduction,
        WATER_PARAMETERS.wgsl,
        waterBudgetsPart('water-library'),
        waterBudgetsPart('water-levels'),
      ],
      bindings: ['uniform', 'read', 'read', 'read', 'read', 'write'],
    }),
    builder.program({
      label: 'consistency.water-budgets',
      code: [
        vectorReduction,
        WATER_PARAMETERS.wgsl,
        waterBudgetsPart('water-library'),
        waterBudgetsPart('water-budgets'),
      ],
      bindings: ['uniform', 'read', 'read', 'read', 'read', 'read', 'write'],
    }),
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
    levelParts,
    parts,
  });
  const levels = builder.scratch('water-levels', 'real', 4 * STATES * levelParts);
  const partial = builder.scratch('water-parts', 'real', STATES * WATER_BUDGET * parts);
  return (recorder, { truth, forecast, analysis, bed, budgets }) => {
    recorder.dispatch(levelling, [uniform, truth, forecast, analysis, bed, levels], [levelParts, 1, STATES]);
    recorder.dispatch(summing, [uniform, truth, forecast, analysis, bed, levels, partial], [parts, 1, STATES]);
    recordMean(recorder, partial, budgets);
  };
};
