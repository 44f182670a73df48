/** Long lines are thinned to what the pixels can show: each column keeps its first, lowest, highest and last point. */

export interface Point {
  readonly x: number;
  /** Not finite if there is no value: the line has a gap there. */
  readonly y: number;
}

/**
 * @param points by ascending x
 * @param columns of pixels, between the first and the last x
 * @returns the points themselves where they are few; otherwise at most four for each column, in their order
 */
export function decimate<P extends Point>(points: readonly P[], columns: number): readonly P[] {
  if (points.length <= 4 * columns) return points;
  const from = points[0].x;
  const width = (points[points.length - 1].x - from) / columns;
  const kept: P[] = [];
  let start = 0;
  while (start < points.length) {
    const column = Math.min(columns - 1, Math.floor((points[start].x - from) / width));
    let [end, lowest, highest] = [start + 1, start, start];
    for (; end < points.length; end++) {
      if (Math.min(columns - 1, Math.floor((points[end].x - from) / width)) !== column) break;
      if (points[end].y < points[lowest].y) lowest = end;
      if (points[end].y > points[highest].y) highest = end;
    }
    const chosen = [...new Set([start, lowest, highest, end - 1])].sort((a, b) => a - b);
    for (const index of chosen) kept.push(points[index]);
    start = end;
  }
  return kept;
}
