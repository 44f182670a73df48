/**
 * Axes of errors leave the free run out unless asked, where it would press the other lines together: its line is then cut off,
 * and the chart says where it is.
 */
import { isFreeRun, type MethodStyle } from '../views/method-style.ts';
import type { PlotSeries } from '../../plot/layout.ts';

/** Times the largest of the others' sizes up to which the free run is let in: they keep two thirds of the axis. */
const NEAR = 1.5;

function largest(series: readonly PlotSeries[]): number {
  return Math.max(...series.flatMap(({ points }) => points.map(({ y }) => Math.abs(y)).filter(Number.isFinite)));
}

/**
 * @param styles of the methods, by the keys of their series
 * @returns the series with those of the free run marked as outside, if there are others
 */
export function leaveOutFreeRun(
  series: readonly PlotSeries[],
  styles: readonly Pick<MethodStyle, 'label' | 'kind'>[],
  isAsked: boolean,
): readonly PlotSeries[] {
  const free = new Set(styles.filter(({ kind }) => isFreeRun(kind)).map(({ label }) => label));
  const others = series.filter(({ key }) => !free.has(key));
  if (isAsked || others.length === 0) return series;
  if (largest(series.filter(({ key }) => free.has(key))) <= NEAR * largest(others)) return series;
  return series.map((one) => {
    if (!free.has(one.key)) return one;
    // Its band, cut off at the top, would only cover the others.
    const { band: _band, ...line } = one;
    return { ...line, outside: true };
  });
}
