/**
 * Why an analysis is what it is: what can be asked of a method, and what it answers. Every kind of question is listed here once;
 * a method answers those that it has an answer to, by its own operators on the forecast that it analysed.
 *
 * K is the gain of the mean, δx = K d with the innovations d = y − mean H(x); P the background's covariance as the method uses it.
 */
import type { RealField } from '../compute/backend.ts';
import { QuestionError } from '../errors.ts';

/** A cell of the grid. */
export interface Cell {
  readonly x: number;
  readonly y: number;
}

/** A variable of a state, or a quantity of one, with its unit. */
export interface ExplainedVariable {
  readonly name: string;
  readonly unit: string;
}

/** Shares of the window that have passed, 0 at its beginning and 1 at its end, where analyses of other methods than 4D-Var are. */
export interface CovarianceTimes {
  /** When the state is taken. */
  readonly field: number;
  /** When the variable in the cell is taken. */
  readonly cell: number;
}

/** Both at the end of the window, as every method has them. */
export const AT_END: CovarianceTimes = { field: 1, cell: 1 };

/** One column of the background-error covariance as the method uses it: with its taper and its inflation. */
export interface CovarianceColumn {
  /** Cov(state, the variable in the cell), [variable][y][x]. */
  readonly values: Float64Array;
  /** Standard deviations of the background's errors, [variable][y][x], in the units of the state. */
  readonly deviations: Float64Array;
  /** That of the variable in the cell, at its own time. */
  readonly deviation: number;
  /** In the order of `values`, with their units. */
  readonly variables: readonly ExplainedVariable[];
  /** Index of the variable in the cell in both. */
  readonly element: number;
}

/** An observation that is asked about. */
export type AskedObservation =
  /** One of the cycle, counted from 0: as it was, or as if it had read something else or had another error. */
  | { readonly index: number; readonly value?: number | undefined; readonly errorStd?: number | undefined }
  /** One that there was not. */
  | {
      /** What is observed: `h`, `eta`, `u`, …. */
      readonly variable: string;
      /** Place in grid units. */
      readonly x: number;
      readonly y: number;
      readonly value: number;
      /** σₒ, above 0. */
      readonly errorStd: number;
    };

/** The observation that an answer is about. */
export interface ExplainedObservation {
  /** Index in the cycle; undefined for a hypothetical observation. */
  readonly index: number | undefined;
  readonly variable: string;
  readonly x: number;
  readonly y: number;
  readonly value: number;
  readonly errorStd: number;
}

/** The increment that one observation alone would make. */
export interface SingleObservationIncrement {
  readonly observation: ExplainedObservation;
  /** False where the method's quality control rejects it; the increment is 0 then. */
  readonly isUsed: boolean;
  /** Increment of the mean, [variable][y][x]. */
  readonly increment: Float64Array;
  readonly variables: readonly ExplainedVariable[];
}

/** What a method holds to be likely of what is observed, in the observation's unit. */
export interface ObservedDistribution {
  readonly mean: number;
  /** σ of the method's error; undefined where it states none. */
  readonly deviation: number | undefined;
  /** H(xᵢ); empty for a method with one state. */
  readonly members: Float64Array;
}

export interface ObservedPosterior extends ObservedDistribution {
  /** Share of the innovation that the mean takes over: undefined if there is no innovation. */
  readonly gain: number | undefined;
}

/** One number at a time: an observation between the method's forecast and its analysis. */
export interface ObservationExplanation {
  readonly observation: ExplainedObservation;
  /** Unit of what is observed. */
  readonly unit: string;
  /** False where the method's quality control rejects it. */
  readonly isUsed: boolean;
  /** The forecast, inflated as the method uses it. */
  readonly prior: ObservedDistribution;
  /** y − mean H(x), and the same over √(σ_b² + σₒ²); undefined where the method states no σ_b. */
  readonly innovation: number;
  readonly normalisedInnovation: number | undefined;
  /** After the analysis of this observation alone: the gain is its Kalman gain. */
  readonly alone: ObservedPosterior;
  /** After the analysis that the run has made, of all observations of the cycle: others pull as well. */
  readonly together: ObservedPosterior;
}

/**
 * A local ensemble transform, before relaxation, rotation and additive inflation: P̃ᵃ = [(k − 1) I/ρ + C Y]⁻¹ with C = Yᵀ R⁻¹ of the
 * localised R, W = [(k − 1) P̃ᵃ]^½. Matrices are row by row; they multiply the anomalies of the forecast.
 */
export interface EnsembleTransform {
  /** Where it is made: in the cell, or at the node nearest to it where weights are interpolated. */
  readonly place: Cell;
  /** Observations of the columns of C, by their number in the cycle. [ℓ] */
  readonly observations: Uint32Array;
  /** [k][ℓ], C */
  readonly observationWeights: Float64Array;
  /** [k][k], P̃ᵃ */
  readonly covariance: Float64Array;
  /** [k][k], W: symmetric */
  readonly root: Float64Array;
  /** Eigenvalues of I + ρ C Y/(k − 1), the largest first: 1 of a direction that the observations say nothing of. [k] */
  readonly eigenvalues: Float64Array;
}

/** How the mean of a local ensemble transform is made in one cell. */
export interface LocalWeights {
  /** x̄ᵃ = Σ wᵢ xᵢ in this cell, for every variable. Their sum is 1; each is 1/k where no observation is in reach. [k] */
  readonly weights: Float64Array;
  /** tr(H K) of the cell's own analysis, with the localised errors of its observations. */
  readonly degreesOfFreedom: number;
  /** The observations in reach that are used, by their number in the cycle, and the weight of each by its distance. */
  readonly observations: Uint32Array;
  readonly localisation: Float64Array;
  /** Factor of the forecast's covariance in the cell's analysis. */
  readonly inflation: number;
  readonly transform: EnsembleTransform;
}

/** Where the increment of one variable in one cell comes from. */
export interface Influence {
  /** K d by observation of the cycle, in the unit of the variable; 0 for those that have no part in it. [count] */
  readonly contributions: Float64Array;
  /**
   * The increment of the mean that the analysis has made there, to which the contributions sum: to rounding, and in 3D-Var to the
   * tolerance of its minimisation.
   */
  readonly increment: number;
  readonly unit: string;
}

/** tr(H K), of the whole analysis: by how many of its observations' worth the state is determined by them. */
export interface DegreesOfFreedom {
  readonly value: number;
  /** Standard error of a randomised trace; 0 if it is exact. */
  readonly standardError: number;
  /** Number of observations that are used. */
  readonly observations: number;
}

/** A minimisation of J by conjugate gradients as it went, from δx = 0 on. */
export interface MinimisationCourse {
  /** Carried out. */
  readonly iterations: number;
  /** Whether the residual fell to the tolerance. */
  readonly converged: boolean;
  /** J = J_b + J_o, J_b = ½ δxᵀB⁻¹δx, before the first iteration and after each. [iterations + 1] */
  readonly cost: Float64Array;
  readonly backgroundCost: Float64Array;
  readonly observationCost: Float64Array;
  /** ‖∇J‖ in control space over what it was at δx = 0. [iterations + 1] */
  readonly residual: Float64Array;
  /** After which iterations what follows was kept, ascending: after all from 1 on, or every second, fourth, … and the last. */
  readonly kept: Uint32Array;
  /** [kept][y][x] */
  readonly increments: Float32Array;
  /** Largest of their absolute values. */
  readonly largest: number;
  /** Ritz values after each of these, ascending: all that there are, or 64 of them, the lowest and the highest included. */
  readonly ritzValues: readonly Float64Array[];
}

/** How 3D-Var found its increment. */
export interface MinimisationExplanation {
  /** Variable whose increments are given. */
  readonly variable: ExplainedVariable;
  /** Residual at which a minimisation ends. */
  readonly tolerance: number;
  /** As the run carried it out, in control space: B^½ is its preconditioner. */
  readonly preconditioned: MinimisationCourse;
  /** The same J without it, from the same forecast to the same increment, as far as its iterations went. */
  readonly plain: MinimisationCourse;
}

/** By kind of question. */
export interface Explanations {
  readonly 'covariance-column': {
    readonly question: {
      /** Variable of the model's state. */
      readonly variable: string;
      readonly cell: Cell;
      /** For a method with a linearised model; both at the end of the window if omitted. */
      readonly times?: CovarianceTimes | undefined;
    };
    readonly answer: CovarianceColumn;
  };
  readonly 'single-observation': {
    readonly question: { readonly observation: AskedObservation };
    readonly answer: SingleObservationIncrement;
  };
  readonly observation: {
    readonly question: { readonly observation: AskedObservation };
    readonly answer: ObservationExplanation;
  };
  readonly weights: {
    readonly question: { readonly cell: Cell };
    readonly answer: LocalWeights;
  };
  readonly influence: {
    readonly question: { readonly variable: string; readonly cell: Cell };
    readonly answer: Influence;
  };
  readonly 'degrees-of-freedom': {
    // No more than the kind.
    readonly question: object;
    readonly answer: DegreesOfFreedom;
  };
  readonly minimisation: {
    readonly question: {
      /** Variable of the state whose increments are kept; default: the first. */
      readonly variable?: string | undefined;
      /** The most iterations of the minimisation without preconditioning: 1 to 1000, default 60. */
      readonly iterations?: number | undefined;
    };
    readonly answer: MinimisationExplanation;
  };
}

/** What can be asked about. */
export type ExplanationKind = keyof Explanations;

/** In the order in which they are explained. */
export const EXPLANATION_KINDS = [
  'covariance-column',
  'single-observation',
  'observation',
  'weights',
  'influence',
  'degrees-of-freedom',
  'minimisation',
] as const satisfies readonly ExplanationKind[];

/** Impact: cycles from an analysis to the forecast that is judged, at most. */
export const MOST_LEAD = 4;

/** A question of a kind, with what it is about. */
export type MethodQuestion<Kind extends ExplanationKind = ExplanationKind> = {
  readonly [Asked in Kind]: { readonly kind: Asked } & Explanations[Asked]['question'];
}[Kind];

/** The answer to a question of a kind. */
export type Explanation<Kind extends ExplanationKind = ExplanationKind> = Explanations[Kind]['answer'];

/** Kinds that a method answers out of its analysis; the others follow from an analysis of one observation by any method. */
export type AnalysisKind = Exclude<ExplanationKind, 'single-observation' | 'observation'>;

/**
 * @param forecast that the method's latest analysis began with, [members][variable][y][x]; left as it is
 * @returns undefined where a method has no answer to questions of that kind
 */
export type Explain = <Kind extends AnalysisKind>(
  question: MethodQuestion<Kind>,
  forecast: RealField,
) => Promise<Explanation<Kind> | undefined>;

/** By the kinds of question that a method answers. */
export type MethodAnswers = {
  readonly [Kind in AnalysisKind]?: (question: MethodQuestion<Kind>, forecast: RealField) => Promise<Explanation<Kind>>;
};

/** @returns a method's `explain` that has these answers, and none to other kinds of questions */
export function explainWith(answers: MethodAnswers): Explain {
  return <Kind extends AnalysisKind>(question: MethodQuestion<Kind>, forecast: RealField) => {
    const answer = answers[question.kind];
    return answer?.(question, forecast) ?? Promise.resolve(undefined);
  };
}

/**
 * @param from the first element of the state that is wanted @param to the one after the last
 * @returns a covariance column over the standard deviations: correlations, tapered where the covariance is, 0 if nothing varies
 */
export function correlationsOf(
  { values, deviations, deviation: own }: CovarianceColumn,
  from = 0,
  to = values.length,
): Float64Array {
  const correlations = new Float64Array(to - from);
  for (let i = from; i < to; i++) {
    if (own > 0 && deviations[i] > 0) correlations[i - from] = values[i] / (own * deviations[i]);
  }
  return correlations;
}

/** What explains places. */
export interface ExplainedModel {
  readonly grid: { readonly nx: number; readonly ny: number };
  readonly variables: readonly ExplainedVariable[];
}

/** @throws QuestionError where the grid has no such cell */
export function assertCell({ grid: { nx, ny } }: ExplainedModel, { x, y }: Cell): void {
  const isInside = Number.isInteger(x) && Number.isInteger(y) && x >= 0 && x < nx && y >= 0 && y < ny;
  if (!isInside) throw new QuestionError(`found the cell (${x}, ${y}), the grid has ${nx} × ${ny}`);
}

/** @throws QuestionError where the state has no such variable */
export function variableOf({ variables }: ExplainedModel, wanted: string): ExplainedVariable {
  const found = variables.find(({ name }) => name === wanted);
  if (found) return found;
  throw new QuestionError(
    `found the variable ${wanted}, the state has ${variables.map(({ name }) => name).join(', ')}`,
  );
}

/**
 * @returns where an element of a state begins, of a variable in a cell
 * @throws QuestionError if there is no such variable or cell
 */
export function elementOf(
  model: ExplainedModel,
  { variable, cell }: { readonly variable: string; readonly cell: Cell },
): number {
  const { variables, grid } = model;
  const index = variables.indexOf(variableOf(model, variable));
  assertCell(model, cell);
  return (index * grid.ny + cell.y) * grid.nx + cell.x;
}

/** @returns variables whose covariance with one of them is given, with the units of that: `m·m²/s` */
export function covariancesWith(model: ExplainedModel, variable: string): readonly ExplainedVariable[] {
  const own = variableOf(model, variable).unit;
  return model.variables.map(({ name, unit }) => ({ name, unit: `${unit}·${own}` }));
}
