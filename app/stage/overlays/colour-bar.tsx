/** Which colour is which value: a bar with its unit, under the views, or in a view that has a range of its own. */
import { formatNumber, formatQuantity } from '../../format/numbers.ts';
import { useRun } from '../../document/context.ts';
import type { RunView } from '../../document/run-view.ts';
import { barTexts, barTitle } from '../../document/views/bar-words.ts';
import { cssColour } from '../../fields/colour-maps.ts';
import type { Range } from '../../fields/ranges.ts';
import type { FieldWords } from '../../document/views/shown-planes.ts';
import { useViewRoom } from '../stage-state.ts';

/** Stops of the bar's gradient: more than the eye distinguishes at this size. */
const STOPS = 24;

interface ColourBarProperties {
  /** What is said of the numbers. */
  readonly words: FieldWords;
  readonly range: Range;
  /** Whether the range is of numbers that were seen. */
  readonly isKnown: boolean;
  /** The cycle at which the range last grew. */
  readonly grownAt: number | undefined;
}

/** @returns what became of the range, in words */
function rangeWords(run: RunView, { grownAt, range, words: { unit } }: ColourBarProperties): string | undefined {
  const { rangeMode } = run.view;
  if (grownAt === undefined || rangeMode.value === 'locked') return undefined;
  return `The range is held for the run. It grew to ${formatQuantity(range.to, unit)} at cycle ${String(grownAt)}, where values went beyond it.`;
}

function Bar(properties: ColourBarProperties) {
  const run = useRun();
  const { rangeMode } = run.view;
  const { words, range, isKnown, grownAt } = properties;
  const { colourMap, unit, title, description } = words;
  const colours = Array.from({ length: STOPS + 1 }, (_, n) => cssColour(colourMap, n / STOPS));
  const [from, middle, to] = barTexts(range, isKnown);
  const grown = rangeWords(run, properties);
  const reach = isKnown
    ? `colours from ${formatNumber(range.from)} over ${middle} to ${formatQuantity(range.to, unit)}`
    : 'no numbers other than 0 yet';
  return (
    <>
      <span class="colour-bar-title" title={`${title}: ${description}`}>
        {rangeMode.value === 'locked' && 'locked '}
        {barTitle(words, range)}
      </span>
      <span class="colour-bar-text number">{from}</span>
      <span
        class="colour-bar-colours"
        role="img"
        aria-label={`${title}: ${reach}`}
        aria-busy={!isKnown}
        style={{ background: `linear-gradient(to right, ${colours.join(', ')})` }}
      />
      <span class="colour-bar-text number">{to}</span>
      {grown !== undefined && (
        <span class="colour-bar-grown" title={grown}>
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
