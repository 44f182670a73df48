/** A rank histogram laid out: its axes, its bars and the level that is expected, in the window and on a page. */
import type { RankSummary } from '../../../engine/index.ts';
import { layoutPlot } from './plot/layout.ts';
import type { PlotLayout } from './plot/layout.ts';
import type { AxisSpec } from './plot/scales.ts';

/** One member ranks the truth above or below itself, which says nothing of a spread. */
export const FEWEST_RANKS = 3;
/** Between a bar and the next, pixels. */
const APART = 1;

/** A bar as a rectangle of the drawing. */
export interface RankBar {
  readonly bin: RankSummary['bins'][number];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface RankPlot {
  readonly x: AxisSpec;
  readonly y: AxisSpec;
  readonly layout: PlotLayout;
  readonly bars: readonly RankBar[];
  /** Of the line that says what is expected. */
  readonly level: number;
}

/**
 * @param ranks of the truth among the members, one more than these
 * @param size of the drawing and of its type, pixels
 */
export function rankPlot(
  ranks: number,
  { bins }: RankSummary,
  size: { readonly width: number; readonly height: number; readonly em: number },
): RankPlot {
  const x = {
    label: 'Rank of the truth',
    unit: '',
    scale: 'linear',
    domain: [-0.5, ranks - 0.5],
    whole: true,
  } as const;
  const y = { label: 'Count', unit: '', scale: 'linear', whole: true } as const;
  const points = bins.map(({ from, to, count, expected }) => ({ x: (from + to) / 2, y: Math.max(count, expected) }));
  const series = [{ key: 'bins', label: '', color: '', dash: '', points, unlabelled: true }];
  const layout = layoutPlot({ ...size, x, y, series });
  const bars = bins.map((bin): RankBar => {
    const [left, right, top] = [layout.x.at(bin.from - 0.5), layout.x.at(bin.to + 0.5), layout.y.at(bin.count)];
    return {
      bin,
      x: left + APART / 2,
      y: top,
      width: Math.max(APART / 2, right - left - APART),
      height: Math.max(0, layout.bottom - top),
    };
  });
  return { x, y, layout, bars, level: layout.y.at(bins[0]?.expected ?? 0) };
}
