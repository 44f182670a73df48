/**
 * Why an analysis is what it is: what can be asked of a method, and what it answers. Every kind of question is listed here once;
 * a method answers those that it has an answer to.
 */

/** A cell of the grid. */
interface Cell {
  readonly x: number;
  readonly y: number;
}

/** One column of the background-error covariance as the method uses it. */
export interface CovarianceColumn {
  /** Cov(state, the variable in the cell), [variable][y][x]. */
  readonly values: Float64Array;
  /** In the order of `values`. */
  readonly variables: readonly { readonly name: string; readonly unit: string }[];
}

/** By kind of question. */
export interface Explanations {
  readonly 'covariance-column': {
    readonly question: {
      /** Of the model's state. */
      readonly variable: string;
      readonly cell: Cell;
    };
    readonly answer: CovarianceColumn;
  };
}

export type ExplanationKind = keyof Explanations;

export type MethodQuestion<Kind extends ExplanationKind = ExplanationKind> = {
  readonly [Asked in Kind]: { readonly kind: Asked } & Explanations[Asked]['question'];
}[Kind];

export type Explanation<Kind extends ExplanationKind = ExplanationKind> = Explanations[Kind]['answer'];

/** @returns undefined where a method has no answer to questions of that kind */
export type Explain = <Kind extends ExplanationKind>(
  question: MethodQuestion<Kind>,
) => Promise<Explanation<Kind> | undefined>;

/** @param answers by the kinds of question that a method answers */
export function explainWith(answers: {
  readonly [Kind in ExplanationKind]?: (question: MethodQuestion<Kind>) => Promise<Explanation<Kind>>;
}): Explain {
  return <Kind extends ExplanationKind>(question: MethodQuestion<Kind>) => {
    const answer = answers[question.kind];
    return answer?.(question) ?? Promise.resolve(undefined);
  };
}

/**
 * @returns where an element of a state begins, of a variable in a cell
 * @throws RangeError where there is no such variable or cell
 */
export function elementOf(
  { variables, grid: { nx, ny } }: ExplainedModel,
  { variable, cell: { x, y } }: { readonly variable: string; readonly cell: Cell },
): number {
  const index = variables.findIndex(({ name }) => name === variable);
  if (index < 0) {
    throw new RangeError(
      `found the variable ${variable}, the state has ${variables.map(({ name }) => name).join(', ')}`,
    );
  }
  const isInside = Number.isInteger(x) && Number.isInteger(y) && x >= 0 && x < nx && y >= 0 && y < ny;
  if (!isInside) throw new RangeError(`found the cell (${x}, ${y}), the grid has ${nx} × ${ny}`);
  return (index * ny + y) * nx + x;
}

interface ExplainedModel {
  readonly grid: { readonly nx: number; readonly ny: number };
  readonly variables: readonly { readonly name: string; readonly unit: string }[];
}

/** @returns variables whose covariance with one of them is told, with the units of that: `m·m²/s` */
export function covariancesWith(
  { variables }: ExplainedModel,
  variable: string,
): readonly { readonly name: string; readonly unit: string }[] {
  const own = variables.find(({ name }) => name === variable)?.unit;
  return variables.map(({ name, unit }) => ({ name, unit: `${unit}·${own}` }));
}
