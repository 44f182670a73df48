/** Axes of a chart: few ticks, a light grid, the quantity and its unit. The title of the values is above them, never cut. */
import { withUnit } from '../fields/fields.ts';
import { splitPower } from '../format/numbers.ts';
import type { PlotLayout } from './layout.ts';
import type { AxisSpec } from './scales.ts';

interface AxesProps {
  readonly layout: Pick<PlotLayout, 'left' | 'right' | 'bottom' | 'x' | 'y'>;
  readonly x: AxisSpec;
  readonly y: AxisSpec;
  readonly em: number;
}

/** The text of a tick; a power of ten has its exponent raised by markup, for which no font needs a glyph. */
function TickText({ text }: { readonly text: string }) {
  const power = splitPower(text);
  if (!power) return text;
  return (
    <>
      {power.base}
      <tspan dy="-0.45em" font-size="0.75em">
        {power.exponent}
      </tspan>
    </>
  );
}

export function Axes({ layout, x, y, em }: AxesProps) {
  const { left, right, bottom } = layout;
  return (
    <g class="chart-axes" aria-hidden="true">
      {layout.y.ticks.map(({ value, text }) => {
        const at = layout.y.at(value);
        return (
          <g key={value}>
            <line class="chart-grid" x1={left} x2={right} y1={at} y2={at} />
            <text class="chart-tick" x={left - 5} y={at} dy="0.32em" text-anchor="end">
              <TickText text={text} />
            </text>
          </g>
        );
      })}
      <line class="chart-axis" x1={left} x2={right} y1={bottom} y2={bottom} />
      {layout.x.ticks.map(({ value, text }) => {
        const at = layout.x.at(value);
        return (
          <g key={value}>
            <line class="chart-axis" x1={at} x2={at} y1={bottom} y2={bottom + 4} />
            <text class="chart-tick" x={at} y={bottom + 4 + 0.95 * em} text-anchor="middle">
              <TickText text={text} />
            </text>
          </g>
        );
      })}
      <text class="chart-axis-title" x={(left + right) / 2} y={bottom + 4 + 2.15 * em} text-anchor="middle">
        {withUnit(x.label, x.unit)}
      </text>
      <text class="chart-axis-title" x={0} y={0.95 * em}>
        {withUnit(y.label, y.unit)}
      </text>
    </g>
  );
}
