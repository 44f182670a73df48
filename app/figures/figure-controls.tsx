/** Controls in the heads of figures: zoom, whether axes are made for the free run too, and choices that are states of the charts. */
import { Choice } from '../controls/buttons.tsx';
import { useRun } from '../document/context.ts';
import { wholeDomain, zoomDomain } from '../plot/layout.ts';
import { chartsOf } from './chart-state.ts';
import type { FigureChoice, FigureControl } from './figure-data.ts';

export function Control({ control }: { readonly control: FigureControl }) {
  if (control === 'zoom') return <ZoomReset />;
  if (control === 'free run') return <FreeRunToggle />;
  return <FigureChoiceControl {...control} />;
}

/** A choice of a figure, which is a state of the charts. */
function FigureChoiceControl({ of, label, value, options }: FigureChoice) {
  const state: { value: string } = chartsOf(useRun())[of];
  return (
    <Choice
      label={label}
      value={value}
      options={options}
      onChange={(chosen) => {
        state.value = chosen;
      }}
    />
  );
}

const STEP = 0.5;
/** Cycles. */
const SMALLEST = 4;

/** Zooms the charts over time by a click: what dragging and the wheel also do. */
function ZoomReset() {
  const { lastCycle, cycleDomain, cycle } = useRun().course;
  const whole: readonly [number, number] = [0, Math.max(1, lastCycle.value)];
  const domain = cycleDomain.value ?? whole;
  const about = Math.min(domain[1], Math.max(domain[0], cycle.value));
  return (
    <span class="figure-zoom">
      <button
        type="button"
        class="icon-button"
        aria-label="Zoom in on the cycles"
        title="Zoom in (drag across a chart, or +)"
        disabled={domain[1] - domain[0] <= SMALLEST}
        onClick={() => {
          const next = zoomDomain(domain, whole, about, STEP, SMALLEST);
          if (next) cycleDomain.value = wholeDomain(next);
        }}
      >
        <Glyph path="M4 8h8M8 4v8" />
      </button>
      {cycleDomain.value !== undefined && (
        <button
          type="button"
          class="icon-button"
          aria-label="Show all cycles"
          title="Show all cycles (double click, or 0)"
          onClick={() => {
            cycleDomain.value = undefined;
          }}
        >
          <Glyph path="M3 4v8M13 4v8M5.5 8h5M7 6 5 8l2 2M9 6l2 2-2 2" />
        </button>
      )}
    </span>
  );
}

function Glyph({ path }: { readonly path: string }) {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <path
        d={path}
        fill="none"
        stroke="currentColor"
        stroke-width="1.5"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}

/** Only if there is something beside the free run. */
function FreeRunToggle() {
  const { withFreeRun } = chartsOf(useRun());
  return (
    <button
      type="button"
      class="button toggle"
      aria-label="Free run in the axes"
      aria-pressed={withFreeRun.value}
      title="Axes of errors reach up to the free run"
      onClick={() => {
        withFreeRun.value = !withFreeRun.value;
      }}
    >
      Free run
    </button>
  );
}
