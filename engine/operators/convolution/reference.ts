/** What separable convolutions are prepared with, the lines and passes that all backends make of it, and both in float64. */
import type { ArraysOf, RealArray } from '../../compute/backend.ts';
import { bandProduct, bandOfTaps, transposeBand, type Band, type Taps } from './band.ts';
import { LimitError } from '../../errors.ts';

/** A volume [n1, n2, n3], n3 fastest, periodic; `taps[j + lower]` = ω_j. Any number of taps, also more than a size. */
export interface ConvolutionParameters {
  readonly n1: number;
  readonly n2: number;
  readonly n3: number;
  readonly taps: readonly number[];
  readonly lower: number;
}

/** Both of n1 · n2 · n3 elements, and not the same field. */
export const convolutionFields = { input: 'real', output: 'real' } as const;

export interface SeparableConvolution2dParameters {
  /** Each field is [ny, nx], x fastest. */
  readonly nx: number;
  readonly ny: number;
  /** Number of fields, one after another. */
  readonly batch: number;
  readonly tapsX: Taps;
  readonly tapsY: Taps;
  /** What lies outside: zero, or the field again. */
  readonly boundaryX: 'zero' | 'periodic';
  readonly boundaryY: 'zero' | 'periodic';
  /** Apply the adjoint: every weight at the negative offset. */
  readonly transpose: boolean;
}

/** Both of batch · ny · nx elements, and not the same field. */
export const separableConvolution2dFields = { input: 'real', output: 'real' } as const;

/** One pass: a band applied to all lines along an axis. */
interface Pass {
  readonly lines: Lines;
  readonly band: Band;
}

/** The passes in the order they are made: x then y, and y then x for the adjoint. */
export function planesPasses(parameters: SeparableConvolution2dParameters): readonly [Pass, Pass] {
  const { nx, ny, batch, tapsX, tapsY, boundaryX, boundaryY, transpose } = parameters;
  const alongX = bandOfTaps(nx, tapsX, boundaryX === 'periodic');
  const alongY = bandOfTaps(ny, tapsY, boundaryY === 'periodic');
  const x = { lines: linesAlong(batch * ny, nx, 1), band: transpose ? transposeBand(alongX) : alongX };
  const y = { lines: linesAlong(batch, ny, nx), band: transpose ? transposeBand(alongY) : alongY };
  return transpose ? [y, x] : [x, y];
}

/** @throws LimitError when there are no taps, one is not finite, or `lower` does not point at a tap */
export function checkTaps(operator: string, name: string, { taps, lower }: Taps): void {
  if (taps.length === 0) throw new LimitError(`${operator}: ${name} is empty, at least one tap is needed`);
  const wrong = taps.findIndex((tap) => !Number.isFinite(tap));
  if (wrong >= 0) throw new LimitError(`${operator}: ${name}[${wrong}] is ${taps[wrong]}, taps must be finite numbers`);
  if (Number.isInteger(lower) && lower >= 0 && lower < taps.length) return;
  throw new LimitError(
    `${operator}: lower of ${name} is ${lower}, it must be an integer from 0 to ${taps.length - 1}: the index of the tap at offset 0`,
  );
}

export interface Lines {
  /** Points of a line, and the distance in elements from one to the next. */
  readonly length: number;
  readonly step: number;
  /** Number of lines; line ℓ starts at ⌊ℓ / inner⌋ · outerStride + (ℓ mod inner) · innerStride. */
  readonly count: number;
  readonly inner: number;
  readonly innerStride: number;
  readonly outerStride: number;
}

/** Lines along the axis of `length` points of an array [before][length][after]. */
export function linesAlong(before: number, length: number, after: number): Lines {
  return {
    length,
    step: after,
    count: before * after,
    inner: after,
    innerStride: 1,
    outerStride: length * after,
  };
}

/** Lines that are filtered side by side: a cache line of float64, and a sum for each at once. */
const LANES = 8;

/** Filters lines side by side: element (i, lane) of `source` [length][lanes] is point i of a line; likewise of `target`. */
export type LinesFilter = (source: Float64Array, target: Float64Array) => void;

/**
 * Filters every line of `input` into `output`, `lanes` at a time: what a point of one line has to wait for, the others do not.
 *
 * @param filterOf prepares the filter of `lanes` lines side by side; what it makes of lanes that have no line is dropped
 */
export function eachLine(
  lines: Lines,
  filterOf: (lanes: number) => LinesFilter,
): (input: RealArray, output: RealArray) => void {
  const { length, step, count, inner, innerStride, outerStride } = lines;
  const lanes = Math.min(LANES, count);
  const filter = filterOf(lanes);
  const source = new Float64Array(length * lanes);
  const target = new Float64Array(length * lanes);
  const starts = new Uint32Array(lanes);
  return (input, output) => {
    for (let first = 0; first < count; first += lanes) {
      const taken = Math.min(lanes, count - first);
      for (let lane = 0; lane < taken; lane++) {
        const line = first + lane;
        starts[lane] = Math.floor(line / inner) * outerStride + (line % inner) * innerStride;
      }
      for (let i = 0, at = 0; i < length; i++, at += lanes) {
        for (let lane = 0; lane < taken; lane++) source[at + lane] = input[starts[lane] + i * step];
      }
      filter(source, target);
      for (let i = 0, at = 0; i < length; i++, at += lanes) {
        for (let lane = 0; lane < taken; lane++) output[starts[lane] + i * step] = target[at + lane];
      }
    }
  };
}

type Run = (arrays: ArraysOf<typeof convolutionFields>) => void;

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
): (arrays: ArraysOf<typeof separableConvolution2dFields>) => void {
  const between = new Float64Array(nx * ny * batch);
  const applyFirst = eachLine(first.lines, (lanes) => bandProduct(first.band, lanes));
  const applySecond = eachLine(second.lines, (lanes) => bandProduct(second.band, lanes));
  return ({ input, output }) => {
    applyFirst(input, between);
    applySecond(between, output);
  };
}
