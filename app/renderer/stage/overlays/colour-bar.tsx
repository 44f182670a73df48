/** Which colour is which value: a bar with its unit, lower right in the last view of each range. */
import { formatNumber, superscript } from '../../charts/numbers.ts';
import { fieldOf } from '../../state/fields.ts';
import type { FieldId } from '../../state/fields.ts';
import { rangeMode } from '../../state/view-state.ts';
import { cssColour, mapOfScale } from '../colour-maps.ts';
import type { Range } from '../ranges.ts';
import { useViewRoom } from './view-room.ts';

/** Stops of the bar's gradient: more than the eye tells apart at this size. */
const STOPS = 24;

/** @returns the power of ten that all numbers of a range share, so that these stay short; 0 where they are short */
export function sharedExponent({ from, to }: Range): number {
  const size = Math.max(Math.abs(from), Math.abs(to));
  return size > 0 && (size < 0.01 || size >= 1e4) ? Math.floor(Math.log10(size) + 1e-9) : 0;
}

/** @returns ends and middle of a range as texts, in units of its shared power of ten */
export function barTexts({ from, to }: Range): readonly [string, string, string] {
  const unit = 10 ** sharedExponent({ from, to });
  return [formatNumber(from / unit), formatNumber((from + to) / 2 / unit), formatNumber(to / unit)];
}

/** @returns `η (m)`, or `ζ (10⁻⁵ 1/s)` */
export function barTitle(field: FieldId, range: Range): string {
  const { symbol, unit } = fieldOf(field);
  const exponent = sharedExponent(range);
  return exponent === 0 ? `${symbol} (${unit})` : `${symbol} (10${superscript(exponent)} ${unit})`;
}

export function ColourBar({ field, range }: { readonly field: FieldId; readonly range: Range }) {
  const place = useViewRoom<HTMLDivElement>('bar');
  const { scale, unit, title } = fieldOf(field);
  const map = mapOfScale(scale, field);
  const colours = Array.from({ length: STOPS + 1 }, (_, n) => cssColour(map, n / STOPS));
  return (
    <div
      class="colour-bar"
      ref={place}
      role="img"
      aria-label={`${title}: colours from ${formatNumber(range.from)} to ${formatNumber(range.to)} ${unit}`}
    >
      <span class="colour-bar-title">
        {rangeMode.value === 'locked' && 'locked '}
        {barTitle(field, range)}
      </span>
      <span class="colour-bar-colours" style={{ background: `linear-gradient(to right, ${colours.join(', ')})` }} />
      <span class="colour-bar-texts number">
        {barTexts(range).map((text, n) => (
          <span key={n} style={{ left: `${50 * n}%` }}>
            {text}
          </span>
        ))}
      </span>
    </div>
  );
}
