/** What the brush is set to: adding, erasing or moving, its size and spacing, what its gauges observe. */
import { formatNumber } from '../../format/numbers.ts';
import { useRun } from '../../document/context.ts';
import { GAUGE_HANDS, WIDEST_BRUSH, WIDEST_SPACING } from './gauge-tool.ts';
import type { GaugeHand } from './gauge-tool.ts';
import type { ObservedVariable } from '../../document/scenario/changes.ts';
import { Stepper } from './stepper.tsx';
import { worldOf } from './world-state.ts';

const HANDS: Readonly<Record<GaugeHand, { readonly title: string; readonly help: string }>> = {
  paint: {
    title: 'Add',
    help: 'The brush adds gauges; Delete at the crosshair, or the eraser of a pen, takes them away',
  },
  erase: { title: 'Erase', help: 'The brush removes fixed gauges' },
  move: { title: 'Move', help: 'Drag a gauge to another place; with keys, Enter takes it up and puts it down' },
};

/** What can be observed, with its unit. */
const VARIABLES: readonly { readonly id: ObservedVariable; readonly symbol: string; readonly unit: string }[] = [
  { id: 'h', symbol: 'h', unit: 'm' },
  { id: 'eta', symbol: 'η', unit: 'm' },
  { id: 'hu', symbol: 'hu', unit: 'm²/s' },
  { id: 'hv', symbol: 'hv', unit: 'm²/s' },
  { id: 'u', symbol: 'u', unit: 'm/s' },
  { id: 'v', symbol: 'v', unit: 'm/s' },
  { id: 'speed', symbol: 'speed', unit: 'm/s' },
];
/** The one variable of a ring has no unit. */
const OF_RING: typeof VARIABLES = [{ id: 'x', symbol: 'x', unit: '' }];
const LEAST_ERROR = 1e-12;
const GREATEST_ERROR = 1e6;

function Hands() {
  const { hand, giveUp } = worldOf(useRun()).gauges;
  return (
    <div class="world-hands" role="radiogroup" aria-label="What the brush does">
      {GAUGE_HANDS.map((each) => (
        <label key={each} class="button" title={HANDS[each].help}>
          <input
            type="radio"
            class="visually-hidden"
            name="gauge-hand"
            checked={hand.value === each}
            onChange={() => {
              giveUp();
              hand.value = each;
            }}
          />
          {HANDS[each].title}
        </label>
      ))}
    </div>
  );
}

export function GaugeControls() {
  const {
    course: { info },
  } = useRun();
  const { gauges } = worldOf(useRun());
  const { brush, spacing, instrument, hand, setVariable, setError } = gauges;
  const { variable, errorStandardDeviation } = instrument.value;
  const { dx = 1, dy = 1, isRing = false } = info.value?.basin ?? {};
  const variables = isRing ? OF_RING : VARIABLES;
  const cell = Math.min(dx, dy);
  return (
    <>
      <Hands />
      <Stepper
        label="Brush"
        help={isRing ? 'Places under the brush; + and − on the stage' : 'Width of the brush, m; + and − on the stage'}
        unit={isRing ? 'places' : 'm'}
        value={Number(((2 * brush.value + 1) * cell).toPrecision(6))}
        least={cell}
        most={(2 * WIDEST_BRUSH + 1) * cell}
        step={2 * cell}
        onValue={(width) => {
          brush.value = Math.round((width / cell - 1) / 2);
        }}
      />
      {hand.value === 'paint' && (
        <>
          <Stepper
            label="Every"
            help={
              isRing
                ? 'Places from one gauge to the next'
                : `Cells from one gauge to the next: one every ${formatNumber(spacing.value * cell)} m`
            }
            unit={isRing ? 'places' : 'cells'}
            value={spacing.value}
            least={1}
            most={WIDEST_SPACING}
            step={1}
            onValue={(cells) => {
              spacing.value = Math.round(cells);
            }}
          />
          <select
            class="select"
            aria-label="What new gauges observe"
            title={
              isRing
                ? 'What new gauges observe: the variable of the ring'
                : 'What new gauges observe: depth, surface elevation, momenta, velocities, or the speed'
            }
            value={variable}
            onChange={(event) => setVariable(event.currentTarget.value)}
          >
            {variables.map(({ id, symbol, unit }) => (
              <option key={id} value={id}>
                {unit === '' ? symbol : `${symbol} (${unit})`}
              </option>
            ))}
          </select>
          <Stepper
            label="Error"
            help="Standard deviation of their errors"
            unit={variables.find(({ id }) => id === variable)?.unit ?? ''}
            value={errorStandardDeviation}
            least={LEAST_ERROR}
            most={GREATEST_ERROR}
            onValue={setError}
          />
        </>
      )}
    </>
  );
}
