/**
 * Why an analysis of the serial filter is what it is. The departure of an observation at its turn is δ_j = d_j − Σ_{m<j} M_jm δ_m, M_em
 * being what a departure δ_m moves an element e by. With L the part of M below its diagonal among the observations,
 *
 *   δ = (I + L)⁻¹ d,   a row of the gain eᵀK = M_e (I + L)⁻¹ R^−½,   tr(H K) = tr(M (I + L)⁻¹).
 *
 * M is made again on the host, in float64, of the members as they were.
 */
import type { RealField } from '../../compute/backend.ts';
import { taperBetween, type TaperGeometry } from '../../operators/localisation/index.ts';
import { elementOf, variableOf } from '../explanation.ts';
import type { DegreesOfFreedom, Influence, MethodAnswers, MethodQuestion } from '../explanation.ts';
import type { Method, MethodContext } from '../method.ts';
import type { LocalisedSettings } from '../shared/localisation.ts';
import type { Departures } from '../shared/departures.ts';
import {
  createTaperedColumn,
  createTraceProbes,
  incrementAt,
  meanOf,
  readElement,
  lazily,
} from '../shared/explaining.ts';
import type { AdaptiveInflation } from '../shared/inflation.ts';

/** What an analysis is made of, which stays its owner's, as the latest one has left it. */
export interface EakfParts {
  /** The analysis. */
  readonly state: RealField;
  /** Departures of the inflated forecast. */
  readonly departures: Departures;
  readonly geometry: TaperGeometry;
  readonly adaptive: AdaptiveInflation | undefined;
  /** [members][length], free between two analyses. */
  readonly workspace: RealField;
}

export interface EakfExplanation {
  readonly answers: MethodAnswers;
  dispose(): void;
}

/** An element of the state, or what is observed: its place in cells, and its anomalies, scaled by R^−½ where it is observed. */
interface Element {
  readonly x: number;
  readonly y: number;
  readonly anomalies: Float64Array;
}

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, l) => sum + value * b[l], 0);
}

/**
 * M: the filter once more. The anomalies of the elements are changed.
 *
 * @param elements the observations first, as many as `count`
 * @returns what a departure of an observation at its turn moves each element by, [element][count]
 */
function movesOf(elements: readonly Element[], count: number, geometry: TaperGeometry): readonly Float64Array[] {
  const taper = taperBetween(geometry);
  const moves = elements.map(() => new Float64Array(count));
  for (let j = 0; j < count; j++) {
    const { x, y } = elements[j];
    const seen = Float64Array.from(elements[j].anomalies);
    const degrees = seen.length - 1;
    const expected = 1 + dot(seen, seen) / degrees;
    const reduced = 1 / (1 + 1 / Math.sqrt(expected));
    elements.forEach((element, e) => {
      const c = taper(element.x - x, element.y - y);
      if (c === 0) return;
      const move = (c * dot(element.anomalies, seen)) / (degrees * expected);
      moves[e][j] = move;
      for (let l = 0; l < seen.length; l++) element.anomalies[l] -= reduced * move * seen[l];
    });
  }
  return moves;
}

/** δ = (I + L)⁻¹ d. */
function departuresAtTurns(moves: readonly Float64Array[], d: Float64Array): Float64Array {
  const delta = Float64Array.from(d);
  for (let j = 0; j < d.length; j++) for (let m = 0; m < j; m++) delta[j] -= moves[j][m] * delta[m];
  return delta;
}

/** The row w = M_e (I + L)⁻¹ of the gain. */
function gainOf(moves: readonly Float64Array[], own: Float64Array): Float64Array {
  const row = Float64Array.from(own);
  for (let m = row.length - 1; m >= 0; m--) for (let j = 0; j < m; j++) row[j] -= row[m] * moves[m][j];
  return row;
}

export function explainEakf(
  context: MethodContext,
  {
    label,
    localisation,
    inflation: constant,
  }: LocalisedSettings & Pick<Method, 'label'> & { readonly inflation: number },
  { state, departures, geometry, adaptive, workspace }: EakfParts,
): EakfExplanation {
  const { backend, model, observations, positions, members, seed } = context;
  // A forecast is inflated before it is asked about, where the inflation adapts itself.
  const inflation = adaptive ? 1 : constant;
  const { capacity } = observations;
  const { nx, ny } = model.grid;
  const length = state.length / members;
  const column = lazily(() =>
    createTaperedColumn(label, context, { halfWidth: localisation.halfWidth, inflation }, workspace),
  );

  /** What was observed of the inflated members, with its departures R^−½ (y − mean H(x)). */
  async function observed(): Promise<{ readonly elements: Element[]; readonly innovations: Float64Array }> {
    const ensemble = await backend.read(departures.observedEnsemble);
    const inverse = await backend.read(departures.inverseErrorStd);
    const values = await backend.read(observations.values);
    const { x, y } = positions();
    const innovations = new Float64Array(x.length);
    const elements = Array.from(x, (_, j): Element => {
      const seen = Float64Array.from({ length: members }, (__, l) => ensemble[l * capacity + j]);
      const mean = meanOf(seen);
      innovations[j] = inverse[j] * (values[j] - mean);
      return { x: x[j], y: y[j], anomalies: seen.map((value) => inverse[j] * (value - mean)) };
    });
    return { elements, innovations };
  }

  async function influence(question: MethodQuestion<'influence'>, forecast: RealField): Promise<Influence> {
    const element = elementOf(model, question);
    const { unit } = variableOf(model, question.variable);
    const increment = await incrementAt(backend, { forecast, analysis: state }, { members, length }, element);
    const { elements, innovations } = await observed();
    const values = await readElement(backend, forecast, { members, length }, element);
    const mean = meanOf(values);
    const anomalies = values.map((value) => Math.sqrt(inflation) * (value - mean));
    const place = { x: element % nx, y: Math.floor(element / nx) % ny };
    const moves = movesOf([...elements, { ...place, anomalies }], elements.length, geometry);
    const row = gainOf(moves, moves[elements.length]);
    return {
      contributions: row.map((weight, j) => (innovations[j] === 0 ? 0 : weight * innovations[j])),
      increment,
      unit,
    };
  }

  async function degreesOfFreedom(): Promise<DegreesOfFreedom> {
    const { elements } = await observed();
    const inverse = await backend.read(departures.inverseErrorStd);
    const probes = createTraceProbes(
      elements.map((_, j) => inverse[j] > 0),
      members,
      seed,
    );
    const moves = movesOf(elements, elements.length, geometry);
    return probes.trace(
      probes.vectors.map((z) => {
        const delta = departuresAtTurns(moves, z);
        return z.reduce((sum, value, j) => sum + (value === 0 ? 0 : value * dot(moves[j], delta)), 0);
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
    dispose: () => column.dispose(),
  };
}
