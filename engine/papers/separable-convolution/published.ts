/** The figures of [magic-filter]. */
import type { PublishedFigure } from '../../benchmarks/index.ts';

const CONVOLUTION_SOURCE =
  'Génovese et al., separable convolutions of the wavelet code [magic-filter]; a memory copy would allow about 170 GFLOP/s on its GPUs';

type OnHardware = readonly [value: number, hardware: string];
type Direction = 'forward' | 'inverse';

/** The GPUs, at 124 × 132 × 130; `in blocks` filters in blocks. */
const ON_GPU: Readonly<Record<1 | 3, Readonly<Record<Direction, readonly OnHardware[]>>>> = {
  1: {
    forward: [
      [105, 'HD 6970'],
      [93, 'C2070'],
    ],
    inverse: [
      [105, 'HD 6970'],
      [92, 'C2070'],
    ],
  },
  3: {
    forward: [
      [118, 'HD 6970, in blocks'],
      [105, 'C2070, in blocks'],
      [101, 'HD 6970'],
      [91, 'C2070'],
    ],
    inverse: [
      [100, 'HD 6970'],
      [92, 'C2070'],
    ],
  },
};

/** One core at 128 × 126 × 130, along one axis: SSE by patterns of columns × lines, and what came before it. */
const ON_ONE_CORE: readonly OnHardware[] = [
  [8.57, 'SSE, 1 × 6'],
  [8.49, 'SSE, 1 × 8'],
  [8.49, 'SSE, 4 × 2'],
  [8.45, 'SSE, 1 × 4'],
  [8.43, 'SSE, 2 × 4'],
  [8.43, 'SSE, 1 × 10'],
  [8.03, 'SSE, 2 × 2'],
  [7.77, 'SSE, 1 × 12'],
  [7.45, 'SSE, 1 × 2'],
  [7.14, 'SSE, 4 × 2, transposed'],
  [6.52, 'SSE, transposed'],
  [6.32, 'SSE, 2 × 4, transposed'],
  [2.96, 'unrolled by 8, transposed'],
  [2.23, 'unrolled by 8'],
  [0.361, 'simple, transposed'],
  [0.357, 'simple'],
];

function figure([value, hardware]: OnHardware, flops: number, includes: string): PublishedFigure {
  return {
    value,
    hardware,
    unit: 'GFLOP/s',
    largerIsBetter: true,
    source: CONVOLUTION_SOURCE,
    includes,
    measured: (milliseconds: number) => flops / milliseconds / 1e6,
  };
}

/**
 * @param axes along which is filtered
 * @param flops operations of one run
 */
export function publishedOnGpu(axes: 1 | 3, direction: Direction, flops: number): readonly PublishedFigure[] {
  return ON_GPU[axes][direction].map((entry) => figure(entry, flops, 'float64'));
}

/** @param flops operations of one run */
export function publishedOnOneCore(flops: number): readonly PublishedFigure[] {
  return ON_ONE_CORE.map(([value, how]) => figure([value, `one CPU core, ${how}`], flops, 'float64, one axis'));
}
