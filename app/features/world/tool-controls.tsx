/** What the tools are set to: the brush of gauges, drops, islands; numbers are typed, stepped with arrows, or by two buttons. */
import { useRun } from '../../document/context.ts';
import type { SeenBy, ObservedVariable } from '../../document/scenario/changes.ts';
import { HIGHEST } from './round-tools.ts';
import { worldOf } from './world-state.ts';
import { formatNumber } from '../../format/numbers.ts';
import { GAUGE_HANDS, WIDEST_BRUSH, WIDEST_SPACING, type GaugeHand } from './gauge-tool.ts';
import { useState } from 'preact/hooks';
import { parseNumber, stepNumber } from '../../form/number-field.tsx';
import { clip } from './tools.ts';

interface Properties {
  readonly label: string;
  /** What it means, where the label does not say it. */
  readonly help?: string;
  readonly unit: string;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  /** One step; a step of the number's own size if omitted. */
  readonly step?: number;
  readonly onValue: (value: number) => void;
}

/** The sign of a button, on a grid of 16. */
const SIGNS = { less: 'M3.500 8h9', more: 'M3.500 8h9M8 3.500v9' } as const;

/** A number with its unit that is typed, stepped with the arrows, or changed by two buttons that a finger reaches. */
function Stepper({ label, help = label, unit, value, least, most, step, onValue }: Properties) {
  const [typed, setTyped] = useState<string>();
  const set = (wanted: number): void => {
    setTyped(undefined);
    const next = clip(wanted, least, most);
    if (next !== value) onValue(next);
  };
  const go = (steps: number): void =>
    set(step === undefined ? stepNumber(value, steps, false, {}) : value + steps * step);
  /** A number that is allowed counts as soon as it is typed: the next stroke is drawn with it. */
  const type = (written: string): void => {
    setTyped(written);
    const wanted = parseNumber(written);
    if (wanted !== undefined && wanted >= least && wanted <= most && wanted !== value) onValue(wanted);
  };
  const commit = (): void => {
    const wanted = typed === undefined ? undefined : parseNumber(typed);
    if (wanted === undefined) setTyped(undefined);
    else set(wanted);
  };
  const button = (sign: keyof typeof SIGNS, steps: number, isAtEnd: boolean) => (
    <button
      type="button"
      class="icon-button"
      aria-label={`${label}: ${sign}`}
      disabled={isAtEnd}
      onClick={() => go(steps)}
    >
      <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
        <path d={SIGNS[sign]} />
      </svg>
    </button>
  );
  return (
    <div class="stepper" title={help}>
      <label>
        <span class="label">{label}</span>
        <input
          class="input number"
          type="text"
          inputMode="decimal"
          autocomplete="off"
          spellcheck={false}
          aria-label={unit === '' ? label : `${label}, ${unit}`}
          value={typed ?? String(value)}
          onInput={(event) => type(event.currentTarget.value)}
          onBlur={commit}
          onKeyDown={(event) => {
            const steps = { ArrowUp: 1, ArrowDown: -1 }[event.key];
            if (event.key === 'Enter') commit();
            else if (event.key === 'Escape' && typed !== undefined) setTyped(undefined);
            else if (steps !== undefined) go(steps);
            else return;
            event.preventDefault();
            event.stopPropagation();
          }}
        />
        {unit !== '' && (
          <span class="label" aria-hidden="true">
            {unit}
          </span>
        )}
      </label>
      {button('less', -1, value <= least)}
      {button('more', 1, value >= most)}
    </div>
  );
}

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

/** What the brush is set to: adding, erasing or moving, its size and spacing, what its gauges observe. */
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

const SEEN_BY: readonly { readonly id: SeenBy; readonly title: string }[] = [
  { id: 'truth', title: 'the truth alone' },
  { id: 'all', title: 'truth and members' },
  { id: 'each', title: 'each its own' },
];
const SEEN_BY_HELP =
  'The truth alone: a model error, of which no method knows. Truth and members: all know it. Each its own: every member has a drop that differs from the truth’s.';

interface RadiusProperties {
  readonly radius: number;
  readonly least: number;
  readonly most: number;
  readonly onRadius: (metres: number) => void;
}

function Radius({ radius, least, most, onRadius }: RadiusProperties) {
  return (
    <Stepper
      label="Radius"
      help="Where the height has fallen to 29 %; drag on the stage, or + and −"
      unit="m"
      value={radius}
      least={least}
      most={most}
      onValue={onRadius}
    />
  );
}

export function DropControls() {
  const { radius, setRadius, radiusLimits, height, setHeight, seenBy } = worldOf(useRun()).drop;
  const [least, most] = radiusLimits.value;
  return (
    <>
      <Radius radius={radius.value} least={least} most={most} onRadius={setRadius} />
      <Stepper
        label="Height"
        help="How far it raises the water in its middle; below zero it takes water away"
        unit="m"
        value={height.value}
        least={-HIGHEST}
        most={HIGHEST}
        onValue={setHeight}
      />
      <label class="world-choice" title={SEEN_BY_HELP}>
        <span class="label">Seen by</span>
        <select
          class="select"
          value={seenBy.value}
          onChange={(event) => {
            seenBy.value = event.currentTarget.value as SeenBy;
          }}
        >
          {SEEN_BY.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

export function IslandControls() {
  const world = worldOf(useRun());
  const { radius, setRadius, radiusLimits, height, setHeight, placed, confirm } = world.island;
  const [least, most] = radiusLimits.value;
  return (
    <>
      <Radius radius={radius.value} least={least} most={most} onRadius={setRadius} />
      <Stepper
        label="Height"
        help="How far it raises the bed in its middle"
        unit="m"
        value={height.value}
        least={0.001}
        most={HIGHEST}
        onValue={setHeight}
      />
      <button
        type="button"
        class="button primary"
        disabled={placed.value === undefined || world.refusalOf('island') !== undefined}
        title={placed.value ? 'Restarts the run with the island in its bed' : 'Place it on the stage first'}
        onClick={confirm}
      >
        Raise it and start again
      </button>
    </>
  );
}
