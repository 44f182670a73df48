/** Places of observations. */
import type { Grid } from '../models/index.ts';
import { randomStream } from '../random/stream.ts';

/** Places in grid units: (0, 0) is the centre of the first cell. */
export interface Positions {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** Lengths of the axes in grid units: period, or distance of the outer centres. */
export function lengths({ nx, ny, periodicX, periodicY }: Grid): readonly [number, number] {
  return [periodicX ? nx : nx - 1, periodicY ? ny : ny - 1];
}

export function positionsOf(points: readonly (readonly [number, number])[]): Positions {
  return { x: Float64Array.from(points, ([x]) => x), y: Float64Array.from(points, ([, y]) => y) };
}

/** Places drawn evenly over the basin, from the stream of a purpose and its counters; the first are the same for any count. */
export function randomPositions(
  count: number,
  grid: Grid,
  seed: number,
  streamName: string,
  ...index: readonly number[]
): Positions {
  const stream = randomStream(seed, streamName, ...index);
  const [lengthX, lengthY] = lengths(grid);
  return positionsOf(
    Array.from({ length: count }, () => [stream.between(0, lengthX), stream.between(0, lengthY)] as const),
  );
}
