/** The minimisation in float64, composed of the references of its parts: the specification. */
import type { ArraysOf, RealArray } from '../../compute/backend.ts';
import { initialisation, iteration, PROGRESS, STATUS } from '../conjugate-gradient/index.ts';
import { bandProduct, eachLine, linesAlong } from '../convolution/index.ts';
import type { Band, Lines } from '../convolution/index.ts';
import { sparseAdjoint, sparseProduct } from '../observation/index.ts';

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

/** Multiplies every line by a band. */
function along(lines: Lines, band: Band) {
  return eachLine(lines, (lanes) => bandProduct(band, lanes));
}

export function referenceFilteredMinimisation(parameters: FilteredMinimisationParameters) {
  const { nx, ny, planes, rows, columns, nonzeros, bands, shift, tolerance, maxIterations } = parameters;
  const length = nx * ny * planes;
  const sparse = { rows, columns, nonzeros, batch: 1 };
  const starting = initialisation.implementations.reference({ length });
  const advancing = iteration.implementations.reference({ length, shift, tolerance, maxIterations });
  const multiplying = sparseProduct.implementations.reference(sparse);
  const [rowsOfCells, columnsOfCells] = [linesAlong(ny * planes, nx, 1), linesAlong(planes, ny, nx)];
  const [alongX, alongY] = [along(rowsOfCells, bands.x), along(columnsOfCells, bands.y)];
  const [adjointX, adjointY] = [along(rowsOfCells, bands.adjointX), along(columnsOfCells, bands.adjointY)];
  const adjoining = sparseAdjoint.implementations.reference(sparse);
  return (arrays: ArraysOf<typeof filteredMinimisationFields>): void => {
    const { indptr, indices, data, columnStart, entryRow, entryPosition } = arrays;
    const { rightHandSide, solution, history, progress } = arrays;
    const vector = (size: number): RealArray =>
      solution instanceof Float32Array ? new Float32Array(size) : new Float64Array(size);
    const [residual, direction, product, between] = [length, length, length, length].map(vector);
    const [filtered, observed] = [vector(columns), vector(rows)];
    const control = filtered.subarray(0, length);
    starting({ rightHandSide, solution, residual, direction, history, progress });
    for (let k = 0; k < maxIterations && progress[PROGRESS.status] === STATUS.running; k++) {
      alongX(direction, between);
      alongY(between, control);
      multiplying({ indptr, indices, data, input: filtered, output: observed });
      adjoining({ columnStart, entryRow, entryPosition, data, input: observed, output: filtered });
      adjointY(control, between);
      adjointX(between, product);
      // The planes beyond v's see nothing.
      filtered.fill(0, length);
      advancing({ product, solution, residual, direction, history, progress });
    }
  };
}
