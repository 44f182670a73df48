/** What the operators are prepared with, and the arrays they work on. */

export interface SurfaceElevationParameters {
  /** Cells of the grid, ny · nx. */
  readonly cells: number;
  /** Components of the state, from 1 on. */
  readonly variables: number;
}

/** `state` and `planes` are [variable][y][x] and two different fields, `bed` is [y][x], metres. */
export type SurfaceElevationFields = { readonly state: 'real'; readonly bed: 'real'; readonly planes: 'real' };

export interface StandardDeviationParameters {
  /** Elements of `deviation`; `variance` has at least as many. */
  readonly length: number;
}

export type StandardDeviationFields = { readonly variance: 'real'; readonly deviation: 'real' };
