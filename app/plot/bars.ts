/** Bars over two axes laid out, with the level that is expected of them and outlines of other bars. */
import { layoutPlot, type PlotLayout } from './layout.ts';
import type { AxisSpec } from './scales.ts';

/** Between a bar and the next, pixels. */
const APART = 1;

/** From one place to another, both in the unit of the axis. */
export interface Bar {
  readonly from: number;
  readonly to: number;
  readonly y: number;
}

export interface BarSpec {
  readonly x: AxisSpec;
  readonly y: AxisSpec;
  readonly bars: readonly (Bar & { readonly expected: number; readonly title: string })[];
  /** The line of what is expected. */
  readonly level: number;
  /** Outlines of other runs: the steps of their bars. */
  readonly outlines: readonly {
    readonly key: string;
    readonly title: string;
    readonly dash: string;
    readonly faded: boolean;
    readonly steps: readonly Bar[];
  }[];
}

interface BarLayout {
  readonly layout: PlotLayout;
  /** Rectangles of the drawing. */
  readonly bars: readonly { readonly x: number; readonly y: number; readonly width: number; readonly height: number }[];
  readonly level: number;
  /** Paths of the outlines. */
  readonly outlines: readonly string[];
}

/** @param size of the drawing and of its type, pixels */
export function layoutBars(
  { x, y, bars, level, outlines }: BarSpec,
  size: { readonly width: number; readonly height: number; readonly em: number },
): BarLayout {
  const points = bars.map((bar) => ({ x: (bar.from + bar.to) / 2, y: Math.max(bar.y, bar.expected) }));
  const include = outlines.flatMap(({ steps }) => steps.map((step) => step.y));
  const series = [{ key: 'bars', label: '', color: '', dash: '', points, unlabelled: true }];
  const layout = layoutPlot({ ...size, x, y: { ...y, include }, series });
  return {
    layout,
    level: layout.y.at(level),
    bars: bars.map((bar) => {
      const [left, right, top] = [layout.x.at(bar.from), layout.x.at(bar.to), layout.y.at(bar.y)];
      return {
        x: left + APART / 2,
        y: top,
        width: Math.max(APART / 2, right - left - APART),
        height: Math.max(0, layout.bottom - top),
      };
    }),
    outlines: outlines.map(({ steps }) => {
      const path = steps.map(({ from, to, y: value }, n) => {
        const height = layout.y.at(value).toFixed(1);
        return `${n === 0 ? 'M' : 'L'}${layout.x.at(from).toFixed(1)},${height}H${layout.x.at(to).toFixed(1)}`;
      });
      return path.join('');
    }),
  };
}
