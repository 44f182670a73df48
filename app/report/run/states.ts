/** States of a run at some of its cycles, for maps and spectra. */

/** A plane of the basin, [y][x]. */
export type Plane = Float32Array;

export interface MethodState {
  readonly label: string;
  /** Surface height η of its mean, m, before the analysis, where it is stored, and after it. */
  readonly forecast: Plane | undefined;
  readonly analysis: Plane;
  /** Standard deviation of η over the members, m; undefined of a single state. */
  readonly spread: Plane | undefined;
}

export interface CycleState {
  readonly cycle: number;
  /** Surface height of the truth, m. */
  readonly truth: Plane;
  /** Without those that had diverged. */
  readonly methods: readonly MethodState[];
  /** Places of the observations in cells, where they are stored. */
  readonly observed: { readonly x: ArrayLike<number>; readonly y: ArrayLike<number> } | undefined;
}

export interface StoredStates {
  /** Whether they are the states of chosen cycles, or that of the last checkpoint alone. */
  readonly origin: 'fields' | 'checkpoint';
  /** By ascending cycle. */
  readonly states: readonly CycleState[];
}
