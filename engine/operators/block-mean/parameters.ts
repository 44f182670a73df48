/** What the operator is prepared with, and the arrays it works on. */

export interface BlockMeanParameters {
  /** Cells of the coarse grid. */
  readonly nx: number;
  readonly ny: number;
  /** Components of the state, from 1 on. */
  readonly variables: number;
  /** Fine cells of a coarse one along each axis, from 1 on. */
  readonly factor: number;
}

/**
 * `fine` is [variable][ny·factor][nx·factor], `offset` is [ny][nx] and added to component 0, `coarse` is [variable][ny][nx],
 * written.
 */
export const blockMeanFields = { fine: 'real', offset: 'real', coarse: 'real' } as const;
