/** How the lines of an array along one of its axes lie in memory. Shared by all operators that work along an axis. */
import type { RealArray } from '../../compute/backend.ts';

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

/** Calls `filter(source, target)` with each line of `input` gathered into a work array, and writes `target` to `output`. */
export function eachLine(
  lines: Lines,
  filter: (source: Float64Array, target: Float64Array) => void,
): (input: RealArray, output: RealArray) => void {
  const { length, step, count, inner, innerStride, outerStride } = lines;
  const source = new Float64Array(length);
  const target = new Float64Array(length);
  return (input, output) => {
    for (let line = 0; line < count; line++) {
      const start = Math.floor(line / inner) * outerStride + (line % inner) * innerStride;
      for (let i = 0; i < length; i++) source[i] = input[start + i * step];
      filter(source, target);
      for (let i = 0; i < length; i++) output[start + i * step] = target[i];
    }
  };
}
