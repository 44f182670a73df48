/** What is measured in every cycle of a method's consistency: queued where the states are. */
import type { Backend, RealField, ElementKind, Field, HostArray } from '../compute/backend.ts';
import { methodDefinition, type Method, type MethodContext } from '../methods/index.ts';
import {
  bandSpectra,
  DEPARTURE_PRODUCTS,
  departureProducts,
  readDepartureProducts,
  sampledRows,
  sampledScores,
  sampleStride,
  SPECTRA,
  spectralPlan,
  WATER_BUDGET,
  waterBudgets,
} from '../operators/consistency/index.ts';
import { ensembleMean, ensembleVariance } from '../operators/ensemble/index.ts';
import { innovation, type ObservationOperator } from '../operators/observation/index.ts';
import type { Model } from '../models/index.ts';
import { SPREAD_EDGES } from './events.ts';
import type { Budget, ConsistencyMeasures, DepartureProducts, SampledScores } from './events.ts';

/** What is measured, and against what. */
export interface ScoredParts {
  readonly model: Model;
  readonly truth: RealField;
  readonly method: Method;
  /** Whose departures the method computes. */
  readonly observations: ObservationOperator;
  /** Names of the variables whose scores and ranks are taken. */
  readonly compared: readonly string[];
  /** Names of what can be observed: they distinguish departures. */
  readonly observed: readonly string[];
  /** This cycle's observations. */
  readonly positions: MethodContext['positions'];
  readonly physics: Pick<MethodContext, 'gravity' | 'coriolis'>;
  readonly seed: number;
  /** What the random stream of the method's ranks is named by. */
  readonly streamName: string;
}

/** What is staged, when it has arrived: nothing of fields that are undefined. */
export type StagedNumbers<Kind extends ElementKind, Name extends string> = Promise<
  Partial<Readonly<Record<Name, HostArray<Kind>>>>
>;

/**
 * Stages short fields, one after the other with no work between them: they arrive with the next `collect`. Nothing may write them
 * after it in the same cycle.
 */
export function stageEach<Kind extends ElementKind, Name extends string>(
  backend: Backend,
  fields: Readonly<Record<Name, Field<Kind> | undefined>>,
): StagedNumbers<Kind, Name> {
  const present = Object.entries<Field<Kind> | undefined>(fields).flatMap(([name, field]) =>
    field ? [{ name, staged: backend.stage(field) }] : [],
  );
  const arrived = Promise.all(present.map(async ({ name, staged }) => [name, await staged] as const));
  // A rejection is reported by whatever waits for what is staged.
  arrived.catch(() => undefined);
  return arrived.then((entries) => Object.fromEntries(entries) as Partial<Record<Name, HostArray<Kind>>>);
}

type ConsistencyName = 'products' | 'whiteProducts' | 'sampled' | 'power' | 'budgets';

export interface ConsistencyDiagnostics {
  /** The ensemble's mean at each stage, which whoever scores it writes. [variables][cells] */
  readonly means: Means;
  /**
   * Queues what is measured of the forecast, whose mean is known.
   *
   * @param weight of each cell in means
   * @param meanVariance begins with that of each variable over the cells
   */
  forecast(cycle: number, weight: RealField, meanVariance: RealField): void;
  /**
   * Queues what is measured of the analysis, whose mean is known.
   *
   * @returns the fields with all that is measured; undefined of what the method, its model or the cycle does not have
   */
  analysis(hasObservations: boolean): Readonly<Record<ConsistencyName, RealField | undefined>>;
  /** @param numbers of those fields */
  read(numbers: Partial<Readonly<Record<ConsistencyName, Float64Array>>>): ConsistencyMeasures;
  dispose(): void;
}

/** Float32 has about seven digits; a list of them is written with so many. */
const DIGITS = 6;

function rounded(values: Float64Array, factor = 1): number[] {
  return Array.from(values, (value) => Number((value * factor).toPrecision(DIGITS)));
}

type Owned = <Resource extends { dispose(): void }>(resource: Resource) => Resource;

/** Room for departures multiplied by R^−½, of R whole. */
function createWhite(backend: Backend, capacity: number, own: Owned) {
  const real = (name: string) => own(backend.allocate(`consistency.${name}`, 'real', capacity));
  const fields = { innovation: real('whiteInnovation'), residual: real('whiteResidual'), ones: real('ones') };
  backend.write(fields.ones, new Float64Array(capacity).fill(1));
  return fields;
}

/**
 * The products of a group: plain ones, and the degrees of freedom for signal of white ones. The latter count what is not used too,
 * where white departures are 0.
 */
function productsOf(ofPlain: Float64Array, ofWhite: Float64Array, group: number): DepartureProducts {
  const plain = readDepartureProducts(ofPlain, group);
  const white = readDepartureProducts(ofWhite, group);
  const share = white.count === plain.count ? 1 : white.count / Math.max(1, plain.count);
  return { ...plain, signal: share * white.incrementResidual };
}

/** Innovations and residuals of the observations that the analysis used; undefined of a method that uses none. */
async function createProducts(
  backend: Backend,
  { method, observations, observed, positions }: ScoredParts,
  own: Owned,
) {
  const { members, state, departures } = method;
  if (!methodDefinition(method.kind).assimilates) return undefined;
  const { capacity } = observations;
  const real = (name: string, length = capacity) => own(backend.allocate(`consistency.${name}`, 'real', length));
  const fields = {
    ensemble: real('observedAnalysis', members * capacity),
    mean: real('observedMean'),
    residual: real('residual'),
    scaled: real('scaled'),
    variance: real('analysisVariance'),
    products: real('products', observed.length * DEPARTURE_PRODUCTS),
  };
  const whiteProducts = method.whiten && real('whiteProducts', observed.length * DEPARTURE_PRODUCTS);
  const white = method.whiten && createWhite(backend, capacity, own);
  const group = own(backend.allocate('consistency.group', 'index', capacity));
  const averaging = own(await backend.prepare(ensembleMean, { members, length: capacity }));
  const varying = own(await backend.prepare(ensembleVariance, { members, length: capacity, factor: 1 }));
  const departing = own(await backend.prepare(innovation, { observations: capacity }));
  const multiplying = own(
    await backend.prepare(departureProducts, { observations: capacity, groups: observed.length }),
  );
  let known: readonly string[] | undefined;

  /** Which kind each observation is of, sent when there are others than before. */
  function sendGroups(): void {
    const { variable } = positions();
    if (variable === known) return;
    known = variable;
    const groups = new Uint32Array(capacity).fill(observed.length);
    variable.forEach((name, j) => {
      const index = observed.indexOf(name);
      if (index >= 0) groups[j] = index;
    });
    backend.write(group, groups);
  }

  /** Queues the products of white departures if R is whole and errors are correlated. @returns where they are */
  function multiplyWhite(): RealField | undefined {
    if (!white || !whiteProducts || !method.whiten || (positions().correlated ?? []).length === 0) return undefined;
    const { innovation: whiteInnovation, residual: whiteResidual, ones } = white;
    method.whiten(departures.scaled, whiteInnovation);
    method.whiten(fields.scaled, whiteResidual);
    multiplying.run({
      group,
      innovation: whiteInnovation,
      residual: whiteResidual,
      inverseErrorStd: ones,
      backgroundVariance: departures.variance,
      analysisVariance: fields.variance,
      products: whiteProducts,
    });
    return whiteProducts;
  }

  return {
    /** @returns the fields with the products of plain departures, and of white ones where they are others */
    run(): Readonly<Record<'products' | 'whiteProducts', RealField | undefined>> {
      const { ensemble, mean, residual, scaled, variance, products } = fields;
      const { inverseErrorStd, innovation: innovations, variance: backgroundVariance, valuesAtAnalysis } = departures;
      sendGroups();
      observations.observe(state, members, ensemble);
      averaging.run({ ensemble, mean });
      varying.run({ ensemble, variance });
      departing.run({ values: valuesAtAnalysis, observed: mean, inverseErrorStd, innovation: residual, scaled });
      multiplying.run({
        group,
        innovation: innovations,
        residual,
        inverseErrorStd,
        backgroundVariance,
        analysisVariance: variance,
        products,
      });
      return { products, whiteProducts: multiplyWhite() };
    },
    read: (plain: Float64Array, white = plain): ConsistencyMeasures['departures'] =>
      Object.fromEntries(
        observed
          .map((name, index) => [name, productsOf(plain, white, index)] as const)
          .filter(([, { count }]) => count > 0),
      ),
  };
}

/** The ensemble's order in thinned cells; undefined of a single state, which has none. */
async function createSampled(backend: Backend, { model, truth, method }: ScoredParts, scored: Scored, own: Owned) {
  const { nx, ny } = model.grid;
  const { members, state } = method;
  if (members < 2) return undefined;
  const parameters = {
    members,
    variables: model.variables.length,
    nx,
    ny,
    strideX: sampleStride(nx),
    strideY: sampleStride(ny),
    scored: scored.map(({ index }) => index),
    edges: SPREAD_EDGES,
  };
  const rows = sampledRows(parameters);
  const scores = own(backend.allocate('consistency.sampled', 'real', scored.length * rows.rows));
  const sampling = own(await backend.prepare(sampledScores, parameters));

  function scoresOf(numbers: Float64Array): SampledScores {
    const share = 1 / numbers[rows.weight];
    const list = (from: number, length: number) => rounded(numbers.subarray(from, from + length), share);
    return {
      alpha: list(rows.alpha, members + 1),
      beta: list(rows.beta, members + 1),
      below: numbers[rows.below] * share,
      above: numbers[rows.above] * share,
      uncertainty: numbers[rows.uncertainty] * share ** 2,
      share: list(rows.share, rows.bins),
      variance: list(rows.variance, rows.bins),
      squaredError: list(rows.squaredError, rows.bins),
    };
  }

  return {
    scores,
    run: (weight: RealField, meanVariance: RealField): void =>
      sampling.run({ ensemble: state, truth, weight, meanVariance, scores }),
    read: (numbers: Float64Array): ConsistencyMeasures['sampled'] =>
      Object.fromEntries(
        scored.map(({ name }, row) => [name, scoresOf(numbers.subarray(row * rows.rows, (row + 1) * rows.rows))]),
      ),
  };
}

/** Budgets of truth and means; undefined of a model without water. */
async function createBudgets(backend: Backend, { model, truth, physics }: ScoredParts, means: Means, own: Owned) {
  const { grid, surface, bed: elevations, dryDepth = 0 } = model;
  if (surface === undefined) return undefined;
  const cells = grid.nx * grid.ny;
  const bed = own(backend.allocate('consistency.bed', 'real', cells));
  backend.write(bed, elevations ?? new Float64Array(cells));
  const budgets = own(backend.allocate('consistency.budgets', 'real', 3 * WATER_BUDGET));
  const budgeting = own(await backend.prepare(waterBudgets, { ...grid, ...physics, surface, dryDepth }));
  const isTurning = physics.coriolis.f !== 0 || physics.coriolis.beta !== 0;
  const area = cells * grid.dx * grid.dy;

  function budgetOf(numbers: Float64Array): Budget {
    const [depth, energy, enstrophy, tendency, unbalanced, balanced, wet] = numbers;
    const share = unbalanced / (unbalanced + balanced);
    return {
      mass: area * depth,
      energy: area * energy,
      potentialEnstrophy: area * enstrophy,
      tendency: wet > 0 ? tendency / wet : 0,
      ageostrophicShare: isTurning && !Number.isNaN(share) ? share : undefined,
    };
  }

  return {
    run(): RealField {
      budgeting.run({ truth, ...means, bed, budgets });
      return budgets;
    },
    read: (numbers: Float64Array): ConsistencyMeasures['budgets'] => {
      const of = (index: number) => budgetOf(numbers.subarray(index * WATER_BUDGET, (index + 1) * WATER_BUDGET));
      return { truth: of(0), forecast: of(1), analysis: of(2) };
    },
  };
}

type Scored = readonly { readonly name: string; readonly index: number }[];
interface Means {
  readonly forecast: RealField;
  readonly analysis: RealField;
}

/** @param scored the variables whose scores are taken, with their places in the state */
export async function createConsistencyDiagnostics(
  backend: Backend,
  parts: ScoredParts,
  scored: Scored,
): Promise<ConsistencyDiagnostics> {
  const { model, truth, method } = parts;
  const { grid, variables } = model;
  const cells = grid.nx * grid.ny;
  const length = variables.length * cells;
  const { members, state } = method;
  const owned: { dispose(): void }[] = [];
  const own: Owned = (resource) => {
    owned.push(resource);
    return resource;
  };
  const means = {
    forecast: own(backend.allocate('consistency.forecast', 'real', length)),
    analysis: own(backend.allocate('consistency.analysis', 'real', length)),
  };
  // Of a single state the member is the mean.
  const member = members > 1 ? own(backend.allocate('consistency.member', 'real', cells)) : means.forecast;
  const { bands } = spectralPlan(grid);
  const power = own(backend.allocate('consistency.power', 'real', SPECTRA * bands));
  const transforming = own(await backend.prepare(bandSpectra, { ...grid, members }));
  const products = await createProducts(backend, parts, own);
  const sampled = await createSampled(backend, parts, scored, own);
  const budgets = await createBudgets(backend, parts, means, own);

  return {
    means,
    forecast(cycle, weight, meanVariance) {
      if (members > 1) backend.copy(state, member, { sourceOffset: (cycle % members) * length, length: cells });
      sampled?.run(weight, meanVariance);
    },
    analysis(hasObservations) {
      transforming.run({ truth, ...means, member, power });
      return {
        power,
        sampled: sampled?.scores,
        budgets: budgets?.run(),
        products: undefined,
        whiteProducts: undefined,
        ...(hasObservations && products?.run()),
      };
    },
    read(numbers) {
      const powers = numbers.power ?? new Float64Array(SPECTRA * bands);
      const spectrum = (index: number) => rounded(powers.subarray(index * bands, (index + 1) * bands));
      return {
        departures: (numbers.products && products?.read(numbers.products, numbers.whiteProducts)) ?? {},
        sampled: (numbers.sampled && sampled?.read(numbers.sampled)) ?? {},
        spectra: {
          forecastError: spectrum(0),
          analysisError: spectrum(1),
          increment: spectrum(2),
          forecastSpread: members > 1 ? spectrum(3) : [],
        },
        budgets: numbers.budgets && budgets?.read(numbers.budgets),
      };
    },
    dispose() {
      for (const resource of owned) resource.dispose();
    },
  };
}
