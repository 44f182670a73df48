/** What the LETKF's tests share: an ensemble and its observations, and one analysis of them. */
import {
  correlatedLetkf,
  inflatedCorrelatedLetkf,
  inflatedLetkf,
  letkf,
  pointInflation,
} from '../../../../engine/operators/letkf/index.ts';
import { localObservations } from '../../../../engine/operators/localisation/index.ts';
import type { LetkfParameters, PointEstimate } from '../../../../engine/operators/letkf/index.ts';
import type { Backend } from '../../../../engine/index.ts';
import { applyOperator } from '../../../setup/backends.ts';
import { stream as testStream } from '../../../../engine/check/measures.ts';

export interface Problem {
  readonly nx: number;
  readonly ny: number;
  readonly periodicX: boolean;
  readonly periodicY: boolean;
  readonly aspect?: number;
  readonly variables: number;
  readonly members: number;
  readonly halfWidthCells: number;
  readonly inflation: number;
  /** [members][variables][ny][nx] */
  readonly ensemble: Float64Array;
  /** [members][observations] */
  readonly observedEnsemble: Float64Array;
  readonly values: Float64Array;
  readonly inverseErrorStd: Float64Array;
  readonly positionX: Float64Array;
  readonly positionY: Float64Array;
  /** C where errors are correlated, by rows as `correlatedLetkfFields` has them. */
  readonly correlationStart?: Uint32Array;
  readonly correlation?: Float64Array;
  /** ρ of each grid point, beside `inflation`. [ny][nx] */
  readonly factor?: Float64Array;
}

const standard = {
  nx: 7,
  ny: 5,
  periodicX: false,
  periodicY: false,
  variables: 2,
  members: 6,
  halfWidthCells: 1.5,
  inflation: 1.1,
};

/**
 * A random problem: members around 1 with anomalies of size `spread`, `observations` of variable 0 at random places
 * (bilinear between the nearest cells, inside the domain), of standard deviation `deviation`.
 */
export function randomProblem(
  options: Partial<typeof standard> & {
    readonly observations?: number;
    readonly seed?: number;
    readonly spread?: number;
    readonly deviation?: number;
  } = {},
): Problem {
  const { observations = 9, seed = 1, spread = 0.3, deviation = 0.2, ...rest } = options;
  const shape = { ...standard, ...rest };
  const { nx, ny, variables, members } = shape;
  const stream = testStream('letkf', seed);
  const next = (): number => stream.uniform();
  const state = variables * ny * nx;
  const mean = Float64Array.from({ length: state }, () => 1 + 0.2 * next());
  const ensemble = Float64Array.from(
    { length: members * state },
    (_, e) => mean[e % state] + spread * (2 * next() - 1),
  );
  const positionX = Float64Array.from({ length: observations }, () => Math.fround((nx - 1) * next()));
  const positionY = Float64Array.from({ length: observations }, () => Math.fround((ny - 1) * next()));
  const observedEnsemble = new Float64Array(members * observations);
  for (let i = 0; i < members; i++) {
    for (let o = 0; o < observations; o++) {
      observedEnsemble[i * observations + o] = bilinear(ensemble, i * state, nx, ny, positionX[o], positionY[o]);
    }
  }
  return {
    ...shape,
    ensemble,
    observedEnsemble,
    values: Float64Array.from({ length: observations }, () => 1.1 + 0.4 * (next() - 0.5)),
    inverseErrorStd: new Float64Array(observations).fill(1 / deviation),
    positionX,
    positionY,
  };
}

/** The field that starts at `offset` of `state`, at (x, y) in grid units. */
export function bilinear(
  state: ArrayLike<number>,
  offset: number,
  nx: number,
  ny: number,
  x: number,
  y: number,
): number {
  const i = Math.min(Math.max(0, nx - 2), Math.floor(x));
  const j = Math.min(Math.max(0, ny - 2), Math.floor(y));
  const a = x - i;
  const b = y - j;
  const at = (jj: number, ii: number): number => state[offset + Math.min(jj, ny - 1) * nx + Math.min(ii, nx - 1)];
  return (1 - b) * ((1 - a) * at(j, i) + a * at(j, i + 1)) + b * ((1 - a) * at(j + 1, i) + a * at(j + 1, i + 1));
}

type Settings = Partial<Pick<LetkfParameters, 'form' | 'localCapacity'>>;

/** What operators are given of a problem. */
function inputOf(problem: Problem, settings: Settings, active: readonly boolean[]) {
  const { ensemble: _, observedEnsemble, values, inverseErrorStd, positionX, positionY, ...rest } = problem;
  const { correlationStart: _start, correlation: _entries, factor: _factor, ...shape } = rest;
  const { binStart, binObservations, largest } = localObservations(
    shape,
    problem.halfWidthCells,
    positionX,
    positionY,
    active,
  );
  const parameters: LetkfParameters = {
    ...shape,
    observations: values.length,
    localCapacity: largest,
    form: 'auto',
    ...settings,
  };
  const fields = { observedEnsemble, values, inverseErrorStd, positionX, positionY, binStart, binObservations };
  return { parameters, fields };
}

function present({ inverseErrorStd }: Problem): readonly boolean[] {
  return Array.from(inverseErrorStd, (r) => r > 0);
}

/**
 * One analysis.
 * @param active which observations the index may list; those that are there, unless given
 * @returns [members][variables][ny][nx]
 */
export async function analyse(
  backend: Backend,
  problem: Problem,
  settings: Settings = {},
  active: readonly boolean[] = present(problem),
): Promise<Float64Array> {
  const { ensemble, correlationStart, correlation, factor } = problem;
  const { parameters, fields: observed } = inputOf(problem, settings, active);
  const fields = { ensemble, analysis: ensemble.length, ...observed };
  const apply = async (): Promise<{ readonly analysis: Float64Array }> => {
    if (correlationStart && correlation) {
      const correlated = { ...fields, correlationStart, correlation };
      return factor
        ? applyOperator(backend, inflatedCorrelatedLetkf, parameters, { ...correlated, factor })
        : applyOperator(backend, correlatedLetkf, parameters, correlated);
    }
    return factor
      ? applyOperator(backend, inflatedLetkf, parameters, { ...fields, factor })
      : applyOperator(backend, letkf, parameters, fields);
  };
  const { analysis } = await apply();
  return analysis;
}

/** The factors that are found from the observations around each grid point, of the problem's or 1 before. [ny][nx] */
export async function factorsOf(
  backend: Backend,
  problem: Problem,
  estimate: PointEstimate,
  settings: Settings = {},
): Promise<Float64Array> {
  const { parameters, fields } = inputOf(problem, settings, present(problem));
  const { factor } = await applyOperator(
    backend,
    pointInflation,
    { ...parameters, estimate, least: 1, most: 100 },
    { ...fields, factor: problem.factor ?? new Float64Array(problem.nx * problem.ny).fill(1) },
  );
  return factor;
}

/** The mean over members of every element of the state. */
export function meansOf(ensemble: ArrayLike<number>, members: number): Float64Array {
  const state = ensemble.length / members;
  return Float64Array.from({ length: state }, (_, e) => {
    let sum = 0;
    for (let i = 0; i < members; i++) sum += ensemble[i * state + e];
    return sum / members;
  });
}
