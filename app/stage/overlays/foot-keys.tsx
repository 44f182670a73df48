/** Keys to colours that no field has: the light of an increment while it comes in, and the heads of the stems. */
import { formatNumber, formatQuantity } from '../../format/numbers.ts';
import { useRun } from '../../document/context.ts';
import { fieldIn, fieldOf } from '../../fields/fields.ts';
import type { RunView } from '../../document/run-view.ts';
import { barTexts, barTitle } from '../../document/views/bar-words.ts';
import { cssColour } from '../../fields/colour-maps.ts';
import { incrementGradient } from '../lit-increment.ts';
import { stageOf } from '../stage-state.ts';

/** @returns the increment that is lit in full, while water on screen is lit; undefined otherwise */
export function litNow(run: RunView): number | undefined {
  const { view } = run;
  const { drawnFrame, drawnLeg } = stageOf(run);
  const frame = drawnFrame.value;
  if (drawnLeg.value !== 'increment' || view.phase.value === 'forecast' || !frame) return undefined;
  const isLit = frame.views.some(({ field }) => fieldOf(field).isWater);
  return isLit && frame.incrementAtFull > 0 ? frame.incrementAtFull : undefined;
}

/** In place of the bars of the water: which light is which increment. */
export function IncrementBar({ full }: { readonly full: number }) {
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
export function StemKey() {
  const {
    view: { showsObservations, world },
  } = useRun();
  const { innovationAtFull } = stageOf(useRun());
  const full = innovationAtFull.value;
  if (!showsObservations.value || full <= 0) return null;
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
