/**
 * A state on a grid of fewer cells: of each coarse cell the mean of the fine cells in it, so that what they hold together is the
 * same on both grids. An offset is added to component 0 afterwards, where one grid's states have a depth there and the other's
 * the elevation of the surface.
 */
import { kernelOperator } from '../../compute/define-operator.ts';
import { parameterBlock, type ScalarsOf } from '../../compute/parameter-block.ts';
import { partsFor } from '../../compute/wasm/program.ts';

const block = parameterBlock('BlockMean', {
  /** Cells of the coarse grid. */
  nx: 'count',
  ny: 'count',
  /** Components of the state. */
  variables: 'count',
  /** Fine cells of a coarse one along each axis. */
  factor: 'count',
  /** Coarse rows of a part. */
  rows: 'part',
  /** [variable][ny·factor][nx·factor] */
  fine: 'read real',
  /** [ny][nx], added to component 0. */
  offset: 'read real',
  /** [variable][ny][nx] */
  coarse: 'write real',
});

export type BlockMeanParameters = ScalarsOf<typeof block.members>;

/** Fine cells of a part, about. */
const PART_CELLS = 16_384;

function rowsOfPart({ nx, factor }: BlockMeanParameters): number {
  return Math.max(1, Math.floor(PART_CELLS / (nx * factor ** 2)));
}

/** Cost: reads each fine cell and the offset once, writes each coarse cell once; one addition a fine cell. */
export const blockMean = kernelOperator({
  name: 'block-mean',
  block,
  cost: ({ nx, ny, variables, factor }, elementBytes) => {
    const coarse = variables * nx * ny;
    return { bytes: elementBytes * (coarse * (factor ** 2 + 1) + nx * ny), flops: coarse * (factor ** 2 + 1) };
  },
  reference: ({ nx, ny, variables, factor }) => {
    const cells = nx * ny;
    const along = nx * factor;
    return ({ fine, offset, coarse }) => {
      for (let v = 0; v < variables; v++) {
        for (let cell = 0; cell < cells; cell++) {
          const corner = v * cells * factor ** 2 + Math.floor(cell / nx) * factor * along + (cell % nx) * factor;
          let sum = 0;
          for (let j = 0; j < factor; j++) for (let i = 0; i < factor; i++) sum += fine[corner + j * along + i];
          coarse[v * cells + cell] = sum / factor ** 2 + (v === 0 ? offset[cell] : 0);
        }
      }
    };
  },
  wasm: (parameters) => {
    const rows = rowsOfPart(parameters);
    return { kernel: 'blockMean', parts: partsFor(parameters.variables * parameters.ny, rows), rows };
  },
  webgpu: { code: () => [import('./block-mean.wgsl?raw')], items: ({ nx, ny, variables }) => variables * nx * ny },
});

/** The same of fields on the host, [variable][ny·factor][nx·factor], with nothing added. */
export function meanOverBlocks(fine: Float64Array, parameters: BlockMeanParameters): Float64Array {
  const { nx, ny, variables } = parameters;
  const run = blockMean.implementations.reference(parameters);
  const coarse = new Float64Array(variables * nx * ny);
  run({ fine, offset: new Float64Array(nx * ny), coarse });
  return coarse;
}
