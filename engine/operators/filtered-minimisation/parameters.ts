/** What a whole minimisation is prepared with, and the arrays it works on. */
import type { Band } from '../convolution/index.ts';

/** F along both axes, and its adjoint, as banded matrices. */
export interface FilterBands {
  readonly x: Band;
  readonly y: Band;
  readonly adjointX: Band;
  readonly adjointY: Band;
}

export interface FilteredMinimisationParameters {
  readonly nx: number;
  readonly ny: number;
  /** Planes of v, [planes][ny][nx]. */
  readonly planes: number;
  /** Rows of G, and columns: those beyond the planes are not used. */
  readonly rows: number;
  readonly columns: number;
  /** Entries of G at most: enters the cost alone. */
  readonly nonzeros: number;
  readonly bands: FilterBands;
  /** The multiple of the identity in A. */
  readonly shift: number;
  /** ‖r‖/‖b‖ at which to stop. */
  readonly tolerance: number;
  /** Iterations that `history` has room for. */
  readonly maxIterations: number;
}

/** Shapes: `filteredMinimisation`. */
export const filteredMinimisationFields = {
  indptr: 'index',
  indices: 'index',
  data: 'real',
  columnStart: 'index',
  entryRow: 'index',
  entryPosition: 'index',
  rightHandSide: 'real',
  solution: 'real',
  history: 'real',
  progress: 'index',
} as const;
