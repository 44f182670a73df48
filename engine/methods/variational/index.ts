/** What analyses that minimise J in control space have in common, whatever their covariance is: 3D-Var, 4D-Var, the hybrids. */
import type { RealField } from '../../compute/backend.ts';
import { AT_END, covariancesWith, elementOf, variableOf } from '../explanation.ts';
import type { CovarianceColumn, DegreesOfFreedom, Influence, MethodAnswers, MethodQuestion } from '../explanation.ts';
import type { MethodContext } from '../method.ts';
import { incrementAt, createTraceProbes } from '../shared/explaining.ts';
import type { ErrorCovariance, VariationalParts } from './incremental-analysis.ts';
import { explainMinimisation } from './minimisation.ts';
import { controlSystem } from './outer-loops.ts';

export { createBackgroundVariance, staticDeviations } from './background-variance.ts';
export {
  CHECK_EVERY,
  createIncrementalAnalysis,
  minimisationField,
  singleMinimisationField,
} from './incremental-analysis.ts';
export type { IncrementalAnalysis, IncrementalParts, VariationalParts } from './incremental-analysis.ts';
export { createObservedControl, type ObservedControl, type ObservedControlParts } from './observed-control.ts';
export { queueLoops, queueMinimisation, createWholeErrors } from './outer-loops.ts';

/** Minimisations that a trace may take. */
const TRACE_MINIMISATIONS = 8;

/**
 * Why an analysis of 3D-Var, or of another method that minimises as it does, is what it is. With G = R^−½ H V and A = I + GᵀG,
 * which the minimisation solves with,
 *
 *   K = V A⁻¹ Gᵀ R^−½:   a row of it, eᵀK = (R^−½ G A⁻¹ Vᵀ e)ᵀ, takes one minimisation, whatever the number of observations;
 *   analysed covariance V A⁻¹ Vᵀ:   the variance of what a row a of H sees is (Vᵀa)ᵀ A⁻¹ (Vᵀa);
 *   tr(H K) = tr(G A⁻¹ Gᵀ).
 *
 * Where R is taken whole, R^−½ = L⁻¹ D⁻¹: the row is (D⁻¹ L⁻ᵀ G A⁻¹ Vᵀ e)ᵀ, an observation at a time as it is observed.
 */
interface VariationalExplanation {
  readonly answers: MethodAnswers;
  /** Error variance of the analysis in the direction of a row of H, which is a state. */
  analysedVariance(row: RealField, forecast: RealField): Promise<number>;
}

export function explainVariational(context: MethodContext, parts: VariationalParts): VariationalExplanation {
  const { backend, model, positions, seed } = context;
  const { transform, analysis, state, members, departures, begin, during } = parts;
  const { wet, seen, minimiser, white, scaled } = analysis;
  const { increment, observed, gradient, solution } = analysis.fields;
  const { length } = increment;

  function unitVector(element: number): Float64Array {
    const unit = new Float64Array(length);
    unit[element] = 1;
    return unit;
  }

  /** Queues `control` = Vᵀ `increment`, V's rows 0 where the background is dry. */
  function toControl(background: RealField, control = gradient): void {
    wet.project(increment, background);
    transform.applyAdjoint(increment, control);
  }

  /** Queues `increment` = V `control`. */
  function toIncrement(control: RealField, background: RealField): void {
    transform.apply(control, increment);
    wet.project(increment, background);
  }

  /** `solution` = A⁻¹ `gradient`, A of the latest analysis. */
  async function solve(): Promise<void> {
    await minimiser.minimise(controlSystem(analysis, white()));
  }

  async function covarianceColumn(
    question: MethodQuestion<'covariance-column'>,
    forecast: RealField,
  ): Promise<CovarianceColumn> {
    const element = elementOf(model, question);
    const background = begin(forecast);
    const { field, cell } = question.times ?? AT_END;
    const [ofField, ofCell] = [covarianceAt(field), covarianceAt(cell)];
    // What is dry is known of the background alone, at the end.
    const toWet = (share: number): void => {
      if (share === 1) wet.project(increment, background);
    };
    const deviationsAt = async ({ backgroundDeviations }: ErrorCovariance, share: number): Promise<Float64Array> => {
      backend.write(increment, await backgroundDeviations(forecast));
      toWet(share);
      return backend.read(increment);
    };
    backend.write(increment, unitVector(element));
    toWet(cell);
    ofCell.transform.applyAdjoint(increment, gradient);
    ofField.transform.apply(gradient, increment);
    toWet(field);
    const values = await backend.read(increment);
    const deviations = await deviationsAt(ofField, field);
    const { [element]: deviation } = field === cell ? deviations : await deviationsAt(ofCell, cell);
    return { values, deviations, deviation, variables: covariancesWith(model, question.variable), element };
  }

  function covarianceAt(share: number): ErrorCovariance {
    return share < 1 && during ? during(share) : parts;
  }

  async function influence(question: MethodQuestion<'influence'>, forecast: RealField): Promise<Influence> {
    const element = elementOf(model, question);
    const { x } = positions();
    const { unit } = variableOf(model, question.variable);
    const made = await incrementAt(backend, { forecast, analysis: state }, { members, length }, element);
    if (x.length === 0) return { contributions: new Float64Array(0), increment: made, unit };
    const background = begin(forecast);
    analysis.linearise(background);
    backend.write(increment, unitVector(element));
    toControl(background);
    await solve();
    seen.product(solution, observed);
    const row = await backend.read(seen.byObservation(observed));
    const innovations = await backend.read(scaled);
    const contributions = Float64Array.from({ length: x.length }, (_, j) => row[j] * innovations[j]);
    return { contributions, increment: made, unit };
  }

  async function degreesOfFreedom(_question: unknown, forecast: RealField): Promise<DegreesOfFreedom> {
    const count = positions().x.length;
    const known = count > 0 ? await backend.read(departures.inverseErrorStd) : new Float64Array(0);
    const used = Array.from(known, (inverse, j) => j < count && inverse > 0);
    const probes = createTraceProbes(used, TRACE_MINIMISATIONS, seed);
    if (count > 0) analysis.linearise(begin(forecast));
    const products: number[] = [];
    for (const vector of probes.vectors) {
      backend.write(observed, vector);
      seen.adjoint(observed, gradient);
      await solve();
      seen.product(solution, observed);
      const product = await backend.read(observed);
      products.push(vector.reduce((sum, z, j) => sum + z * product[j], 0));
    }
    return probes.trace(products);
  }

  return {
    answers: {
      'covariance-column': covarianceColumn,
      influence,
      'degrees-of-freedom': degreesOfFreedom,
      minimisation: explainMinimisation(context, parts, { toControl, toIncrement }),
    },
    async analysedVariance(row, forecast) {
      const background = begin(forecast);
      analysis.linearise(background);
      backend.copy(row, increment);
      toControl(background);
      await solve();
      const [right, left] = [await backend.read(gradient), await backend.read(solution)];
      return right.reduce((sum, value, i) => sum + value * left[i], 0);
    },
  };
}
