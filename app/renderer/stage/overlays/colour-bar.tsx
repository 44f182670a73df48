/** Which colour is which value: one bar for each range in use, with its unit. */
import { scaleLinear } from 'd3';
import { formatNumber } from '../../charts/numbers.ts';
import { fieldOf } from '../../state/fields.ts';
import type { FieldId } from '../../state/fields.ts';
import { look, rangeMode } from '../../state/view-state.ts';
import { cssColour, mapOfScale } from '../colour-maps.ts';
import type { Range } from '../ranges.ts';
import { barredViews } from '../barred-views.ts';
import { drawnFrame } from '../stage-state.ts';

const HEIGHT = 8;
/** Stops of the bar's gradient: more than the eye tells apart at this size. */
const STOPS = 24;

function ticksOf(range: Range, width: number): number[] {
  const ticks = scaleLinear([range.from, range.to], [0, width]).ticks(width > 150 ? 4 : 2);
  const middle = range.from < 0 && range.to > 0 ? [0] : [];
  return [...new Set([range.from, ...middle, ...ticks.filter((_, n) => width > 150 || n % 2 === 0), range.to])].sort(
    (a, b) => a - b,
  );
}

function Bar({ field, range, width }: { readonly field: FieldId; readonly range: Range; readonly width: number }) {
  const { scale, symbol, unit, title } = fieldOf(field);
  const map = mapOfScale(scale, field);
  const id = `colour-bar-${field}-${String(range.from)}-${String(range.to)}`;
  const span = range.to - range.from;
  const shown = [range.from, (range.from + range.to) / 2, range.to];
  const texts = width > 200 ? ticksOf(range, width) : shown;
  // Texts that would touch are left out, the ends stay.
  const kept = texts.filter((value, n) => {
    const at = ((value - range.from) / span) * width;
    return n === 0 || n === texts.length - 1 || (at > 34 && at < width - 34);
  });
  return (
    <svg
      class="colour-bar"
      width={width + 48}
      height={36}
      role="img"
      aria-label={`${title}: colours from ${formatNumber(range.from)} to ${formatNumber(range.to)} ${unit}`}
    >
      <defs>
        <linearGradient id={id}>
          {Array.from({ length: STOPS + 1 }, (_, n) => (
            <stop key={n} offset={n / STOPS} stop-color={cssColour(map, n / STOPS)} />
          ))}
        </linearGradient>
      </defs>
      <text class="colour-bar-title" x={24 + width} y={9} text-anchor="end">
        {`${symbol} (${unit})${rangeMode.value === 'locked' ? ' locked' : ''}`}
      </text>
      <rect x={24} y={13} width={width} height={HEIGHT} rx={2} fill={`url(#${id})`} />
      {kept.map((value) => {
        const at = 24 + ((value - range.from) / span) * width;
        return (
          <g key={value}>
            <line class="colour-bar-tick" x1={at} x2={at} y1={13 + HEIGHT} y2={16 + HEIGHT} />
            <text
              class="colour-bar-text number"
              x={value === range.to ? Math.min(at + 20, width + 44) : at}
              y={33}
              text-anchor={value === range.to ? 'end' : 'middle'}
            >
              {formatNumber(value)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

export function ColourBars() {
  const frame = drawnFrame.value;
  if (!frame) return null;
  return (
    <>
      {barredViews(frame.views, look.value).map(({ key, rect, field, range }) => {
        const width = Math.max(80, Math.min(200, Math.round(rect.width * 0.42)));
        return (
          <div
            key={key}
            class="colour-bar-place"
            style={{ left: `${rect.x + rect.width - width - 48}px`, top: `${rect.y + rect.height - 42}px` }}
          >
            <Bar field={field} range={range} width={width} />
          </div>
        );
      })}
    </>
  );
}
