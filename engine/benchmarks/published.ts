/**
 * What others have published: the figure, the hardware and the source, and how a time of ours reads in the same unit. They
 * are context and not a race: hardware, precision and sometimes the algorithm differ, and each says how.
 */

export interface PublishedFigure {
  readonly value: number;
  readonly unit: string;
  readonly hardware: string;
  readonly source: string;
  /** Whether a larger value is better. */
  readonly largerIsBetter: boolean;
  /** The time of one run of ours in the unit of the figure; undefined where the two cannot be compared. */
  readonly measured: ((milliseconds: number) => number) | undefined;
}

/** A published figure beside ours. */
export interface PublishedComparison {
  readonly value: number;
  readonly unit: string;
  readonly hardware: string;
  readonly source: string;
  /** Ours, in the same unit; null where it cannot be said. */
  readonly measured: number | null;
  /** How many times better ours is: above 1 is faster. */
  readonly ratio: number | null;
}

const RF = 'K-iterated recursive filters on GPUs with overlapping domain decomposition [rf-gpu]';
const MAGIC = 'Génovese et al., separable convolutions of the wavelet code [magic-filter]';
const LETKF = 'LETKF on GPUs over Moler’s water model [letkf-gpu]';
const GAIN = 'EnKF gain from a block-Toeplitz taper and a sparse H on GPUs [gain-gpu]';

const time = { unit: 's', largerIsBetter: false, measured: (milliseconds: number) => milliseconds / 1000 };

/** A signal of 10⁵ points, σ = 2, K = 500. */
export const PUBLISHED_RECURSIVE_FILTER: readonly PublishedFigure[] = [
  { ...time, value: 4.07, hardware: 'Titan X', source: RF },
  { ...time, value: 757, hardware: 'CPU', source: RF },
];

/** @param flops operations of one run */
export function publishedConvolution(flops: number): readonly PublishedFigure[] {
  const rate = {
    unit: 'GFLOP/s',
    largerIsBetter: true,
    measured: (milliseconds: number) => flops / milliseconds / 1e6,
    source: MAGIC,
  };
  return [
    { ...rate, value: 118, hardware: 'HD 6970' },
    { ...rate, value: 105, hardware: 'C2070' },
    { ...rate, value: 6.5, hardware: 'one CPU core, SSE, float64' },
  ];
}

const EIGENPROBLEMS = 16384;

/** Eigenproblems alone, one a grid point; ours is the whole analysis of as many points. @param points of the grid */
export function publishedEigenproblems(points: number): readonly PublishedFigure[] {
  const one = {
    unit: `ms for ${EIGENPROBLEMS} points`,
    largerIsBetter: false,
    measured: (milliseconds: number) => (milliseconds * EIGENPROBLEMS) / points,
  };
  const what = `${EIGENPROBLEMS} symmetric eigenproblems of order 32 alone`;
  return [
    { ...one, value: 2.75, hardware: 'H100', source: `EigenG-Batched, ${what}` },
    { ...one, value: 14.8, hardware: 'H100', source: `cuSOLVER, ${what}` },
  ];
}

/** A ratio that holds on its own hardware only. */
export const PUBLISHED_LETKF: PublishedFigure = {
  value: 92.7,
  unit: '× one CPU core',
  largerIsBetter: true,
  hardware: 'GTX 460 over one core of a Q6600, C and P̃ᵃ alone',
  source: LETKF,
  measured: undefined,
};

/** 16384 × 64, 129 observations. */
export const PUBLISHED_GAIN: readonly PublishedFigure[] = [
  { ...time, value: 9, hardware: 'GPU', source: GAIN },
  { ...time, value: 17, hardware: 'CPU, Python', source: GAIN },
];

/** @param cellSteps cells times steps of one run */
export function publishedShallowWater(cellSteps: number): readonly PublishedFigure[] {
  return [
    {
      value: 979,
      unit: 'Mcell-steps/s',
      largerIsBetter: true,
      hardware: 'P100',
      source: 'gpu-ocean, second-order rotating shallow water, RK2, 1024²',
      measured: (milliseconds) => cellSteps / milliseconds / 1000,
    },
  ];
}

/** @param milliseconds of one run of ours */
export function compareWithPublished(
  { value, unit, hardware, source, largerIsBetter, measured }: PublishedFigure,
  milliseconds: number,
): PublishedComparison {
  const ours = milliseconds > 0 ? (measured?.(milliseconds) ?? null) : null;
  return {
    value,
    unit,
    hardware,
    source,
    measured: ours,
    ratio: ours === null ? null : largerIsBetter ? ours / value : value / ours,
  };
}
