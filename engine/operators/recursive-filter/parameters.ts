/** What the filter is prepared with, and the arrays it works on. */

/** At the ends: the filter's end conditions, or the field again, where the symbol above holds at every point. */
type FilterBoundary = 'free' | 'periodic';

export interface RecursiveFilterParameters {
  /** Each field is [ny, nx], x fastest. ny = 1 is a signal: it is filtered along x alone, whatever sigmaY is. */
  readonly nx: number;
  readonly ny: number;
  /** Number of fields, one after another. */
  readonly batch: number;
  /** Grid points; 0 filters nothing along that axis. */
  readonly sigmaX: number;
  readonly sigmaY: number;
  /** K, at least 1. */
  readonly iterations: number;
  /** `auto` takes the cheaper one. Periodic axes are always filtered by FIR, decomposed ones by sweeps. */
  readonly form: 'sweeps' | 'fir' | 'auto';
  /** Apply the adjoint. */
  readonly transpose: boolean;
  readonly boundaryX: FilterBoundary;
  readonly boundaryY: FilterBoundary;
  /**
   * Overlapping domain decomposition, Algorithm 2 of [rf-gpu], along x: every row is cut into `blocks`, the first nx mod
   * blocks of them a point longer, each is extended by `overlap` points on both sides (zeros outside the row) and filtered
   * by itself, and the extensions are dropped. An approximation; the paper takes overlap = 2.5σ.
   */
  readonly decomposition?: { readonly blocks: number; readonly overlap: number };
}

/** Both of batch · ny · nx elements, and not the same field. */
export type RecursiveFilterFields = { readonly input: 'real'; readonly output: 'real' };
