/** P_HT in SIMD: the taper by lags and the columns that H touches first, then every row of cells. */
import { parameterBlock } from '../../compute/parameter-block.ts';
import { addressesOf, partsFor } from '../../compute/wasm/program.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';
import type { GainCovarianceFields, GainCovarianceParameters } from './reference.ts';

const GAIN_COVARIANCE = parameterBlock('GainCovariance', {
  nx: 'i32',
  ny: 'i32',
  periodicX: 'i32',
  periodicY: 'i32',
  variables: 'i32',
  members: 'i32',
  firstObservation: 'i32',
  observations: 'i32',
  reachX: 'i32',
  reachY: 'i32',
  /** Rows and reals of a row of the table of tapers. */
  tableRows: 'i32',
  tableWidth: 'i32',
  /** Touched columns of a part. */
  segment: 'i32',
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

/** Elements of a block and of a strip, as in gain-covariance.as.ts. */
const BLOCK = 8;
const STRIP = 64;
/** Touched columns of a part that lays out their anomalies. */
const SEGMENT = 256;

const prepare: WasmOperator<GainCovarianceParameters, GainCovarianceFields> = (builder, parameters) => {
  const { nx, ny, variables, members, firstObservation, observations, nonzeros, reachX, reachY } = parameters;
  const state = variables * nx * ny;
  const touched = Math.min(state, nonzeros);
  const tableRows = Math.min(ny, 2 * reachY + 1);
  const tableWidth = 2 * nx - 1 + BLOCK;
  const words = (name: string, length: number): number =>
    builder.words(`gain-covariance.${name}`, Math.max(1, length)).address;
  const reals = (name: string, length: number): number =>
    builder.reals(`gain-covariance.${name}`, Math.max(1, length)).address;
  const constants = {
    nx,
    ny,
    periodicX: Number(parameters.periodicX),
    periodicY: Number(parameters.periodicY),
    variables,
    members,
    firstObservation,
    observations,
    reachX,
    reachY,
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

export default prepare;
