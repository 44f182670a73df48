/** Separable convolution in float64, one pass an axis. */
import type { ArraysOf, RealArray } from '../../compute/backend.ts';
import { bandProduct } from './band.ts';
import { eachLine } from './lines.ts';
import type { Pass } from './passes.ts';
import type {
  ConvolutionFields,
  ConvolutionParameters,
  SeparableConvolution2dFields,
  SeparableConvolution2dParameters,
} from './parameters.ts';

type Run = (arrays: ArraysOf<ConvolutionFields>) => void;

/** i modulo n, never negative. */
const modulo = (i: number, n: number): number => ((i % n) + n) % n;

/**
 * One pass of [magic-filter]: source [lines, n] is filtered along n and written transposed, target [n, lines], so that
 * the next pass again reads along the fast axis.
 */
function transposingPass(
  source: RealArray,
  target: RealArray,
  n: number,
  { taps, lower }: ConvolutionParameters,
): void {
  const lines = source.length / n;
  for (let line = 0; line < lines; line++) {
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let q = 0; q < taps.length; q++) sum += taps[q] * source[line * n + modulo(i + q - lower, n)];
      target[i * lines + line] = sum;
    }
  }
}

/** [n1, n2, n3] → [n3, n1, n2] → [n2, n3, n1] → [n1, n2, n3]. */
export function volumeReference(parameters: ConvolutionParameters): Run {
  const { n1, n2, n3 } = parameters;
  const first = new Float64Array(n1 * n2 * n3);
  const second = new Float64Array(n1 * n2 * n3);
  return ({ input, output }) => {
    transposingPass(input, first, n3, parameters);
    transposingPass(first, second, n2, parameters);
    transposingPass(second, output, n1, parameters);
  };
}

/** The two passes of a plane, in order. */
export function planesReference(
  { nx, ny, batch }: SeparableConvolution2dParameters,
  [first, second]: readonly [Pass, Pass],
): (arrays: ArraysOf<SeparableConvolution2dFields>) => void {
  const between = new Float64Array(nx * ny * batch);
  const applyFirst = eachLine(first.lines, (lanes) => bandProduct(first.band, lanes));
  const applySecond = eachLine(second.lines, (lanes) => bandProduct(second.band, lanes));
  return ({ input, output }) => {
    applyFirst(input, between);
    applySecond(between, output);
  };
}
