/**
 * P Hᵀ of the stochastic EnKF with a tapered sample covariance [gain-gpu, evensen1994]:
 *
 *   P_HT = (C ∘ (e eᵀ)) Hᵀ / (L − 1)
 *
 * e holds the L anomalies of the ensemble, C the taper (symmetric, block Toeplitz with Toeplitz blocks, so that its first row
 * determines it), H the observation operator in compressed rows. No n × n array is formed: only the columns that H touches
 * are sampled, of those only the rows in reach of the taper, and Hᵀ is applied in the same sum,
 *
 *   P_HT[i, j] = Σ_l e[i, l] · Σ_(nonzeros of row j) h · C(i, column) · e[column, l] / (L − 1).
 *
 * Every element has one owner, so that each run gives the same bits.
 */
import type { ArraysOf } from '../../compute/backend.ts';
import { defineOperator, sampled } from '../../compute/define-operator.ts';
import { uniformBlock, parameterBlock } from '../../compute/parameter-block.ts';
import { addressesOf, partsFor, type WasmOperator } from '../../compute/wasm/program.ts';
import indexLibrary from '../../compute/webgpu/library/index.wgsl?raw';
import { workgroupsFor, partsOf, type WebGpuOperator } from '../../compute/webgpu/program.ts';
import source from './gain-covariance.wgsl?raw';

export interface GainCovarianceParameters {
  readonly nx: number;
  readonly ny: number;
  readonly periodicX: boolean;
  readonly periodicY: boolean;
  /** V: the state has n = V·ny·nx elements. The taper acts on the lag in space alone, also between variables. */
  readonly variables: number;
  /** L, at least 2. */
  readonly members: number;
  /** Row of H from which on this run makes columns of P_HT. */
  readonly firstObservation: number;
  /** Columns that this run makes. */
  readonly observations: number;
  /** Stored entries in these rows of H, at most: size of the work space, nonzeros · L reals. */
  readonly nonzeros: number;
  /** Largest distance along x and y (the shorter way round where periodic) with a taper other than 0, in grid points. */
  readonly reachX: number;
  readonly reachY: number;
}

export const gainCovarianceFields = {
  /** [L][V][ny][nx], the mean already removed. */
  anomalies: 'real',
  /** [ny][nx]: C between (y₁, x₁) and (y₂, x₂) is `taperRow[|y₁ − y₂|·nx + |x₁ − x₂|]`. */
  taperRow: 'real',
  /** H in compressed rows: entries of row j are `indptr[j]` … `indptr[j + 1]`; columns are state elements. */
  indptr: 'index',
  indices: 'index',
  data: 'real',
  /**
   * [observations][n], P_HT transposed: lanes run along the state, so that it is written, and read by H and by the
   * increment, in runs of neighbours. Written whole, with 0 out of reach.
   */
  output: 'real',
} as const;

/** P_HT by its formula, a nonzero of H after the other, over the rows in reach. */
function gainCovarianceReference({
  nx,
  ny,
  periodicX,
  periodicY,
  variables,
  members,
  firstObservation,
  observations,
  reachX,
  reachY,
}: GainCovarianceParameters): (arrays: ArraysOf<typeof gainCovarianceFields>) => void {
  const cells = nx * ny;
  const state = variables * cells;
  const rowsInReach = neighbours(ny, reachY, periodicY);
  const columnsInReach = neighbours(nx, reachX, periodicX);
  return ({ anomalies: e, taperRow, indptr, indices, data, output }) => {
    output.fill(0);
    for (let j = 0; j < observations; j++) {
      const row = firstObservation + j;
      for (let entry = indptr[row]; entry < indptr[row + 1]; entry++) {
        const column = indices[entry];
        const h = data[entry] / (members - 1);
        const cellX = column % nx;
        const cellY = Math.floor((column % cells) / nx);
        for (let v = 0; v < variables; v++) {
          for (const y of rowsInReach(cellY)) {
            for (const x of columnsInReach(cellX)) {
              const i = v * cells + y * nx + x;
              const c = taperRow[Math.abs(y - cellY) * nx + Math.abs(x - cellX)];
              let product = 0;
              for (let l = 0; l < members; l++) product += e[l * state + i] * e[l * state + column];
              output[j * state + i] += h * c * product;
            }
          }
        }
      }
    }
  };
}

/** Lists, made once, of the indices within `reach` of each index. */
function neighbours(size: number, reach: number, periodic: boolean): (centre: number) => readonly number[] {
  const indices = Array.from({ length: size }, (_, index) => index);
  const lists = indices.map((centre) =>
    indices.filter((index) => {
      const lag = Math.abs(index - centre);
      return lag <= reach || (periodic && size - lag <= reach);
    }),
  );
  return (centre) => lists[centre];
}

/** Cells in reach of one cell. */
function cellsInReach({ nx, ny, reachX, reachY }: GainCovarianceParameters): number {
  return Math.min(nx, 2 * reachX + 1) * Math.min(ny, 2 * reachY + 1);
}

/** Columns of P_HT. Cost: 2(L + 1) operations for each nonzero of H and element in reach of it. */
export const gainCovariance = defineOperator<GainCovarianceParameters, typeof gainCovarianceFields>({
  name: 'gain-covariance',
  parameters: { members: sampled },
  fields: gainCovarianceFields,
  cost: (parameters, elementBytes) => {
    const { nx, ny, variables, members, observations, nonzeros } = parameters;
    const state = variables * ny * nx;
    return {
      bytes:
        elementBytes * (members * state + ny * nx + observations * state + nonzeros) +
        4 * (nonzeros + observations + 1),
      flops: 2 * (members + 1) * nonzeros * variables * cellsInReach(parameters),
    };
  },
  reference: gainCovarianceReference,
  wasm: async () => gainCovarianceWasm,
  webgpu: async () => gainCovarianceWebGpu,
});

const part = partsOf(source);

const GAIN_COVARIANCE = parameterBlock('GainCovariance', {
  nx: 'u32',
  ny: 'u32',
  periodicX: 'flag',
  periodicY: 'flag',
  variables: 'u32',
  members: 'u32',
  firstObservation: 'u32',
  observations: 'part',
  reachX: 'u32',
  reachY: 'u32',
  /** On a GPU: members filled up to a multiple of 16. */
  stride: 'u32',
  /** Rows and reals of a row of the table of tapers. */
  tableRows: 'part',
  tableWidth: 'part',
  /** Touched columns of a part. */
  segment: 'part',
  anomalies: 'pointer',
  taperRow: 'pointer',
  indptr: 'pointer',
  indices: 'pointer',
  data: 'pointer',
  output: 'pointer',
  /** [tableRows][tableWidth]: the taper by the lag −(nx − 1) … nx − 1 along x, zeros after. */
  tapers: 'pointer',
  /** [tableRows]: the largest lag along x, the shorter way round, with a taper other than 0; −1 if there is none. */
  widths: 'pointer',
  /** [state + 1]: how many touched columns are before each element. */
  touchedBefore: 'pointer',
  /** The element of each touched column, and its x. */
  element: 'pointer',
  columnX: 'pointer',
  /** [touched + 1]: how many entries of H are before those of each touched column. */
  entriesBefore: 'pointer',
  /** The entries, column by column: the observation's place in the work space, bytes, and h. */
  entries: 'pointer',
  /** [touched][L]: anomalies over L − 1. */
  columns: 'pointer',
});

function numbersOf(parameters: GainCovarianceParameters) {
  const { nx, ny, periodicX, periodicY, variables, members, firstObservation, reachX, reachY } = parameters;
  return { nx, ny, periodicX, periodicY, variables, members, firstObservation, reachX, reachY };
}

/** Elements of a block and of a strip, as in gain-covariance.as.ts. */
const BLOCK = 8;
const STRIP = 64;
/** Touched columns of a part that lays out their anomalies. */
const SEGMENT = 256;

/** P_HT in SIMD: the taper by lags and the columns that H touches first, then every row of cells. */
const gainCovarianceWasm: WasmOperator<GainCovarianceParameters, typeof gainCovarianceFields> = (
  builder,
  parameters,
) => {
  const { nx, ny, variables, members, observations, nonzeros, reachY } = parameters;
  const state = variables * nx * ny;
  const touched = Math.min(state, nonzeros);
  const tableRows = Math.min(ny, 2 * reachY + 1);
  const tableWidth = 2 * nx - 1 + BLOCK;
  const words = (name: string, length: number): number =>
    builder.words(`gain-covariance.${name}`, Math.max(1, length)).address;
  const reals = (name: string, length: number): number =>
    builder.reals(`gain-covariance.${name}`, Math.max(1, length)).address;
  const constants = {
    ...numbersOf(parameters),
    observations,
    tableRows,
    tableWidth,
    segment: SEGMENT,
    tapers: reals('tapers', tableRows * tableWidth),
    widths: words('widths', tableRows),
    touchedBefore: words('touched-before', state + 1),
    element: words('element', touched),
    columnX: words('column-x', touched),
    entriesBefore: words('entries-before', touched + 1),
    entries: words('entries', 2 * nonzeros),
    columns: reals('columns', touched * members),
  };
  // For each observation a strip and a mark, and for each member a block.
  const scratchBytes = 4 * (STRIP * observations + observations + 4 + BLOCK * members);
  const [tapers, columns, anomalies] = ['gainTapers', 'gainColumns', 'gainAnomalies'].map((kernel) =>
    builder.program(kernel, GAIN_COVARIANCE, constants),
  );
  const product = builder.program('gainCovariance', GAIN_COVARIANCE, constants, scratchBytes);
  const inOrder = [
    { program: tapers, parts: tableRows },
    { program: columns, parts: 1 },
    { program: anomalies, parts: partsFor(touched, SEGMENT) },
    { program: product, parts: variables * ny },
  ];
  return (arrays) => {
    const places = addressesOf(arrays);
    for (const { program, parts } of inOrder) {
      program.set(places);
      program.run(parts);
    }
  };
};

const COLUMNS_PARAMETERS = uniformBlock('Parameters', {
  state: 'u32',
  members: 'u32',
  /** Members filled up to a multiple of 16. */
  stride: 'u32',
  firstObservation: 'u32',
  observations: 'u32',
  nonzeros: 'u32',
});

const ZEROS_PARAMETERS = uniformBlock('Parameters', { length: 'u32' });
/** Elements that a workgroup makes 0. */
const ZEROS_ELEMENTS = 4096;

/** Cells along each side of a workgroup's tile. */
const TILE = 16;
/** So many are enough for the largest device; if there are more tiles, a workgroup takes several. */
const ENOUGH_WORKGROUPS = 4096;
/** Quads of cells in a tile. */
const QUADS = 64;
/** Members that an invocation has of its cells, and invocations at most for the same cells. */
const GROUP_MEMBERS = 16;
const MOST_GROUPS = 4;

const gainCovarianceWebGpu: WebGpuOperator<GainCovarianceParameters, typeof gainCovarianceFields> = async (
  builder,
  parameters,
) => {
  const { nx, ny, variables, members, firstObservation, observations, nonzeros } = parameters;
  const stride = Math.ceil(members / GROUP_MEMBERS) * GROUP_MEMBERS;
  const groups = Math.min(MOST_GROUPS, stride / GROUP_MEMBERS);
  const [zerosProgram, columnsProgram, productProgram] = await Promise.all([
    builder.program({
      label: 'gain-covariance.zeros',
      code: [ZEROS_PARAMETERS.wgsl, part('zeros')],
      bindings: ['uniform', 'write'],
    }),
    builder.program({
      label: 'gain-covariance.observed-columns',
      code: [indexLibrary, COLUMNS_PARAMETERS.wgsl, part('observed-columns')],
      bindings: ['uniform', 'read', 'read', 'read', 'read', 'write'],
    }),
    builder.program({
      label: 'gain-covariance.product',
      code: [GAIN_COVARIANCE.wgsl, part('gain-covariance')],
      constants: { GROUPS: groups, LANES: QUADS * groups },
      bindings: ['uniform', 'read', 'read', 'read', 'read', 'read', 'write'],
    }),
  ]);
  const state = variables * ny * nx;
  const columns = builder.scratch('columns', 'real', Math.max(1, nonzeros) * stride);
  const length = observations * state;
  const zerosUniform = builder.uniform('zeros-parameters', ZEROS_PARAMETERS, { length });
  const columnsUniform = builder.uniform('columns-parameters', COLUMNS_PARAMETERS, {
    state,
    members,
    stride,
    firstObservation,
    observations,
    nonzeros,
  });
  const productUniform = builder.uniform('product-parameters', GAIN_COVARIANCE, { ...numbersOf(parameters), stride });
  const gather = workgroupsFor(Math.max(1, nonzeros) * stride, 256);
  const tiles = Math.ceil(nx / TILE) * Math.ceil(ny / TILE);
  const shares = Math.min(tiles, Math.ceil(ENOUGH_WORKGROUPS / (variables * observations)));
  const workgroups = [shares, variables, observations] as const;
  return (recorder, { anomalies, taperRow, indptr, indices, data, output }) => {
    recorder.dispatch(zerosProgram, [zerosUniform, output], workgroupsFor(length, ZEROS_ELEMENTS));
    recorder.dispatch(columnsProgram, [columnsUniform, anomalies, indptr, indices, data, columns], gather);
    recorder.dispatch(
      productProgram,
      [productUniform, anomalies, taperRow, indptr, indices, columns, output],
      workgroups,
    );
  };
};
