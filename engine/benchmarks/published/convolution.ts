/** What [magic-filter] has of sixteen taps, float64, in GFLOP/s: 32 operations an element and axis over the time. */
import type { PublishedFigure } from './figure.ts';

const SOURCE = 'Génovese et al., separable convolutions of the wavelet code [magic-filter]';

type OnHardware = readonly [value: number, hardware: string];

/** A pass along one axis, which writes transposed; one core with SSE at 128 × 126 × 130 where no GPU is named. */
const ONE_AXIS: readonly OnHardware[] = [
  [105, 'HD 6970'],
  [93, 'C2070'],
  [8.57, 'one CPU core, SSE, 1 × 6 columns × lines'],
  [7.14, 'one CPU core, SSE, 4 × 2, transposed'],
  [6.52, 'one CPU core, SSE, transposed'],
  [2.96, 'one CPU core, unrolled by 8, transposed'],
  [2.23, 'one CPU core, unrolled by 8'],
  [0.361, 'one CPU core, simple, transposed'],
  [0.357, 'one CPU core, simple'],
];

const ONE_AXIS_INVERSE: readonly OnHardware[] = [
  [105, 'HD 6970'],
  [92, 'C2070'],
];

/** All three axes. `block` filters in blocks. */
const THREE_AXES: readonly OnHardware[] = [
  [118, 'HD 6970, in blocks'],
  [105, 'C2070, in blocks'],
  [101, 'HD 6970'],
  [91, 'C2070'],
  [6.52, 'one CPU core, SSE, float64'],
];

const THREE_AXES_INVERSE: readonly OnHardware[] = [
  [100, 'HD 6970'],
  [92, 'C2070'],
];

/**
 * @param axes along which is filtered
 * @param flops operations of one run
 */
export function publishedConvolution(axes: 1 | 3, inverse: boolean, flops: number): readonly PublishedFigure[] {
  const figures = axes === 1 ? (inverse ? ONE_AXIS_INVERSE : ONE_AXIS) : inverse ? THREE_AXES_INVERSE : THREE_AXES;
  return figures.map(([value, hardware]) => ({
    value,
    hardware,
    unit: 'GFLOP/s',
    largerIsBetter: true,
    source: SOURCE,
    includes: 'float64; a memory copy would allow about 170 on the GPUs',
    measured: (milliseconds: number) => flops / milliseconds / 1e6,
  }));
}

/** Patterns of columns × lines of the SSE kernel without transposition, GFLOP/s. */
export const PUBLISHED_PATTERNS: Readonly<Record<string, number>> = {
  '1×2': 7.45,
  '1×4': 8.45,
  '2×2': 8.03,
  '1×6': 8.57,
  '1×8': 8.49,
  '2×4': 8.43,
  '4×2': 8.49,
  '1×10': 8.43,
  '1×12': 7.77,
};
