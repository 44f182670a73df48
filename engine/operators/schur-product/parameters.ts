/** What the operator is prepared with, and the arrays it works on. */

export interface SchurProductParameters {
  /** k. */
  readonly members: number;
  /** Planes of a state. */
  readonly variables: number;
  /** Elements of a plane. */
  readonly cells: number;
  /** Apply the adjoint. */
  readonly transpose: boolean;
}

/**
 * `anomalies` is [members][variables][cells]. `input` is [members][cells] and `output` [variables][cells]; of the adjoint it is
 * the other way round.
 */
export const schurProductFields = { anomalies: 'real', input: 'real', output: 'real' } as const;
