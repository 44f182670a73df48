/** The statistics in SIMD. */
import { parameterBlock } from '../../compute/parameter-block.ts';
import { addressesOf, onFields, partsFor } from '../../compute/wasm/program.ts';
import type { WasmBuilder, WasmOperator } from '../../compute/wasm/program.ts';
import type {
  CrpsFields,
  CrpsParameters,
  EnsembleScoresFields,
  EnsembleShape,
  RankHistogramFields,
  RankHistogramParameters,
  WetCellsFields,
  WetCellsParameters,
} from './parameters.ts';

const SCORES = parameterBlock('Scores', {
  members: 'i32',
  cells: 'i32',
  /** Elements from one member to the next. */
  state: 'i32',
  /** Cells of a part, and parts of a variable. */
  segment: 'i32',
  segments: 'i32',
  /** The variable of each row of parts. */
  scored: 'pointer',
  ensemble: 'pointer',
  truth: 'pointer',
  weight: 'pointer',
  /** Five float64 a part of `ensembleScores`, two of `crps`. */
  sums: 'pointer',
});

/** Cells of a part; a multiple of four. */
const SCORES_SEGMENT = 1024;

interface Arrays {
  readonly ensemble: Float32Array | Float64Array;
  readonly truth: Float32Array | Float64Array;
  readonly weight: Float32Array | Float64Array;
}

interface SumsOf extends EnsembleShape {
  readonly kernel: string;
  readonly scored: readonly number[];
  /** Sums of a part. */
  readonly width: number;
  readonly scratchBytes: number;
}

/** @returns for each scored variable the sums of each of its parts */
function prepareSums(
  builder: WasmBuilder,
  { kernel, members, variables, cells, scored, width, scratchBytes }: SumsOf,
): (arrays: Arrays) => readonly (readonly Float64Array[])[] {
  const segments = partsFor(cells, SCORES_SEGMENT);
  const parts = segments * scored.length;
  const sums = builder.doubles(`${kernel}.sums`, width * parts);
  const program = builder.program(
    kernel,
    SCORES,
    {
      members,
      cells,
      state: variables * cells,
      segment: SCORES_SEGMENT,
      segments,
      scored: builder.wordTable(`${kernel}.scored`, scored),
      sums: sums.address,
    },
    scratchBytes,
  );
  return ({ ensemble, truth, weight }) => {
    program.set(addressesOf({ ensemble, truth, weight }));
    program.run(parts);
    const found = sums.view();
    return scored.map((_, row) =>
      Array.from({ length: segments }, (__, segment) => {
        const from = (row * segments + segment) * width;
        return found.subarray(from, from + width);
      }),
    );
  };
}

function sumOf(parts: readonly Float64Array[], quantity: number): number {
  let sum = 0;
  for (const part of parts) sum += part[quantity];
  return sum;
}

/**
 * Means and squares about them, joined as those of samples are [chan1983].
 *
 * @param parts of one variable: Σ w, Σ w e and Σ w (e − m)² about the part's own mean m are their last three sums
 * @returns the mean error ē, and Σ w (e − ē)²
 */
function joined(parts: readonly Float64Array[]): readonly [meanError: number, squares: number] {
  const weight = sumOf(parts, 2);
  if (!(weight > 0)) return [0, 0];
  const meanError = sumOf(parts, 3) / weight;
  let squares = 0;
  for (const [, , share, sum, own] of parts) {
    squares += own + (share > 0 ? share * (sum / share - meanError) ** 2 : 0);
  }
  return [meanError, squares];
}

export const ensembleScores: WasmOperator<EnsembleShape, EnsembleScoresFields> = (builder, shape) => {
  const { variables, cells } = shape;
  const scored = Array.from({ length: variables }, (_, variable) => variable);
  const kernel = 'ensembleScores';
  const sumsOf = prepareSums(builder, { ...shape, kernel, scored, width: 5, scratchBytes: 4 * SCORES_SEGMENT });
  return ({ ensemble, truth, weight, ...scores }) => {
    for (const [variable, parts] of sumsOf({ ensemble, truth, weight }).entries()) {
      const [meanError, pattern] = joined(parts);
      scores.meanSquareError[variable] = sumOf(parts, 0) / cells;
      scores.meanVariance[variable] = sumOf(parts, 1) / cells;
      scores.meanError[variable] = meanError;
      scores.patternSquareError[variable] = pattern / cells;
    }
  };
};

export const crps: WasmOperator<CrpsParameters, CrpsFields> = (builder, { scored, ...shape }) => {
  const { members: k, cells } = shape;
  const sumsOf = prepareSums(builder, { ...shape, kernel: 'crps', scored, width: 2, scratchBytes: 16 * k });
  return ({ score, ...arrays }) => {
    for (const [row, parts] of sumsOf(arrays).entries()) {
      const [distances, dispersions] = [sumOf(parts, 0), sumOf(parts, 1)];
      score[row] = (distances - dispersions / k) / (k * cells);
      score[scored.length + row] = (distances - dispersions / Math.max(1, k - 1)) / (k * cells);
    }
  };
};

const RANK_HISTOGRAM = parameterBlock('RankHistogram', {
  members: 'i32',
  state: 'i32',
  nx: 'i32',
  ny: 'i32',
  strideX: 'i32',
  strideY: 'i32',
  /** The variable of each part. */
  scored: 'pointer',
  ensemble: 'pointer',
  truth: 'pointer',
  weight: 'pointer',
  key: 'pointer',
  counts: 'pointer',
});

/** A part is a scored variable. */
export const rankHistogram: WasmOperator<RankHistogramParameters, RankHistogramFields> = (
  builder,
  { members, variables, nx, ny, strideX, strideY, scored },
) => {
  const variablesOfParts = builder.wordTable('rank-histogram.scored', scored);
  const constants = { members, state: variables * nx * ny, nx, ny, strideX, strideY, scored: variablesOfParts };
  return onFields(builder.program('rankHistogram', RANK_HISTOGRAM, constants), scored.length);
};

const WET_CELLS = parameterBlock('WetCells', {
  members: 'i32',
  state: 'i32',
  cells: 'i32',
  segment: 'i32',
  dryDepth: 'f32',
  /** What a wet cell weighs. */
  share: 'f32',
  ensemble: 'pointer',
  truth: 'pointer',
  bed: 'pointer',
  weight: 'pointer',
  /** Number of wet cells in each part. */
  counts: 'pointer',
});

/** Cells of a part. */
const WET_SEGMENT = 16_384;

/** Which cells are wet, and then what each weighs. */
export const wetCells: WasmOperator<WetCellsParameters, WetCellsFields> = (
  builder,
  { members, variables, cells, dryDepth },
) => {
  const parts = partsFor(cells, WET_SEGMENT);
  const counts = builder.words('wet-cells.counts', parts);
  const constants = {
    members,
    state: variables * cells,
    cells,
    segment: WET_SEGMENT,
    dryDepth,
    counts: counts.address,
  };
  const marking = builder.program('markWetCells', WET_CELLS, constants);
  const weighing = builder.program('weighWetCells', WET_CELLS, constants);
  return ({ ensemble, truth, bed, weight }) => {
    marking.set(addressesOf({ ensemble, truth, bed, weight }));
    marking.run(parts);
    const wet = counts.view().reduce((sum, count) => sum + count, 0);
    if (wet === 0 || wet === cells) return;
    weighing.set({ weight: weight.byteOffset, share: cells / wet });
    weighing.run(parts);
  };
};
