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
