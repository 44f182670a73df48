/** Which colour is which value: a bar with its unit, under the views, or in a view that has a range of its own. */
import { formatNumber, superscript } from '../../charts/numbers.ts';
import { fieldOf } from '../../state/fields.ts';
import type { FieldId } from '../../state/fields.ts';
import { rangeMode } from '../../state/view-state.ts';
import { cssColour } from '../colour-maps.ts';
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

interface ColourBarProperties {
  readonly field: FieldId;
  readonly range: Range;
  /** The cycle at which the range last grew. */
  readonly grownAt: number | undefined;
}

/** @returns what became of the range, in words */
function rangeWords({ grownAt, range, field }: ColourBarProperties): string | undefined {
  if (grownAt === undefined || rangeMode.value === 'locked') return undefined;
  const { unit } = fieldOf(field);
  return `The range is held for the run. It grew to ${formatNumber(range.to)} ${unit} at cycle ${String(grownAt)}, where values went beyond it.`;
}

function Bar(properties: ColourBarProperties) {
  const { field, range, grownAt } = properties;
  const { colourMap, unit, title } = fieldOf(field);
  const colours = Array.from({ length: STOPS + 1 }, (_, n) => cssColour(colourMap, n / STOPS));
  const [from, middle, to] = barTexts(range);
  const words = rangeWords(properties);
  return (
    <>
      <span class="colour-bar-title">
        {rangeMode.value === 'locked' && 'locked '}
        {barTitle(field, range)}
      </span>
      <span class="colour-bar-text number">{from}</span>
      <span
        class="colour-bar-colours"
        role="img"
        aria-label={`${title}: colours from ${formatNumber(range.from)} over ${middle} to ${formatNumber(range.to)} ${unit}`}
        style={{ background: `linear-gradient(to right, ${colours.join(', ')})` }}
      />
      <span class="colour-bar-text number">{to}</span>
      {words !== undefined && (
        <span class="colour-bar-grown" title={words}>
          grown, cycle {grownAt}
        </span>
      )}
    </>
  );
}

/** In the strip under the views. */
export function ColourBar(properties: ColourBarProperties) {
  return (
    <div class="colour-bar">
      <Bar {...properties} />
    </div>
  );
}

/** In the lower right of a view. */
export function ColourBarOfView(properties: ColourBarProperties) {
  const place = useViewRoom<HTMLDivElement>('bar');
  return (
    <div class="colour-bar colour-bar-of-view" ref={place}>
      <Bar {...properties} />
    </div>
  );
}
