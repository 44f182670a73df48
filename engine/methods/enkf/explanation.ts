/**
 * Why an analysis of the stochastic EnKF is what it is. With S = R^−½ H, P the tapered covariance and A = I + S P Sᵀ, the gain
 * of its mean is
 *
 *   K = P Sᵀ A⁻¹ R^−½,   a row of it eᵀK = (R^−½ A⁻¹ S P e)ᵀ,   tr(H K) = tr(I − A⁻¹) over the observations that are used.
 *
 * Where R is taken whole, R = D C D: S = D⁻¹ H, A = C + S P Sᵀ, D⁻¹ in the place of R^−½, and tr(H K) = tr(I − C A⁻¹).
 */
import type { RealField } from '../../compute/backend.ts';
import { choleskySubstitution } from '../../operators/cholesky-solution/index.ts';
import { taperBetween } from '../../operators/localisation/index.ts';
import type { LinearisedOperator } from '../../operators/observation/index.ts';
import { elementOf, variableOf } from '../explanation.ts';
import type { DegreesOfFreedom, Influence, MethodAnswers, MethodQuestion } from '../explanation.ts';
import type { MethodContext } from '../method.ts';
import { correlated } from '../shared/correlated-errors.ts';
import type { Departures } from '../shared/departures.ts';
import {
  incrementAt,
  meanOf,
  readElement,
  createTaperedColumn,
  createTraceProbes,
  lazily,
} from '../shared/explaining.ts';
import type { AdaptiveInflation } from '../shared/inflation.ts';
import { seenThroughMembers, type EnkfSettings } from './tapered-gain.ts';

/** What an analysis is made of, which stays its owner's, as the latest one has left it. */
export interface EnkfParts {
  /** The analysis. */
  readonly state: RealField;
  /** Departures of the inflated forecast. */
  readonly departures: Departures;
  readonly tangent: LinearisedOperator;
  readonly fields: {
    /** Work space, free between two analyses. */
    readonly background: RealField;
    /** A, factorised. */
    readonly matrix: RealField;
    readonly innovations: RealField;
    readonly meanInnovation: RealField;
  };
  readonly adaptive: AdaptiveInflation | undefined;
}

export interface EnkfExplanation {
  readonly answers: MethodAnswers;
  dispose(): void;
}

export function explainEnkf(
  context: MethodContext,
  { label, localisation, inflation: constant, errorCorrelation }: EnkfSettings,
  { state, departures, tangent, fields, adaptive }: EnkfParts,
): EnkfExplanation {
  const { backend, model, observations, positions, members, seed } = context;
  // A forecast is inflated before it is asked about, where the inflation adapts itself.
  const inflation = adaptive ? 1 : constant;
  const { background, matrix, innovations, meanInnovation } = fields;
  const { capacity } = observations;
  const length = state.length / members;
  const column = lazily(() =>
    createTaperedColumn(label, context, { halfWidth: localisation.halfWidth, inflation }, background),
  );

  const { nx, ny, dx, dy, periodicX, periodicY } = model.grid;
  const geometry = { nx, ny, periodicX, periodicY, halfWidthCells: localisation.halfWidth / dx, aspect: dy / dx };
  const substituting = {
    one: lazily(() => backend.prepare(choleskySubstitution, { size: capacity, rightHandSides: 1 })),
    many: lazily(() => backend.prepare(choleskySubstitution, { size: capacity, rightHandSides: members })),
  };

  /** A⁻¹ b by the factor of the analysis. */
  async function solve(rightHandSide: Float64Array): Promise<Float64Array> {
    backend.write(meanInnovation, rightHandSide);
    (await substituting.one.get()).run({ matrix, solution: meanInnovation });
    return backend.read(meanInnovation);
  }

  /** A⁻¹ B, as many right-hand sides as there are members at most; [members][capacity]. */
  async function solveAll(rightHandSides: readonly Float64Array[]): Promise<Float64Array> {
    const all = new Float64Array(members * capacity);
    rightHandSides.forEach((values, row) => all.set(values, row * capacity));
    backend.write(innovations, all);
    (await substituting.many.get()).run({ matrix, solution: innovations });
    return backend.read(innovations);
  }

  /** S P e: what each observation's column of P Sᵀ has in one element, which by symmetry is what S sees of the element's own. */
  async function rowOf(element: number, forecast: RealField): Promise<Float64Array> {
    const isThroughMembers = seenThroughMembers(positions());
    if (!isThroughMembers.includes(0)) return rowThroughMembers(element, forecast);
    tangent.product((await column.get()).queue(element, forecast), meanInnovation);
    const row = await backend.read(meanInnovation);
    if (!isThroughMembers.includes(1)) return row;
    const others = await rowThroughMembers(element, forecast);
    return row.map((value, j) => (isThroughMembers[j] === 1 ? others[j] : value));
  }

  /** The same where H is seen through the members: their covariance with what is observed, tapered at the observation's place. */
  async function rowThroughMembers(element: number, forecast: RealField): Promise<Float64Array> {
    const observed = await backend.read(departures.observedEnsemble);
    const inverse = await backend.read(departures.inverseErrorStd);
    const values = await readElement(backend, forecast, { members, length }, element);
    const mean = meanOf(values);
    const anomalies = values.map((value) => Math.sqrt(inflation) * (value - mean));
    const taper = taperBetween(geometry);
    const cell = { x: element % nx, y: Math.floor(element / nx) % ny };
    const { x, y } = positions();
    return Float64Array.from(inverse, (scale, j) => {
      if (scale === 0 || j >= x.length) return 0;
      // The anomalies sum to 0, so that the mean of what is observed drops out.
      let sum = 0;
      for (let member = 0; member < members; member++) sum += anomalies[member] * observed[member * capacity + j];
      return (taper(x[j] - cell.x, y[j] - cell.y) * scale * sum) / (members - 1);
    });
  }

  /** R^−½ (y − mean H(x)) of the inflated members. */
  async function scaledInnovations(): Promise<Float64Array> {
    const observed = await backend.read(departures.observedEnsemble);
    const inverse = await backend.read(departures.inverseErrorStd);
    const values = await backend.read(observations.values);
    return Float64Array.from(inverse, (scale, j) => {
      if (scale === 0) return 0;
      const seen = Float64Array.from({ length: members }, (_, member) => observed[member * capacity + j]);
      return scale * (values[j] - meanOf(seen));
    });
  }

  async function influence(question: MethodQuestion<'influence'>, forecast: RealField): Promise<Influence> {
    const element = elementOf(model, question);
    const { unit } = variableOf(model, question.variable);
    const { x } = positions();
    const increment = await incrementAt(backend, { forecast, analysis: state }, { members, length }, element);
    if (x.length === 0) return { contributions: new Float64Array(0), increment, unit };
    const weights = await solve(await rowOf(element, forecast));
    const scaled = await scaledInnovations();
    const contributions = Float64Array.from({ length: x.length }, (_, j) => weights[j] * scaled[j]);
    return { contributions, increment, unit };
  }

  async function degreesOfFreedom(): Promise<DegreesOfFreedom> {
    const count = positions().x.length;
    const known = count > 0 ? await backend.read(departures.inverseErrorStd) : new Float64Array(0);
    const used = Array.from(known, (inverse, j) => j < count && inverse > 0);
    const probes = createTraceProbes(used, members, seed);
    const { vectors } = probes;
    if (vectors.length === 0) return probes.trace([]);
    const solved = await solveAll(vectors);
    const blocks = errorCorrelation === 'full' ? (positions().correlated ?? []) : [];
    return probes.trace(
      vectors.map((vector, row) => {
        // What is not used has an identity's row of its own, and 0 there.
        const expected = correlated(blocks, solved.subarray(row * capacity, (row + 1) * capacity));
        return vector.reduce((sum, z, j) => sum + (z === 0 ? 0 : z * (z - expected[j])), 0);
      }),
    );
  }

  const answers: MethodAnswers = {
    'covariance-column': async (question, forecast) => (await column.get()).answer(question, forecast),
    influence,
    'degrees-of-freedom': degreesOfFreedom,
  };
  return {
    answers: adaptive ? adaptive.about(answers) : answers,
    dispose() {
      for (const owned of [column, substituting.one, substituting.many]) owned.dispose();
    },
  };
}
