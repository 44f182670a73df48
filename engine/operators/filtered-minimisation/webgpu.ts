/** The whole minimisation on the GPU: one dispatch of one workgroup. */
import reductionLibrary from '../../compute/webgpu/library/reduction.wgsl?raw';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import { uniformBlock } from '../../compute/parameter-block.ts';
import { LimitError } from '../../errors.ts';
import { historyCode } from '../conjugate-gradient/devices.ts';
import type { Band } from '../convolution/index.ts';
import kernel from './filtered-minimisation.wgsl?raw';
import type { FilterBands, filteredMinimisationFields, FilteredMinimisationParameters } from './reference.ts';

const STORAGE_BUFFERS = 12;

const PARAMETERS = uniformBlock('Parameters', {
  nx: 'u32',
  ny: 'u32',
  length: 'u32',
  rows: 'u32',
  columns: 'u32',
  maxIterations: 'u32',
  shift: 'f32',
  toleranceSquared: 'f32',
});

/** What the kernel knows of a band: where its rows begin in the table, and their shape. */
const BAND_WORDS = ['first', 'lower', 'width', 'left', 'right', 'periodic'] as const;

/** In the kernel's order. */
function inOrder({ x, y, adjointX, adjointY }: FilterBands): readonly Band[] {
  return [x, y, adjointY, adjointX];
}

/** Zeros before and after every row, as in the kernel. */
const PADDING = 3;

function rowsOf({ left, right }: Band): number {
  return left + 1 + right;
}

function pitchOf({ width }: Band): number {
  return width + 2 * PADDING;
}

/** Shapes, then the rows of all bands: whole numbers below 2²⁴ are exact in float32. */
function bandTable(bands: readonly Band[]): Float64Array {
  const shapes = bands.length * BAND_WORDS.length;
  const table = new Float64Array(bands.reduce((length, band) => length + rowsOf(band) * pitchOf(band), shapes));
  let first = shapes;
  bands.forEach((band, index) => {
    const described = { ...band, first, periodic: Number(band.periodic) };
    table.set(
      BAND_WORDS.map((name) => described[name]),
      index * BAND_WORDS.length,
    );
    for (let row = 0; row < rowsOf(band); row++) {
      table.set(band.rows.subarray(row * band.width, (row + 1) * band.width), first + row * pitchOf(band) + PADDING);
    }
    first += rowsOf(band) * pitchOf(band);
  });
  return table;
}

const prepare: WebGpuOperator<FilteredMinimisationParameters, typeof filteredMinimisationFields> = async (
  builder,
  { nx, ny, planes, rows, columns, bands, shift, tolerance, maxIterations },
) => {
  const allowed = builder.limits.maxStorageBuffersPerShaderStage;
  if (allowed < STORAGE_BUFFERS) {
    throw new LimitError(
      `filtered-minimisation needs ${STORAGE_BUFFERS} storage buffers, the device allows ${allowed}; minimise step by step`,
    );
  }
  const program = await builder.program({
    label: 'filtered-minimisation.all',
    code: [reductionLibrary, historyCode.layout, PARAMETERS.wgsl, historyCode.record, kernel],
    bindings: ['uniform', ...Array<'read'>(8).fill('read'), ...Array<'write'>(4).fill('write')],
  });
  const length = nx * ny * planes;
  const uniform = builder.uniform('parameters', PARAMETERS, {
    nx,
    ny,
    length,
    rows,
    columns,
    maxIterations,
    shift,
    toleranceSquared: tolerance * tolerance,
  });
  const table = builder.table('bands', 'real', bandTable(inOrder(bands)));
  // Direction, residual, product, between the axes; the filtered state; the observations.
  const work = builder.scratch('work', 'real', 4 * length + columns + rows);
  return (recorder, fields) => {
    const { indptr, indices, data, columnStart, entryRow, entryPosition } = fields;
    const { rightHandSide, solution, history, progress } = fields;
    const matrix = [indptr, indices, data, columnStart, entryRow, entryPosition];
    recorder.dispatch(program, [uniform, table, ...matrix, rightHandSide, solution, work, history, progress], [1]);
  };
};

export default prepare;
