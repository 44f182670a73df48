/** The scores in SIMD. */
import { parameterBlock } from '../../compute/wasm/parameter-block.ts';
import { partsFor } from '../../compute/wasm/program.ts';
import type { WasmBuilder, WasmOperator } from '../../compute/wasm/program.ts';
import type { CrpsFields, CrpsParameters, EnsembleScoresFields, EnsembleShape } from './parameters.ts';

const SCORES = parameterBlock('Scores', {
  members: 'i32',
  cells: 'i32',
  state: 'i32',
  segment: 'i32',
  segments: 'i32',
  scored: 'pointer',
  ensemble: 'pointer',
  truth: 'pointer',
  weight: 'pointer',
  sums: 'pointer',
});

/** Cells of a part; a multiple of four. */
const SEGMENT = 1024;

interface Arrays {
  readonly ensemble: Float32Array | Float64Array;
  readonly truth: Float32Array | Float64Array;
  readonly weight: Float32Array | Float64Array;
}

/** @returns two sums over the cells of each scored variable */
function prepareSums(
  builder: WasmBuilder,
  kernel: string,
  { members, variables, cells }: EnsembleShape,
  scored: readonly number[],
): (arrays: Arrays) => readonly (readonly [number, number])[] {
  const segments = partsFor(cells, SEGMENT);
  const parts = segments * scored.length;
  const sums = builder.doubles(`${kernel}.sums`, 2 * parts);
  const program = builder.program(
    kernel,
    SCORES,
    {
      members,
      cells,
      state: variables * cells,
      segment: SEGMENT,
      segments,
      scored: builder.wordTable(`${kernel}.scored`, scored),
      sums: sums.address,
    },
    16 * members,
  );
  return ({ ensemble, truth, weight }) => {
    program.set({ ensemble: ensemble.byteOffset, truth: truth.byteOffset, weight: weight.byteOffset });
    program.run(parts);
    const found = sums.view();
    return scored.map((_, row) => {
      let [first, second] = [0, 0];
      for (let part = row * segments; part < (row + 1) * segments; part++) {
        first += found[2 * part];
        second += found[2 * part + 1];
      }
      return [first, second];
    });
  };
}

export const ensembleScores: WasmOperator<EnsembleShape, EnsembleScoresFields> = (builder, shape) => {
  const all = Array.from({ length: shape.variables }, (_, variable) => variable);
  const sumsOf = prepareSums(builder, 'ensembleScores', shape, all);
  return ({ meanSquareError, meanVariance, ...arrays }) => {
    for (const [variable, [squares, variances]] of sumsOf(arrays).entries()) {
      meanSquareError[variable] = squares / shape.cells;
      meanVariance[variable] = variances / shape.cells;
    }
  };
};

export const crps: WasmOperator<CrpsParameters, CrpsFields> = (builder, { scored, ...shape }) => {
  const { members: k, cells } = shape;
  const sumsOf = prepareSums(builder, 'crps', shape, scored);
  return ({ score, ...arrays }) => {
    for (const [row, [distances, dispersions]] of sumsOf(arrays).entries()) {
      score[row] = (distances - dispersions / k) / (k * cells);
      score[scored.length + row] = (distances - dispersions / Math.max(1, k - 1)) / (k * cells);
    }
  };
};
