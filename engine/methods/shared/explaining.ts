/** What explanations of several methods are made of: the trace of a matrix, single elements of states, and columns of a covariance. */
import type { RealField, Backend } from '../../compute/backend.ts';
import { anomalies, ensembleVariance } from '../../operators/ensemble/index.ts';
import { gainCovariance } from '../../operators/gain-covariance/index.ts';
import { taperRow } from '../../operators/localisation/index.ts';
import { randomStream } from '../../random/stream.ts';
import {
  covariancesWith,
  elementOf,
  type CovarianceColumn,
  type MethodQuestion,
  type DegreesOfFreedom,
} from '../explanation.ts';
import type { MethodContext } from '../method.ts';

/**
 * The trace of a matrix that is known by its products only, tr(M) = E zᵀMz with zᵢ = ±1 at random: exact by unit vectors if
 * there are no more of them than products that are affordable.
 */
interface TraceProbes {
  /** Vectors z, 0 where an observation is not used. */
  readonly vectors: readonly Float64Array[];
  /** @param products zᵀMz, in the order of the vectors */
  readonly trace: (products: readonly number[]) => DegreesOfFreedom;
}

/**
 * @param used whether each observation is
 * @param most products that are affordable
 */
export function createTraceProbes(used: readonly boolean[], most: number, seed: number): TraceProbes {
  const indices = used.flatMap((isUsed, j) => (isUsed ? [j] : []));
  const observations = indices.length;
  if (observations <= most) {
    return {
      vectors: indices.map((index) => Float64Array.from(used, (_, j) => Number(j === index))),
      trace: (products) => ({
        value: products.reduce((sum, product) => sum + product, 0),
        standardError: 0,
        observations,
      }),
    };
  }
  const stream = randomStream(seed, 'explanations.trace', 0);
  return {
    vectors: Array.from({ length: most }, () =>
      Float64Array.from(used, (isUsed) => (isUsed ? (stream.uniform() < 0.5 ? -1 : 1) : 0)),
    ),
    trace(products) {
      const value = products.reduce((sum, product) => sum + product, 0) / most;
      const squares = products.reduce((sum, product) => sum + (product - value) ** 2, 0);
      return { value, standardError: Math.sqrt(squares / (most * (most - 1))), observations };
    },
  };
}

/** Single elements of the states on a backend, read by the host: what an answer about one cell needs of an ensemble. */
interface EnsembleLayout {
  readonly members: number;
  /** Elements of a member. */
  readonly length: number;
}

/** @returns one element of every member of `ensemble`, [members][length] */
export async function readElement(
  backend: Backend,
  ensemble: RealField,
  { members, length }: EnsembleLayout,
  element: number,
): Promise<Float64Array> {
  const gathered = backend.allocate('explanation.element', 'real', members);
  try {
    for (let member = 0; member < members; member++) {
      backend.copy(ensemble, gathered, {
        sourceOffset: member * length + element,
        targetOffset: member,
        length: 1,
      });
    }
    return await backend.read(gathered);
  } finally {
    gathered.dispose();
  }
}

export function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** @returns the increment of the mean in one element: the mean of the differences, so that the large part of both cancels first */
export async function incrementAt(
  backend: Backend,
  { forecast, analysis }: { readonly forecast: RealField; readonly analysis: RealField },
  layout: EnsembleLayout,
  element: number,
): Promise<number> {
  const before = await readElement(backend, forecast, layout, element);
  const after = await readElement(backend, analysis, layout, element);
  return meanOf(after.map((value, member) => value - before[member]));
}

export interface TaperedColumn {
  /** Queues the column of an element. @returns it, [variable][y][x], good until another is queued */
  queue(element: number, forecast: RealField): RealField;
  /** @throws QuestionError if there is no such variable or cell */
  answer(question: MethodQuestion<'covariance-column'>, forecast: RealField): Promise<CovarianceColumn>;
  dispose(): void;
}

/**
 * A column of the tapered sample covariance, ρ C ∘ X′X′ᵀ/(k − 1), of an ensemble on the backend: C the Gaspari–Cohn taper of the
 * distance, ρ the inflation. It is made by the operator that makes the gain of the stochastic EnKF, with the unit vector of one
 * element in place of an observation.
 *
 * @param workspace anomalies [members][variable][y][x] of the method that are free between two analyses
 */
export async function createTaperedColumn(
  label: string,
  { backend, model, members }: MethodContext,
  { halfWidth, inflation }: { readonly halfWidth: number; readonly inflation: number },
  workspace: RealField,
): Promise<TaperedColumn> {
  const { nx, ny, dx, dy, periodicX, periodicY } = model.grid;
  const length = model.variables.length * nx * ny;
  const taper = taperRow({ nx, ny, periodicX, periodicY, halfWidthCells: halfWidth / dx, aspect: dy / dx });
  const real = (name: string, size: number) => backend.allocate(`${label}.column.${name}`, 'real', size);
  const index = (name: string, size: number) => backend.allocate(`${label}.column.${name}`, 'index', size);
  const fields = {
    mean: real('mean', length),
    taperRow: real('taper', nx * ny),
    output: real('values', length),
    data: real('one', 1),
    indptr: index('row', 2),
    indices: index('element', 1),
  };
  backend.write(fields.taperRow, taper.row);
  backend.write(fields.data, [1]);
  backend.write(fields.indptr, [0, 1]);
  const splitting = await backend.prepare(anomalies, { members, length, factor: Math.sqrt(inflation) });
  const varying = await backend.prepare(ensembleVariance, { members, length, factor: inflation });
  const covarying = await backend.prepare(gainCovariance, {
    nx,
    ny,
    periodicX,
    periodicY,
    variables: model.variables.length,
    members,
    firstObservation: 0,
    observations: 1,
    nonzeros: 1,
    reachX: taper.reachX,
    reachY: taper.reachY,
  });
  const queue = (element: number, forecast: RealField): RealField => {
    const { mean, output, ...row } = fields;
    backend.write(fields.indices, [element]);
    splitting.run({ ensemble: forecast, mean, anomalies: workspace });
    covarying.run({ anomalies: workspace, output, ...row });
    return output;
  };
  return {
    queue,
    async answer(question, forecast) {
      const { mean } = fields;
      const element = elementOf(model, question);
      const values = await backend.read(queue(element, forecast));
      varying.run({ ensemble: forecast, variance: mean });
      const deviations = (await backend.read(mean)).map((variance) => Math.sqrt(variance));
      const variables = covariancesWith(model, question.variable);
      return { values, deviations, deviation: deviations[element], variables, element };
    },
    dispose() {
      for (const owned of [splitting, varying, covarying, ...Object.values(fields)]) owned.dispose();
    },
  };
}

/**
 * What is made when it is first asked for: the memory and the kernels of questions that may never be asked.
 *
 * What is made when it is first asked for: the memory and the kernels of questions that may never be asked.
 */

export interface Lazily<Made> {
  get(): Promise<Made>;
  /** Frees it where it was made; it is made again when it is asked for again. */
  dispose(): void;
}

export function lazily<Made extends { dispose(): void }>(make: () => Promise<Made>): Lazily<Made> {
  let making: Promise<Made> | undefined;
  let made: Made | undefined;
  return {
    get() {
      making ??= make().then(
        (owned) => (made = owned),
        (error: unknown) => {
          making = undefined;
          throw error;
        },
      );
      return making;
    },
    dispose() {
      made?.dispose();
      making = undefined;
      made = undefined;
    },
  };
}
