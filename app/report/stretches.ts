/** Long series as means over stretches of cycles: more points than a chart has pixels say nothing. */
import type { Point } from '../plot/decimate.ts';

/** Points of a line, at most. */
const MOST_POINTS = 240;

/** @returns how many cycles a point of a run's charts represents */
export function stretchOf(cycles: number, most = MOST_POINTS): number {
  return Math.max(1, Math.ceil(cycles / most));
}

/** @param points one a cycle. @returns means over stretches, at their middles; what is not finite takes no part */
export function overStretches(points: readonly Point[], stretch: number): readonly Point[] {
  if (stretch === 1) return points;
  return Array.from({ length: Math.ceil(points.length / stretch) }, (_, n) => {
    const part = points.slice(n * stretch, (n + 1) * stretch);
    const known = part.filter(({ y }) => Number.isFinite(y));
    const y = known.reduce((sum, point) => sum + point.y, 0) / known.length;
    return { x: (part[0].x + part[part.length - 1].x) / 2, y };
  });
}

/** @returns what a caption says about it; nothing where a point is a cycle */
export function stretchWords(stretch: number): string {
  return stretch === 1 ? '' : ` Means over stretches of ${stretch} cycles.`;
}
