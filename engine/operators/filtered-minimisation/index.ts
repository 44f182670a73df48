/**
 * All iterations of conjugate gradients for A v = b, A = shift·I + Fᵀ Gᵀ G F, at once, where v is so short that starting a kernel
 * takes longer than what it does:
 *
 *   F = F_y ⊗ F_x, banded matrices along the axes of each plane of v;   G sparse, R^−½ H with what multiplies the state.
 *
 * `rightHandSide` and `solution` are `[planes][ny][nx]`; `indptr`, `indices`, `data` are G's rows and `columnStart`, `entryRow`,
 * `entryPosition` its columns (`transposeStructure`); `history` and `progress` as conjugate gradients leave them
 * (conjugate-gradient/parameters.ts), with the same formulas and the same reasons to stop.
 */
import type { Cost, ArraysOf, RealArray } from '../../compute/backend.ts';
import { defineOperator } from '../../compute/define-operator.ts';
import { uniformBlock } from '../../compute/parameter-block.ts';
import reductionLibrary from '../../compute/webgpu/library/vector-reduction.wgsl?raw';
import { partsOf, repeated, type WebGpuOperator } from '../../compute/webgpu/program.ts';
import { LimitError } from '../../errors.ts';
import { historyCode, initialisation, iteration, PROGRESS, STATUS } from '../conjugate-gradient/index.ts';
import { bandProduct, eachLine, linesAlong, rowIndex, type Band, type Lines } from '../convolution/index.ts';
import { sparseAdjoint, sparseProduct } from '../observation/index.ts';
import source from './filtered-minimisation.wgsl?raw';

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

function referenceFilteredMinimisation(parameters: FilteredMinimisationParameters) {
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

/** Cost of one iteration: four bands, twice G, and twelve passes over v. How many there are is known on the device alone. */
function cost({ nx, ny, planes, nonzeros, bands }: FilteredMinimisationParameters, bytes: number): Cost {
  const length = nx * ny * planes;
  const taps = bands.x.width + bands.y.width + bands.adjointX.width + bands.adjointY.width;
  return {
    bytes: 2 * length * bytes + nonzeros * (8 + 2 * bytes),
    flops: 2 * taps * length + 4 * nonzeros + 12 * length,
  };
}

export const filteredMinimisation = defineOperator<FilteredMinimisationParameters, typeof filteredMinimisationFields>({
  name: 'filtered-minimisation',
  fields: filteredMinimisationFields,
  cost,
  reference: referenceFilteredMinimisation,
  webgpu: async () => filteredMinimisationWebGpu,
});

/**
 * Elements of v up to which one workgroup does. On an H200 an iteration takes 18 µs of the device at 64², about 60 µs step by step,
 * and the host waits once less; a larger v keeps more workgroups than one at work.
 */
const LONGEST = 4096;
/** Iterations up to which one dispatch lasts no longer than a frame. */
const MOST_ITERATIONS = 256;

/** Whether a minimisation is small enough to be done at once. */
export function isShort({
  nx,
  ny,
  planes,
  maxIterations,
}: Pick<FilteredMinimisationParameters, 'nx' | 'ny' | 'planes' | 'maxIterations'>): boolean {
  return nx * ny * planes <= LONGEST && maxIterations <= MOST_ITERATIONS;
}

const STORAGE_BUFFERS = 12;

const PARAMETERS = uniformBlock('Parameters', {
  nx: 'u32',
  ny: 'u32',
  planes: 'u32',
  /** Vectors from a column to the next across rows, and from a row to the next along rows; where the latter begin. */
  acrossPitch: 'u32',
  alongPitch: 'u32',
  alongStart: 'u32',
  length: 'u32',
  rows: 'u32',
  /** Where the values at the rows of G are in `work`. */
  observed: 'u32',
  maxIterations: 'u32',
  shift: 'f32',
  toleranceSquared: 'f32',
});

/** Points and lines of an invocation. */
const QUAD = 4;

/** In the kernel's order. */
function inOrder({ x, y, adjointX, adjointY }: FilterBands): readonly Band[] {
  return [x, y, adjointY, adjointX];
}

/** What the kernel knows of a band: `Band` there, and the vectors of weights that belong to it. */
function quadsOf(band: Band, first: number) {
  const { length, lower, width, periodic, left, right, rows } = band;
  const quads = Math.ceil(length / QUAD);
  const taps = width + QUAD - 1;
  // Quads of nothing but points that have the common row.
  const before = Math.ceil(left / QUAD);
  const after = Math.floor((length - right) / QUAD);
  const [middle, end] = before < after ? [before, after] : [quads, quads];
  const distinct = Array.from({ length: quads }, (_, quad) => quad).filter((quad) => quad <= middle || quad >= end);
  const weights = new Float64Array(distinct.length * taps * QUAD);
  distinct.forEach((quad, row) => {
    for (let k = 0; k < QUAD && QUAD * quad + k < length; k++) {
      const own = rowIndex(band, QUAD * quad + k) * width;
      // Of column j = 4·quad − lower + q the weight for point 4·quad + k is number q − k of its row.
      for (let q = 0; q < width; q++) weights[(row * taps + q + k) * QUAD + k] = rows[own + q];
    }
  });
  const shape = [first, lower, taps, middle, end, Number(periodic), 0, 0];
  return { shape, weights, vectors: distinct.length * taps };
}

/** Shapes, then the weights of all bands: whole numbers below 2²⁴ are exact in float32. */
function bandTable(bands: readonly Band[]): Float64Array {
  let first = 2 * bands.length;
  const found = bands.map((band) => {
    const quads = quadsOf(band, first);
    first += quads.vectors;
    return quads;
  });
  const table = new Float64Array(QUAD * first);
  found.forEach(({ shape, weights }, index) => {
    table.set(shape, 2 * QUAD * index);
    table.set(weights, QUAD * shape[0]);
  });
  return table;
}

const part = partsOf(source);
/** Invocations of the workgroup. */
const LANES = 256;
/** What sums within the workgroup take of its memory, and its other variables, bytes. */
const OTHER_WORKGROUP_BYTES = 4352;

/** The whole minimisation on the GPU: one dispatch of one workgroup. */
const filteredMinimisationWebGpu: WebGpuOperator<
  FilteredMinimisationParameters,
  typeof filteredMinimisationFields
> = async (builder, { nx, ny, planes, rows, bands, shift, tolerance, maxIterations }) => {
  const allowed = builder.limits.maxStorageBuffersPerShaderStage;
  if (allowed < STORAGE_BUFFERS) {
    throw new LimitError(
      `filtered-minimisation needs ${STORAGE_BUFFERS} storage buffers, the device allows ${allowed}; minimise step by step`,
    );
  }
  const length = nx * ny * planes;
  // An odd number of vectors: neighbours are in different banks of the memory.
  const [acrossPitch, alongPitch] = [ny, nx].map(
    (cells) => Math.ceil(cells / QUAD) + 1 - (Math.ceil(cells / QUAD) % 2),
  );
  const alongStart = planes * nx * acrossPitch;
  /** Vectors of both planes. */
  const room = alongStart + planes * ny * alongPitch;
  const isInside = 4 * QUAD * room + OTHER_WORKGROUP_BYTES <= builder.limits.maxComputeWorkgroupStorageSize;
  const program = await builder.program({
    label: 'filtered-minimisation.all',
    code: [
      reductionLibrary,
      historyCode.layout,
      PARAMETERS.wgsl,
      historyCode.record,
      part(isInside ? 'in-workgroup-memory' : 'in-storage'),
      repeated(part('minimisation'), Math.ceil(length / LANES)),
    ],
    constants: { ROOM: room },
    bindings: ['uniform', ...Array<'read'>(8).fill('read'), ...Array<'write'>(4).fill('write')],
  });
  const observed = isInside ? 0 : QUAD * room;
  const uniform = builder.uniform('parameters', PARAMETERS, {
    nx,
    ny,
    planes,
    acrossPitch,
    alongPitch,
    alongStart,
    length,
    rows,
    observed,
    maxIterations,
    shift,
    toleranceSquared: tolerance * tolerance,
  });
  const table = builder.table('bands', 'real', bandTable(inOrder(bands)));
  // The planes if they are not in the workgroup's memory, and what is observed.
  const work = builder.scratch('work', 'real', observed + rows);
  return (recorder, fields) => {
    const { indptr, indices, data, columnStart, entryRow, entryPosition } = fields;
    const { rightHandSide, solution, history, progress } = fields;
    const matrix = [indptr, indices, data, columnStart, entryRow, entryPosition];
    recorder.dispatch(program, [uniform, table, ...matrix, rightHandSide, solution, work, history, progress], [1]);
  };
};
