/** Ratios of methods' errors with their intervals: a line a method, 1 marked. */
import type { Difference } from '../../../engine/index.ts';
import { formatNumber } from '../../format/numbers.ts';
import { createScale } from '../../plot/scales.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { EM, PLOT_WIDTH, tenth } from './plot.ts';

export interface ComparedMethod {
  readonly name: string;
  /** Undefined if it is not drawn. */
  readonly found: Difference | undefined;
}

const ROW = 2.3 * EM;
const LEFT = 10 * EM;
const RIGHT = 1.5 * EM;
/** Letters that fit before the lines. */
const MOST_LETTERS = 17;

function shortened(name: string): string {
  return name.length <= MOST_LETTERS ? name : `${name.slice(0, MOST_LETTERS - 1)}…`;
}

/** All of the values and 1, with room about them. */
function domainOf(values: readonly number[]): readonly [number, number] {
  const [low, high] = [Math.min(1, ...values), Math.max(1, ...values)];
  return [low / 1.1, high * 1.1];
}

/**
 * @param against what the methods are compared with, as the axis names it
 * @returns undefined if nothing can be drawn because no interval is bounded
 */
export function changesSvg(methods: readonly ComparedMethod[], against: string): Markup | undefined {
  const known = methods.flatMap(({ name, found }) => {
    if (found?.change.scale !== 'relative') return [];
    const { estimate, low, high } = found.change;
    const ratios = [estimate, low, high].map((change) => 1 + change);
    return ratios.every((ratio) => Number.isFinite(ratio) && ratio > 0) ? [{ name, ratios }] : [];
  });
  if (known.length === 0) return undefined;
  const bottom = tenth(ROW * known.length + 0.5 * EM);
  const values = known.flatMap(({ ratios }) => ratios);
  const axis = { label: '', unit: '', scale: 'log', domain: domainOf(values) } as const;
  const { at, ticks } = createScale(axis, [], [LEFT, PLOT_WIDTH - RIGHT], false, EM);
  const grid = ticks.map(({ value, text }) => {
    const x = tenth(at(value));
    return html`<line class="grid" x1="${x}" x2="${x}" y1="0" y2="${bottom}" /><text
        class="tick"
        x="${x}"
        y="${tenth(bottom + 1.1 * EM)}"
        text-anchor="middle"
        >${text}</text
      >`;
  });
  const rows = known.map(({ name, ratios }, index) => {
    const y = tenth(ROW * (index + 0.5));
    const [estimate, low, high] = ratios.map((ratio) => tenth(at(ratio)));
    return html`<text class="name" x="0" y="${y}" dy="0.32em">${shortened(name)}</text
      ><line class="interval" x1="${low}" x2="${high}" y1="${y}" y2="${y}" /><circle
        class="estimate"
        cx="${estimate}"
        cy="${y}"
        r="4"
      />`;
  });
  const said = known.map(({ name, ratios }) => {
    const [estimate, low, high] = ratios.map(formatNumber);
    return `${name} ${estimate}, from ${low} to ${high}`;
  });
  const summary = `Errors as multiples of that of ${against}, with intervals: ${said.join('; ')}.`;
  const [height, one] = [tenth(bottom + 3 * EM), tenth(at(1))];
  return html`<svg class="chart" role="img" aria-label="${summary}" viewBox="0 0 ${PLOT_WIDTH} ${height}">
    ${grid}
    <line class="zero" x1="${one}" x2="${one}" y1="0" y2="${bottom}" />
    ${rows}
    <text
      class="axis-title"
      x="${(LEFT + PLOT_WIDTH - RIGHT) / 2}"
      y="${tenth(bottom + 2.5 * EM)}"
      text-anchor="middle"
    >
      Error as a multiple of that of ${shortened(against)}
    </text>
  </svg>`;
}
