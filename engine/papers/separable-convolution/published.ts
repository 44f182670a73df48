/** The figures of [magic-filter]. */
import type { PublishedFigure } from '../../benchmarks/index.ts';

const CONVOLUTION_SOURCE =
  'Videau, Marangozova-Martin, Genovese, Deutsch, RR-LIG-032 (2013) [magic-filter]; a memory copy would allow about 170 GFLOP/s on its GPUs';

type OnHardware = readonly [value: number, hardware: string];
type Direction = 'forward' | 'inverse';

/** The GPUs, at 124 × 132 × 130; `in blocks` filters in blocks. */
const ON_GPU: Readonly<Record<1 | 3, Readonly<Record<Direction, readonly OnHardware[]>>>> = {
  1: {
    forward: [
      [121, 'HD 6970, in blocks'],
      [108, 'C2070, in blocks'],
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

/** One core at 128 × 126 × 130, along three axes: Table I. */
const TABLE_1: readonly OnHardware[] = [
  [6.52, 'SSE, transposed'],
  [2.96, 'unrolled by 8, transposed'],
  [2.23, 'unrolled by 8'],
  [0.361, 'simple, transposed'],
  [0.357, 'simple'],
];

/** One core at 32 columns × 5040, along one axis: SSE by patterns of columns × lines, Tables II and III. */
const TABLES_2_AND_3: readonly OnHardware[] = [
  [8.57, '1 × 6'],
  [8.49, '1 × 8'],
  [8.49, '4 × 2'],
  [8.45, '1 × 4'],
  [8.43, '2 × 4'],
  [8.43, '1 × 10'],
  [8.03, '2 × 2'],
  [7.77, '1 × 12'],
  [7.45, '1 × 2'],
  [7.14, '4 × 2, transposed'],
  [6.32, '2 × 4, transposed'],
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

/**
 * @param axes along which is filtered
 * @param flops operations of one run
 */
export function publishedOnOneCore(axes: 1 | 3, flops: number): readonly PublishedFigure[] {
  return axes === 3
    ? TABLE_1.map(([value, how]) => figure([value, `one CPU core, ${how}`], flops, 'float64, three axes'))
    : TABLES_2_AND_3.map(([value, pattern]) =>
        figure([value, `one CPU core, SSE, ${pattern}`], flops, 'float64, one axis'),
      );
}
