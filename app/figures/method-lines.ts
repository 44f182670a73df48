/** How the methods' lines look in charts and in the legend of a saved picture. */
import type { Laboratory } from '../page/laboratory.ts';
import type { RunView } from '../document/run-view.ts';
import { TRUTH_STYLE } from '../document/views/method-style.ts';
import type { MethodStyle } from '../document/views/method-style.ts';
import type { OverlaidRun } from '../document/lines/overlaid.ts';
import type { LineStyle } from '../plot/layout.ts';

/** A line of a figure and its meaning. */
export interface LegendEntry {
  readonly title: string;
  readonly color: string;
  readonly dash: string;
}

/** The look of a method's line, drawn back while another method is pointed at. */
export function lineStyleOf(
  run: Pick<RunView, 'view'>,
  { label, colour, dash }: MethodStyle,
): LineStyle & { readonly faded: boolean } {
  const { highlightedMethod } = run.view;
  const highlighted = highlightedMethod.value;
  return { color: colour, dash, faded: highlighted !== undefined && highlighted !== label };
}

type Themed = Pick<Laboratory, 'preferences'>;
type Beside = readonly Pick<OverlaidRun, 'title' | 'dash'>[];

/** In the ink of the truth: the colours are the methods'. */
function overlaidEntries({ preferences }: Themed, overlaid: Beside): LegendEntry[] {
  const color = TRUTH_STYLE[preferences.resolvedTheme.value];
  return overlaid.map(({ title, dash }) => ({ title, color, dash }));
}

/** The methods and the overlaid runs as a saved picture names them, in the colours of the theme. */
export function legendOf(
  laboratory: Themed,
  styles: readonly MethodStyle[],
  overlaid: Beside = [],
): readonly LegendEntry[] {
  const theme = laboratory.preferences.resolvedTheme.value;
  return [
    ...styles.map((style) => ({ title: style.title, color: style[theme], dash: style.dash })),
    ...overlaidEntries(laboratory, overlaid),
  ];
}

/** The curves of one method and the overlaid runs, likewise. */
export function curveLegend(
  laboratory: Themed,
  style: MethodStyle,
  curves: readonly { readonly label: string; readonly dash: string }[],
  overlaid: Beside,
): readonly LegendEntry[] {
  const color = style[laboratory.preferences.resolvedTheme.value];
  return [
    ...curves.map(({ label, dash }) => ({ title: label, color, dash })),
    ...overlaidEntries(laboratory, overlaid),
  ];
}

/** Lines of a label are no longer than this, letters. */
const MOST_LETTERS = 14;
/** An arrow and a space, of a line that leaves its axis. */
const ARROW_LETTERS = 2;

/** @returns letters of the longest label at the ends of the methods' lines, so that charts below each other are aligned */
export function labelLetters(styles: readonly MethodStyle[], overlaid: Beside): number {
  const lengths = [...styles, ...overlaid].map(({ title }) => title.length);
  return Math.min(MOST_LETTERS, ARROW_LETTERS + Math.max(0, ...lengths));
}
