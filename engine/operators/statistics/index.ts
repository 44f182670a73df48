/**
 * What diagnostics need of a cycle, reduced on the device to a few numbers that are read once.
 *
 * - `ensembleScores`: the mean, its mean square error, that of the basin's mean level and of the pattern apart, and the mean
 *   variance, by variable; the CRPS of chosen variables.
 * - `rankHistogram`: of chosen variables.
 * - `wetCells`: the cells that such means are taken over.
 * - `innovationStatistics`: of the departures of one analysis.
 *
 * Sums are pairwise in float32 and in a fixed order: the same data give the same bits. Ensembles and truth are compared as
 * they are stored. Arrays: ensemble [members][variables][cells], truth [variables][cells].
 */
import type { ArraysOf } from '../../compute/backend.ts';
import { defineOperator, kernelOperator } from '../../compute/define-operator.ts';
import { parameterBlock } from '../../compute/parameter-block.ts';
import { addressesOf, onFields, partsFor, type WasmOperator } from '../../compute/wasm/program.ts';
import indexLibrary from '../../compute/webgpu/library/index.wgsl?raw';
import reduction from '../../compute/webgpu/library/reduction.wgsl?raw';
import { partsOf, workgroupsFor, type WebGpuOperator } from '../../compute/webgpu/program.ts';
import source from './counts.wgsl?raw';
import type { EnsembleShape } from './scores-parameters.ts';
import { prepareMean, WORKGROUP } from './scores-webgpu.ts';

export { ensembleScores, scoresLayout, type EnsembleShape } from './scores.ts';
export { prepareMean } from './scores-webgpu.ts';

const part = partsOf(source);

interface WetCellsParameters extends EnsembleShape {
  /** A depth up to this is dry, metres. */
  readonly dryDepth: number;
}

const wetCellsFields = {
  /** [members][variables][cells]; variable 0 is the elevation of the surface, m. */
  ensemble: 'real',
  /** [variables][cells] */
  truth: 'real',
  /** [cells], elevation of the bed, m. */
  bed: 'real',
  /** [cells], written: the weight of each cell in a mean over the cells. */
  weight: 'real',
} as const;

interface RankHistogramParameters {
  readonly members: number;
  readonly variables: number;
  readonly nx: number;
  readonly ny: number;
  /** Thinning: cells 0, stride, 2·stride, … along each axis are counted, since neighbours say the same. */
  readonly strideX: number;
  readonly strideY: number;
  /** Indices of the variables that are ranked, S of them. */
  readonly scored: readonly number[];
}

const rankHistogramFields = {
  /** [members][variables][ny][nx] */
  ensemble: 'real',
  /** [variables][ny][nx] */
  truth: 'real',
  /** [ny][nx]: cells of weight 0 are not counted. */
  weight: 'real',
  /** [2], random words: the stream that breaks ties in this run. */
  key: 'index',
  /**
   * [S][members + 1], written: cells of each variable by the rank of the truth, the number of members strictly below it, and
   * of those equal to it a number drawn from 0 to all of them.
   */
  counts: 'index',
} as const;

const RANK_HISTOGRAM = parameterBlock('RankHistogram', {
  members: 'u32',
  state: 'u32',
  nx: 'u32',
  ny: 'part',
  strideX: 'u32',
  strideY: 'u32',
  /** On a GPU: cells of a variable, thinned ones of a row, and of a variable. */
  cells: 'u32',
  thinnedX: 'u32',
  thinned: 'u32',
  /** The variable of each part. */
  scored: 'pointer',
  ensemble: 'pointer',
  truth: 'pointer',
  weight: 'pointer',
  key: 'pointer',
  counts: 'pointer',
});

/** A part is a scored variable. */
const rankHistogramWasm: WasmOperator<RankHistogramParameters, typeof rankHistogramFields> = (
  builder,
  { members, variables, nx, ny, strideX, strideY, scored },
) => {
  const variablesOfParts = builder.wordTable('rank-histogram.scored', scored);
  const constants = { members, state: variables * nx * ny, nx, ny, strideX, strideY, scored: variablesOfParts };
  return onFields(builder.program('rankHistogram', RANK_HISTOGRAM, constants), scored.length);
};

const WET_CELLS = parameterBlock('WetCells', {
  members: 'u32',
  state: 'u32',
  cells: 'u32',
  segment: 'part',
  /** On a GPU: parts of the cells. */
  parts: 'u32',
  dryDepth: 'f32',
  /** What a wet cell weighs; kernels on a GPU find it themselves. */
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
const wetCellsWasm: WasmOperator<WetCellsParameters, typeof wetCellsFields> = (
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

/** Counts set to 0, then one dispatch over the thinned cells. */
const rankHistogramWebGpu: WebGpuOperator<RankHistogramParameters, typeof rankHistogramFields> = async (
  builder,
  { members, variables, nx, ny, strideX, strideY, scored },
) => {
  const program = await builder.program({
    label: 'statistics.rank-histogram',
    code: [indexLibrary, RANK_HISTOGRAM.wgsl, part('rank-histogram')],
    constants: { BINS: members + 1 },
    bindings: ['uniform', 'read', 'read', 'read', 'read', 'read', 'write'],
  });
  const thinnedX = Math.ceil(nx / strideX);
  const thinned = thinnedX * Math.ceil(ny / strideY);
  const uniform = builder.uniform('parameters', RANK_HISTOGRAM, {
    members,
    state: variables * ny * nx,
    cells: ny * nx,
    nx,
    strideX,
    strideY,
    thinnedX,
    thinned,
  });
  const rows = builder.table('scored', 'index', scored);
  const [x, y] = workgroupsFor(thinned, WORKGROUP);
  return (recorder, { ensemble, truth, weight, key, counts }) => {
    recorder.clear(counts);
    recorder.dispatch(program, [uniform, ensemble, truth, weight, rows, key, counts], [x, y, scored.length]);
  };
};

/** Three stages: which cells are wet, what share of all they are, and the weights that follow. */
const wetCellsWebGpu: WebGpuOperator<WetCellsParameters, typeof wetCellsFields> = async (
  builder,
  { members, variables, cells, dryDepth },
) => {
  const parts = Math.ceil(cells / WORKGROUP);
  const [findProgram, scaleProgram, recordMean] = await Promise.all([
    builder.program({
      label: 'statistics.wet-cells',
      code: [reduction, WET_CELLS.wgsl, part('wet-cells')],
      bindings: ['uniform', 'read', 'read', 'read', 'write', 'write'],
    }),
    builder.program({
      label: 'statistics.wet-weights',
      code: [indexLibrary, WET_CELLS.wgsl, part('wet-weights')],
      bindings: ['uniform', 'read', 'write'],
    }),
    prepareMean(builder, 1, parts, cells),
  ]);
  const uniform = builder.uniform('parameters', WET_CELLS, {
    members,
    state: variables * cells,
    cells,
    parts,
    dryDepth,
    share: 1,
  });
  const counts = builder.scratch('counts', 'real', parts);
  const share = builder.scratch('share', 'real', 1);
  const workgroups = workgroupsFor(cells, WORKGROUP);
  return (recorder, { ensemble, truth, bed, weight }) => {
    recorder.dispatch(findProgram, [uniform, ensemble, truth, bed, weight, counts], workgroups);
    recordMean(recorder, counts, share);
    recorder.dispatch(scaleProgram, [uniform, share, weight], workgroups);
  };
};

/**
 * Weights for means over the cells that are wet in the truth or in one member at least, 0 elsewhere: a cell that is dry in all
 * of them is right whatever a method does. They sum to the number of cells; all are 1 where all cells are wet, and 0 if none
 * is. Cost: reads bed and truth, and members only as far as no water is found.
 */
export const wetCells = defineOperator<WetCellsParameters, typeof wetCellsFields>({
  name: 'wet-cells',
  fields: wetCellsFields,
  cost: ({ cells }, elementBytes) => ({ bytes: 5 * elementBytes * cells, flops: 3 * cells }),
  reference: wetCellsReference,
  wasm: async () => wetCellsWasm,
  webgpu: async () => wetCellsWebGpu,
});

function wetCellsReference({ members, variables, cells, dryDepth }: WetCellsParameters) {
  const state = variables * cells;
  return ({ ensemble, truth, bed, weight }: ArraysOf<typeof wetCellsFields>): void => {
    let count = 0;
    for (let cell = 0; cell < cells; cell++) {
      let isWet = truth[cell] - bed[cell] > dryDepth;
      for (let l = 0; l < members && !isWet; l++) isWet = ensemble[l * state + cell] - bed[cell] > dryDepth;
      weight[cell] = isWet ? 1 : 0;
      count += weight[cell];
    }
    if (count === 0) return;
    for (let cell = 0; cell < cells; cell++) weight[cell] *= cells / count;
  };
}

/**
 * Counts of the truth's rank, ties broken at random: a truth that equals n members has each of the n + 1 ranks with the same
 * probability. The draws are counted by cell and variable, and the same on every backend. Integers, so the order of counting
 * does not matter.
 */
export const rankHistogram = defineOperator<RankHistogramParameters, typeof rankHistogramFields>({
  name: 'rank-histogram',
  fields: rankHistogramFields,
  cost: ({ members, nx, ny, strideX, strideY, scored }, elementBytes) => {
    const cells = Math.ceil(nx / strideX) * Math.ceil(ny / strideY) * scored.length;
    return { bytes: elementBytes * (members + 2) * cells, flops: 2 * members * cells };
  },
  reference: rankHistogramReference,
  wasm: async () => rankHistogramWasm,
  webgpu: async () => rankHistogramWebGpu,
});

/** A step of a linear congruential generator of 32 bits. */
function step(word: number): number {
  return (Math.imul(word, 1_664_525) + 1_013_904_223) >>> 0;
}

/** A number of 32 random bits for a counter and a key of two words: the first word of pcg3d [jarzynski2020]. */
export function counted(counter: number, key0: number, key1: number): number {
  let [x, y, z] = [step(counter), step(key0), step(key1)];
  x = (x + Math.imul(y, z)) >>> 0;
  y = (y + Math.imul(z, x)) >>> 0;
  z = (z + Math.imul(x, y)) >>> 0;
  [x, y, z] = [x, y, z].map((word) => (word ^ (word >>> 16)) >>> 0);
  return (x + Math.imul(y, z)) >>> 0;
}

function rankHistogramReference({ members, variables, nx, ny, strideX, strideY, scored }: RankHistogramParameters) {
  const cells = nx * ny;
  const state = variables * cells;
  return ({ ensemble, truth, weight, key, counts }: ArraysOf<typeof rankHistogramFields>): void => {
    counts.fill(0);
    const countCell = (cell: number, row: number): void => {
      const i = scored[row] * cells + cell;
      let below = 0;
      let ties = 0;
      for (let l = 0; l < members; l++) {
        below += ensemble[l * state + i] < truth[i] ? 1 : 0;
        ties += ensemble[l * state + i] === truth[i] ? 1 : 0;
      }
      const share = ties > 0 ? counted(i, key[0], key[1]) % (ties + 1) : 0;
      counts[row * (members + 1) + below + share] += 1;
    };
    for (let y = 0; y < ny; y += strideY) {
      for (let x = 0; x < nx; x += strideX) {
        const cell = y * nx + x;
        if (weight[cell] === 0) continue;
        for (let row = 0; row < scored.length; row++) countCell(cell, row);
      }
    }
  };
}

export const INNOVATION_REPORT_LENGTH = 5;

/**
 * Whether innovations are what the error statistics say: mean 0, and d² of σₒ² + σ_b² on average.
 * Over the observations that are used: their count, the mean and variance (divided by count − 1) of d, and the mean of the
 * normalised squares d²/(σₒ² + σ_b²), written r²d²/(1 + r²σ_b²) with r = 1/σₒ (no χ²: it knows nothing of how errors at two
 * observations are correlated); and how many were rejected. All are 0 if none is used.
 */
export const innovationStatistics = kernelOperator({
  name: 'innovation-statistics',
  block: parameterBlock('InnovationStatistics', {
    observations: 'count',
    /** d = y − H(x̄ᶠ), [observations] */
    innovation: 'read real',
    /** 1/σₒ as used, [observations]: 0 where the observation is absent or was rejected. */
    inverseErrorStd: 'read real',
    /** 1/σₒ before quality control, [observations]: 0 where absent. */
    originalInverseErrorStd: 'read real',
    /** σ_b², the background's variance at the observations as the method takes it, [observations]; zeros if there is none. */
    backgroundVariance: 'read real',
    /** [INNOVATION_REPORT_LENGTH]: see `readInnovationReport`. */
    report: 'write real',
  }),
  cost: ({ observations }, elementBytes) => ({ bytes: 4 * elementBytes * observations, flops: 11 * observations }),
  reference:
    ({ observations }) =>
    ({ innovation, inverseErrorStd, originalInverseErrorStd, backgroundVariance, report }) => {
      let count = 0;
      let rejected = 0;
      let sum = 0;
      for (let j = 0; j < observations; j++) {
        if (inverseErrorStd[j] > 0) {
          count += 1;
          sum += innovation[j];
        } else if (originalInverseErrorStd[j] > 0) rejected += 1;
      }
      const mean = count > 0 ? sum / count : 0;
      let squares = 0;
      let normalised = 0;
      for (let j = 0; j < observations; j++) {
        const r = inverseErrorStd[j];
        if (!(r > 0)) continue;
        squares += (innovation[j] - mean) ** 2;
        normalised += (r * innovation[j]) ** 2 / (1 + r ** 2 * backgroundVariance[j]);
      }
      report.set([count, mean, squares / Math.max(1, count - 1), normalised / Math.max(1, count), rejected]);
    },
  // Observations are few: one part, one workgroup.
  wasm: () => ({ kernel: 'innovationStatistics', parts: 1 }),
  webgpu: {
    code: () => [import('../../compute/webgpu/library/vector-reduction.wgsl?raw'), import('./counts.wgsl?raw')],
    parts: ['innovation-statistics'],
    items: () => 1,
  },
});

/** The `report` field of `innovationStatistics`, read back, by name. */
export function readInnovationReport(report: ArrayLike<number>): {
  readonly count: number;
  readonly mean: number;
  readonly variance: number;
  readonly normalisedSquares: number;
  readonly rejected: number;
} {
  const [count, mean, variance, normalisedSquares, rejected] = Array.from(report);
  return { count, mean, variance, normalisedSquares, rejected };
}
