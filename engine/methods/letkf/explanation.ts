/**
 * Why an analysis of the LETKF is what it is, in one place: its k × k transform, made by the operator of the analysis on a grid of
 * one cell whose state is the identity. Of member i, variable m of that state is 1 where i = m and otherwise 0; its analysis is
 *
 *   aᵢₘ = 1/k + w̄ₘ + Wᵃₘᵢ − √ρ/k,   with mean 1/k + w̄ₘ over the members,
 *
 * since the columns of Wᵃ sum to √ρ and w̄ to 0. Where weights are interpolated those of a cell are made of the transforms of the
 * nodes around it, each by its share, and so is all that follows. With (k − 1) P̃ᵃ = Wᵃ Wᵃ and C = Yᵀ R⁻¹, R localised, observation j contributes
 * xᵀ P̃ᵃ Cⱼ dⱼ to the increment of a variable with the anomalies x in that cell, and Σⱼ Yⱼᵀ P̃ᵃ Cⱼ is tr(H K) there [hunt2007].
 */
import type { RealField } from '../../compute/backend.ts';
import {
  correlatedLetkf,
  createSymmetricEigenSolver,
  letkf,
  rootOfLocal,
  solveLocal,
} from '../../operators/letkf/index.ts';
import { shortest, taperBetween } from '../../operators/localisation/index.ts';
import { assertCell, elementOf, variableOf } from '../explanation.ts';
import type {
  Cell,
  EnsembleTransform,
  Influence,
  LocalWeights,
  MethodAnswers,
  MethodQuestion,
} from '../explanation.ts';
import type { ErrorCorrelationChoice } from '../shared/error-correlation-setting.ts';
import type { LocalisedSettings } from '../shared/localisation.ts';
import { correlationIn, type ErrorBlock, type Method, type MethodContext } from '../method.ts';
import type { Departures } from '../shared/departures.ts';
import { incrementAt, meanOf, readElement, createTaperedColumn, lazily } from '../shared/explaining.ts';
import type { AdaptiveInflation } from '../shared/inflation.ts';
import { createLetkfTrace, type TraceParts } from './degrees-of-freedom.ts';
import type { LocalAnalysis } from './local-analysis.ts';

/** Capacities are multiples of this, so that few kernels are compiled. */
const CAPACITY_STEP = 8;

/** What an analysis is made of, which stays its owner's. */
export interface LetkfParts {
  /** The analysis. */
  readonly state: RealField;
  readonly departures: Departures;
  /** Work space of an ensemble, free between two analyses. */
  readonly workspace: RealField;
  /** Queues `workspace` = the analysis of an ensemble with other observed values, before relaxation and rotation. */
  readonly queueAnalysis: TraceParts['queueAnalysis'];
  readonly local: Pick<LocalAnalysis, 'form' | 'nodesOf' | 'factors'>;
  /** That the members are analysed with, beside factors of the places' own: 1 where they are inflated before. */
  readonly inflation: number;
  readonly adaptive: AdaptiveInflation | undefined;
}

/** An observation in reach of a cell. */
interface LocalObservation {
  readonly index: number;
  /** Components of the shortest way from the cell, in cells. */
  readonly dx: number;
  readonly dy: number;
  /** GC(distance / c) */
  readonly weight: number;
  readonly value: number;
  readonly inverseErrorStd: number;
  /** y − mean H(x), and Y: H(xᵢ) less their mean. */
  readonly innovation: number;
  readonly seen: Float64Array;
  readonly anomalies: Float64Array;
}

/** Entries of a lower triangle. */
function triangle(order: number): number {
  return (order * (order + 1)) / 2;
}

/** The transform of one place. */
interface LocalTransform {
  readonly place: Cell;
  /** Its share in the weights of the cell in question; those of all its places sum to 1. */
  readonly share: number;
  /** That it was analysed with. */
  readonly rho: number;
  readonly local: readonly LocalObservation[];
  /** Cᵀ, C = Yᵀ R⁻¹ with R localised: [ℓ][k]. */
  readonly columns: Float64Array;
  /** w̄ + 1/k, [k]. */
  readonly weights: Float64Array;
  /** Wᵃ, [k][k]. */
  readonly root: Float64Array;
  /** (k − 1) P̃ᵃ, [k][k]. */
  readonly covariance: Float64Array;
}

export interface LetkfExplanation {
  readonly answers: MethodAnswers;
  dispose(): void;
}

export function explainLetkf(
  context: MethodContext,
  {
    label,
    localisation,
    errorCorrelation,
  }: LocalisedSettings & Pick<Method, 'label'> & { readonly errorCorrelation: ErrorCorrelationChoice },
  { state, departures, workspace, queueAnalysis, local: analyses, inflation, adaptive }: LetkfParts,
): LetkfExplanation {
  const { backend, model, observations, positions, members } = context;
  const { nx, ny, dx, dy, periodicX, periodicY } = model.grid;
  const { capacity } = observations;
  const length = state.length / members;
  const halfWidthCells = localisation.halfWidth / dx;
  const aspect = dy / dx;
  const taper = taperBetween({ nx, ny, periodicX, periodicY, aspect, halfWidthCells });
  const column = lazily(() =>
    createTaperedColumn(label, context, { halfWidth: localisation.halfWidth, inflation }, workspace),
  );

  /** How the errors of the cycle are correlated, as the analysis takes them. */
  const blocks = (): readonly ErrorBlock[] => (errorCorrelation === 'full' ? (positions().correlated ?? []) : []);

  const trace = createLetkfTrace(label, context, { departures, workspace, queueAnalysis });

  async function localObservations({ x, y }: Cell): Promise<LocalObservation[]> {
    const observed = positions();
    if (observed.x.length === 0) return [];
    const [ensemble, inverse, values] = [
      await backend.read(analyses.factors ? departures.observedEnsemble : departures.inflatedEnsemble),
      await backend.read(departures.inverseErrorStd),
      await backend.read(observations.values),
    ];
    return Array.from(observed.x).flatMap((_, index) => {
      const [toX, toY] = [observed.x[index] - x, observed.y[index] - y];
      const weight = taper(toX, toY);
      if (!(weight > 0 && inverse[index] > 0)) return [];
      const seen = Float64Array.from({ length: members }, (__, member) => ensemble[member * capacity + index]);
      const mean = meanOf(seen);
      return [
        {
          index,
          dx: periodicX ? shortest(toX, nx) : toX,
          dy: periodicY ? shortest(toY, ny) : toY,
          weight,
          value: values[index],
          inverseErrorStd: inverse[index],
          innovation: values[index] - mean,
          seen,
          anomalies: seen.map((value) => value - mean),
        },
      ];
    });
  }

  /** @returns Cᵀ, [ℓ][k] */
  function columnsOf(local: readonly LocalObservation[]): Float64Array {
    const together = blocks();
    const roots = local.map(({ weight }) => Math.sqrt(weight));
    const scales = local.map(({ inverseErrorStd }, j) => roots[j] * inverseErrorStd);
    const columns = Float64Array.from(
      local.flatMap(({ anomalies }, j) => Array.from(anomalies, (value) => scales[j] * value)),
    );
    if (together.length > 0) {
      const between = (a: number, b: number): number => correlationIn(together, local[a].index, local[b].index);
      solveLocal(rootOfLocal(local.length, roots, between), columns, members);
    }
    return columns.map((value, at) => scales[Math.floor(at / members)] * value);
  }

  /** The analysis of the identity, of an inflation ρ. @returns aᵢₘ, [k][k] */
  async function analyseIdentity(local: readonly LocalObservation[], rho: number): Promise<Float64Array> {
    const room = CAPACITY_STEP * Math.max(1, Math.ceil(local.length / CAPACITY_STEP));
    const together = blocks();
    const parameters = {
      nx: 1,
      ny: 1,
      periodicX: false,
      periodicY: false,
      aspect,
      variables: members,
      members,
      observations: room,
      halfWidthCells,
      inflation: rho,
      localCapacity: room,
      form: analyses.form(),
    };
    const isWhole = together.length > 0;
    const analysing = isWhole
      ? await backend.prepare(correlatedLetkf, parameters)
      : await backend.prepare(letkf, parameters);
    const real = (name: string, size: number) => backend.allocate(`${label}.weights.${name}`, 'real', size);
    const index = (name: string, size: number) => backend.allocate(`${label}.weights.${name}`, 'index', size);
    const fields = {
      ensemble: real('identity', members * members),
      analysis: real('analysis', members * members),
      observedEnsemble: real('observedEnsemble', members * room),
      values: real('values', room),
      inverseErrorStd: real('inverseErrorStd', room),
      positionX: real('positionX', room),
      positionY: real('positionY', room),
      binStart: index('binStart', 2),
      binObservations: index('binObservations', room),
      correlationStart: index('correlationStart', room + 1),
      correlation: real('correlation', isWhole ? triangle(room) : 1),
    };
    const byObservation = (value: (observation: LocalObservation) => number): Float64Array =>
      Float64Array.from({ length: room }, (_, j) => (j < local.length ? value(local[j]) : 0));
    try {
      const identity = Float64Array.from({ length: members ** 2 }, (_, at) => Number(at % (members + 1) === 0));
      const seen = Array.from({ length: members }, (_, member) =>
        Array.from(byObservation((each) => each.seen[member])),
      );
      backend.write(fields.ensemble, identity);
      backend.write(fields.observedEnsemble, seen.flat());
      backend.write(
        fields.values,
        byObservation(({ value }) => value),
      );
      backend.write(
        fields.inverseErrorStd,
        byObservation(({ inverseErrorStd }) => inverseErrorStd),
      );
      backend.write(
        fields.positionX,
        byObservation((each) => each.dx),
      );
      backend.write(
        fields.positionY,
        byObservation((each) => each.dy),
      );
      backend.write(fields.binStart, [0, local.length]);
      backend.write(
        fields.binObservations,
        Uint32Array.from({ length: room }, (_, j) => j),
      );
      if (isWhole) {
        const rows = Array.from({ length: room }, (_, i) =>
          Array.from({ length: i + 1 }, (__, j) => {
            if (i === j) return 1;
            return i < local.length ? correlationIn(together, local[i].index, local[j].index) : 0;
          }),
        );
        backend.write(
          fields.correlationStart,
          Uint32Array.from({ length: room + 1 }, (_, i) => triangle(i)),
        );
        backend.write(fields.correlation, rows.flat());
      }
      analysing.run(fields);
      return await backend.read(fields.analysis);
    } finally {
      for (const owned of [analysing, ...Object.values(fields)]) owned.dispose();
    }
  }

  async function inflationAt(place: Cell): Promise<number> {
    return inflation * ((await analyses.factors?.at(place)) ?? 1);
  }

  async function transformsOf(cell: Cell): Promise<LocalTransform[]> {
    const transforms = [];
    for (const { place, share } of analyses.nodesOf(cell)) transforms.push(await transformAt(place, share));
    return transforms;
  }

  async function transformAt(place: Cell, share: number): Promise<LocalTransform> {
    const local = await localObservations(place);
    const rho = await inflationAt(place);
    const analysis = await analyseIdentity(local, rho);
    const weights = Float64Array.from({ length: members }, (_, m) =>
      meanOf(Float64Array.from({ length: members }, (__, i) => analysis[i * members + m])),
    );
    const even = Math.sqrt(rho) / members;
    const root = analysis.map((value, at) => value - weights[at % members] + even);
    const covariance = Float64Array.from({ length: members ** 2 }, (_, at) => {
      const [row, line] = [Math.floor(at / members), at % members];
      let sum = 0;
      for (let m = 0; m < members; m++) sum += root[row * members + m] * root[line * members + m];
      return sum;
    });
    return { place, share, rho, local, columns: columnsOf(local), weights, root, covariance };
  }

  /** xᵀ P̃ᵃ Cⱼ */
  function gainOf(x: Float64Array, { covariance, columns }: LocalTransform, j: number): number {
    let sum = 0;
    for (let a = 0; a < members; a++) {
      for (let b = 0; b < members; b++) sum += x[a] * covariance[a * members + b] * columns[j * members + b];
    }
    return sum / (members - 1);
  }

  /** Eigenvalues of I + ρ C Y/(k − 1), the largest first. */
  function eigenvaluesOf({ columns, local, rho }: LocalTransform): Float64Array {
    const eigen = createSymmetricEigenSolver(members);
    for (let a = 0; a < members; a++) {
      for (let b = 0; b < members; b++) {
        let sum = 0;
        local.forEach(({ anomalies }, j) => (sum += columns[j * members + a] * anomalies[b]));
        eigen.vectors[a * members + b] = Number(a === b) + (rho * sum) / (members - 1);
      }
    }
    eigen.solve(members);
    return eigen.values.toSorted().reverse();
  }

  /** @param stretch √ρ of members that were inflated before */
  function matricesOf(transform: LocalTransform, stretch: number): EnsembleTransform {
    const { place, local, columns, covariance, root } = transform;
    const count = local.length;
    return {
      place,
      observations: Uint32Array.from(local, ({ index }) => index),
      observationWeights: columns.map((_, at) => columns[(at % count) * members + Math.floor(at / count)] / stretch),
      covariance: covariance.map((value) => (stretch ** 2 * value) / (members - 1)),
      root: root.map((value) => stretch * value),
      eigenvalues: eigenvaluesOf(transform),
    };
  }

  async function weightsAt({ cell }: MethodQuestion<'weights'>): Promise<LocalWeights> {
    assertCell(model, cell);
    const transforms = await transformsOf(cell);
    // What was found for inflated members says by √ρ more of those of the forecast.
    const stretch = adaptive ? Math.sqrt(await adaptive.read()) : 1;
    const weights = new Float64Array(members);
    const localisation = new Map<number, number>();
    let degreesOfFreedom = 0;
    let factor = 0;
    for (const transform of transforms) {
      const { share, local, rho } = transform;
      factor += share * rho;
      transform.weights.forEach((weight, m) => {
        weights[m] += share * (stretch === 1 ? weight : 1 / members + stretch * (weight - 1 / members));
      });
      local.forEach((each, j) => {
        localisation.set(each.index, (localisation.get(each.index) ?? 0) + share * each.weight);
        degreesOfFreedom += share * gainOf(each.anomalies, transform, j);
      });
    }
    return {
      weights,
      degreesOfFreedom,
      observations: Uint32Array.from(localisation.keys()),
      localisation: Float64Array.from(localisation.values()),
      inflation: stretch ** 2 * factor,
      transform: matricesOf(
        transforms.reduce((nearest, each) => (each.share > nearest.share ? each : nearest)),
        stretch,
      ),
    };
  }

  async function influence(question: MethodQuestion<'influence'>, forecast: RealField): Promise<Influence> {
    const element = elementOf(model, question);
    const { x } = positions();
    const layout = { members, length };
    const increment = await incrementAt(backend, { forecast, analysis: state }, layout, element);
    const values = await readElement(backend, forecast, layout, element);
    const mean = meanOf(values);
    const anomalies = values.map((value) => value - mean);
    const contributions = new Float64Array(x.length);
    for (const transform of await transformsOf(question.cell)) {
      transform.local.forEach(({ index, innovation }, j) => {
        contributions[index] += transform.share * gainOf(anomalies, transform, j) * innovation;
      });
    }
    return {
      contributions,
      increment,
      unit: variableOf(model, question.variable).unit,
    };
  }

  const answers: MethodAnswers = {
    async 'covariance-column'(question, forecast) {
      const answer = await (await column.get()).answer(question, forecast);
      if (!analyses.factors) return answer;
      // As the analysis of the cell in question takes it.
      let rho = 0;
      for (const { place, share } of analyses.nodesOf(question.cell)) rho += share * (await analyses.factors.at(place));
      const stretch = Math.sqrt(rho);
      return {
        ...answer,
        values: answer.values.map((value) => rho * value),
        deviations: answer.deviations.map((deviation) => stretch * deviation),
        deviation: stretch * answer.deviation,
      };
    },
    weights: weightsAt,
    influence,
    'degrees-of-freedom': (_question, forecast) => trace.answer(forecast),
  };
  return {
    answers: adaptive ? adaptive.about(answers) : answers,
    dispose() {
      column.dispose();
      trace.dispose();
    },
  };
}
