/**
 * The strip under the views: which part of the cycle is on screen, what is to be said, and which colour is which value. It has
 * one height, so that nothing that comes or goes moves the water; and nothing covers the water.
 */
import type { ComponentChildren } from 'preact';
import { useRun } from '../../document/context.ts';
import { barredViews } from '../view-words.ts';
import type { Leg } from '../passage.ts';
import { fieldOf, fieldIn } from '../../fields/fields.ts';
import { stageOf, useViewRoom } from '../stage-state.ts';
import { formatNumber, formatQuantity } from '../../format/numbers.ts';
import type { RunView } from '../../document/run-view.ts';
import { barTexts, barTitle } from '../../document/views/shown-planes.ts';
import { cssColour, incrementGradient } from '../../fields/colours.ts';
import type { DrawnView } from '../stage-model.ts';

/** Stops of the bar's gradient: more than the eye distinguishes at this size. */
const STOPS = 24;

interface ColourBarProperties {
  /** Whose colours they are. */
  readonly view: Pick<DrawnView, 'words' | 'range' | 'colourAt' | 'rangeIsKnown' | 'grownAt'>;
}

/** @returns what became of the range, in words */
function rangeWords(
  run: RunView,
  { grownAt, range, words: { unit } }: ColourBarProperties['view'],
): string | undefined {
  const { rangeMode } = run.view;
  if (grownAt === undefined || rangeMode.value === 'locked') return undefined;
  return `The range is held for the run. It grew to ${formatQuantity(range.to, unit)} at cycle ${String(grownAt)}, where values went beyond it.`;
}

function Bar({ view }: ColourBarProperties) {
  const run = useRun();
  const { rangeMode } = run.view;
  const { words, range, colourAt, rangeIsKnown: isKnown, grownAt } = view;
  const { unit, title, description } = words;
  const colours = Array.from({ length: STOPS + 1 }, (_, n) => colourAt(n / STOPS));
  const [from, middle, to] = barTexts(range, isKnown);
  const grown = rangeWords(run, view);
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
function ColourBar(properties: ColourBarProperties) {
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

/** @returns the increment that is lit in full, while water on screen is lit; undefined otherwise */
function litNow(run: RunView): number | undefined {
  const { view } = run;
  const { drawnFrame, drawnLeg } = stageOf(run);
  const frame = drawnFrame.value;
  if (drawnLeg.value !== 'increment' || view.phase.value === 'forecast' || !frame) return undefined;
  const isLit = frame.views.some(({ field }) => fieldOf(field).isWater);
  return isLit && frame.incrementAtFull > 0 ? frame.incrementAtFull : undefined;
}

/** In place of the bars of the water: which light is which increment. */
function IncrementBar({ full }: { readonly full: number }) {
  const { world } = useRun().view;
  const { symbol, unit, description } = fieldIn(world.value, 'increment');
  const range = { from: -full, to: full };
  const [from, , to] = barTexts(range, true);
  return (
    <div class="colour-bar">
      <span class="colour-bar-title" title={description}>
        {barTitle({ symbol, unit }, range)}
      </span>
      <span class="colour-bar-text number">{from}</span>
      <span
        class="colour-bar-colours"
        role="img"
        aria-label={`Increment: blue where the analysis lowers the water, gold where it raises it, full colour at ${formatQuantity(full, unit)}`}
        style={{ background: incrementGradient('var(--control-line)') }}
      />
      <span class="colour-bar-text number">{to}</span>
    </div>
  );
}

/** What the colours of the stems' heads say, while there are any on screen. */
function StemKey() {
  const {
    course: { cycle },
    heads,
    view: { showsObservations, world },
  } = useRun();
  const { innovationAtFull } = stageOf(useRun());
  const full = innovationAtFull.value;
  if (!showsObservations.value || full <= 0) return null;
  const shown = heads.value;
  if (shown?.cycle === cycle.value) {
    return (
      <p class="stem-key" title={shown.help}>
        Observation
        <i style={{ background: cssColour('diverging', 1) }} /> {shown.above}
        <i style={{ background: cssColour('diverging', 0) }} /> {shown.below}
      </p>
    );
  }
  const unit = world.value?.isRing ? '' : ' m';
  return (
    <p
      class="stem-key"
      title={`Heads of the stems show the innovation, observation minus forecast; full colour from ${formatNumber(full)}${unit} on`}
    >
      Observation
      <i style={{ background: cssColour('diverging', 1) }} /> above
      <i style={{ background: cssColour('diverging', 0) }} /> below forecast
    </p>
  );
}

const LEGS: readonly { readonly id: Leg; readonly title: string; readonly help: string }[] = [
  { id: 'forecast', title: 'Forecast', help: 'The model carries each method’s water to the time of the observations.' },
  {
    id: 'increment',
    title: 'Increment',
    help: 'The observations come in: water that they raise is lit gold, water that they lower blue.',
  },
  { id: 'analysis', title: 'Analysis', help: 'The water after the observations: what each method believes now.' },
];

function Legs() {
  const {
    view: { phase },
  } = useRun();
  const { drawnLeg } = stageOf(useRun());
  const shown: Leg = drawnLeg.value === 'analysis' ? phase.value : drawnLeg.value;
  return (
    <ol class="legs" aria-label="Part of the cycle on screen">
      {LEGS.map(({ id, title, help }) => (
        <li key={id} class={`leg leg-${id}`} aria-current={id === shown ? 'step' : undefined} title={help}>
          {title}
        </li>
      ))}
    </ol>
  );
}

/** One bar for each field, and while an increment is lit one for its light; ranges of single views are said in these. */
function Bars() {
  const run = useRun();
  const {
    view: { rangeMode },
  } = run;
  const { drawnFrame } = stageOf(run);
  const lit = litNow(run);
  const views = rangeMode.value === 'auto' ? [] : (drawnFrame.value?.views ?? []);
  // While its increment is lit, water does not show its own colours.
  const plain = views.filter(({ field }) => lit === undefined || !fieldOf(field).isWater);
  return (
    <div class="foot-bars">
      <StemKey />
      {lit !== undefined && <IncrementBar full={lit} />}
      {barredViews(plain).map((view) => (
        <ColourBar key={view.key} view={view} />
      ))}
    </div>
  );
}

export function StageFoot({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="stage-foot">
      <Legs />
      <div class="foot-words">{children}</div>
      <Bars />
    </div>
  );
}
