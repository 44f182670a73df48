/** Differences between methods with their intervals: a line a method, zero marked. */
import type { Comparison } from '../../../engine/index.ts';
import { createScale } from '../../renderer/charts/plot/scales.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { EM, PLOT_WIDTH, tenth } from './plot.ts';

export interface ComparedMethod {
  readonly name: string;
  readonly found: Comparison | undefined;
}

const ROW = 2.3 * EM;
const LEFT = 10 * EM;
const RIGHT = 1.5 * EM;
/** Letters that fit before the lines. */
const MOST_LETTERS = 17;

function shortened(name: string): string {
  return name.length <= MOST_LETTERS ? name : `${name.slice(0, MOST_LETTERS - 1)}…`;
}

/**
 * @param against what the methods are held against
 * @returns undefined where nothing can be drawn: no interval, or one without end
 */
export function changesSvg(methods: readonly ComparedMethod[], against: string): Markup | undefined {
  const known = methods.flatMap(({ name, found }) => {
    if (found?.change.scale !== 'relative') return [];
    const { estimate, low, high } = found.change;
    const percent = [estimate, low, high].map((value) => 100 * value);
    return percent.every(Number.isFinite) ? [{ name, verdict: found.verdict, percent }] : [];
  });
  if (known.length === 0) return undefined;
  const bottom = ROW * known.length + 0.5 * EM;
  const height = bottom + 3 * EM;
  const axis = { label: '', unit: '', scale: 'linear', include: [0] } as const;
  const values = known.flatMap(({ percent }) => percent);
  const { at, ticks } = createScale(axis, values, [LEFT, PLOT_WIDTH - RIGHT], true, EM);
  const grid = ticks.map(
    ({ value, text }) =>
      html`<line
          class="${value === 0 ? 'zero' : 'grid'}"
          x1="${tenth(at(value))}"
          x2="${tenth(at(value))}"
          y1="0"
          y2="${bottom}"
        /><text class="tick" x="${tenth(at(value))}" y="${bottom + 1.1 * EM}" text-anchor="middle"
          >${value > 0 ? `+${text}` : text}</text
        >`,
  );
  const rows = known.map(({ name, verdict, percent: [estimate, low, high] }, index) => {
    const y = tenth(ROW * (index + 0.5));
    return html`<text class="name" x="0" y="${y}" dy="0.32em">${shortened(name)}</text
      ><line class="interval" x1="${tenth(at(low))}" x2="${tenth(at(high))}" y1="${y}" y2="${y}" /><circle
        class="${verdict === 'too-few' ? 'estimate open' : 'estimate'}"
        cx="${tenth(at(estimate))}"
        cy="${y}"
        r="4"
      />`;
  });
  const said = known.map(
    ({ name, percent: [estimate, low, high] }) =>
      `${name} ${estimate.toFixed(0)} %, from ${low.toFixed(0)} to ${high.toFixed(0)} %`,
  );
  const summary = `Change of the error against ${against}, with intervals: ${said.join('; ')}.`;
  return html`<svg class="chart" role="img" aria-label="${summary}" viewBox="0 0 ${PLOT_WIDTH} ${height}">
    ${grid}${rows}
    <text class="axis-title" x="${(LEFT + PLOT_WIDTH - RIGHT) / 2}" y="${bottom + 2.5 * EM}" text-anchor="middle">
      Error against ${shortened(against)} (%)
    </text>
  </svg>`;
}
