/** A rank histogram laid out: its axes, its bars and the level that is expected, in the window and on a page. */
import type { RankSummary } from '../../engine/index.ts';
import { layoutPlot } from '../plot/layout.ts';
import type { PlotLayout } from '../plot/layout.ts';
import type { AxisSpec } from '../plot/scales.ts';

/** One member ranks the truth above or below itself, which says nothing of a spread. */
export const FEWEST_RANKS = 3;
/** Between a bar and the next, pixels. */
const APART = 1;

/** Ranks summed up, of a method with one member fewer. */
export interface Ranked {
  readonly ranks: number;
  readonly summary: RankSummary;
}

/** A bar as a rectangle of the drawing. */
interface RankBar {
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
  /** Level of the line that shows what is expected. */
  readonly level: number;
  /** Outlines of other runs, each a path: the steps of its counts. */
  readonly outlines: readonly string[];
}

/**
 * The steps of another run's counts over the axes of one: ranks by their share of all, counts by what is expected of each, so that
 * runs with other members and other cycles compare.
 *
 * @param level that is expected of a rank on the axis
 */
function stepsOf({ ranks: own, summary: { bins } }: Ranked, ranks: number, level: number) {
  return bins.map(({ from, to, count, expected }) => ({
    from: (from / own) * ranks - 0.5,
    to: ((to + 1) / own) * ranks - 0.5,
    y: expected > 0 ? (count / expected) * level : 0,
  }));
}

/**
 * @param ranks of the truth among the members, one more than these
 * @param size of the drawing and of its type, pixels
 * @param others of other runs, drawn as outlines
 */
export function rankPlot(
  ranks: number,
  { bins }: RankSummary,
  size: { readonly width: number; readonly height: number; readonly em: number },
  others: readonly Ranked[] = [],
): RankPlot {
  const expectedOf = bins[0]?.expected ?? 0;
  const steps = others.map((other) => stepsOf(other, ranks, expectedOf));
  const x = {
    label: 'Rank of the truth',
    unit: '',
    scale: 'linear',
    domain: [-0.5, ranks - 0.5],
    whole: true,
  } as const;
  const include = steps.flatMap((ofOther) => ofOther.map((step) => step.y));
  const y = { label: 'Count', unit: '', scale: 'linear', whole: true, include } as const;
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
  const outlines = steps.map((ofOther) => {
    const path = ofOther.map(({ from, to, y: count }, n) => {
      const height = layout.y.at(count).toFixed(1);
      return `${n === 0 ? 'M' : 'L'}${layout.x.at(from).toFixed(1)},${height}H${layout.x.at(to).toFixed(1)}`;
    });
    return path.join('');
  });
  return { x, y, layout, bars, outlines, level: layout.y.at(expectedOf) };
}
