/** Axes of errors leave the free run out unless asked: its line is then cut off, and the chart says where it is. */
import { FREE_RUN } from '../state/method-style.ts';
import type { MethodStyle } from '../state/method-style.ts';
import type { PlotSeries } from './plot/layout.ts';

/** @returns the series with those of the free run marked as outside, where there are others */
export function leaveOutFreeRun(
  series: readonly PlotSeries[],
  styles: readonly MethodStyle[],
  isAsked: boolean,
): readonly PlotSeries[] {
  const free = new Set(styles.filter(({ kind }) => kind === FREE_RUN).map(({ label }) => label));
  if (isAsked || series.every(({ key }) => free.has(key))) return series;
  // Its band, cut off at the top, would only cover the others.
  return series.map(({ band, ...one }) => {
    if (free.has(one.key)) return { ...one, outside: true };
    return band === undefined ? one : { ...one, band };
  });
}
