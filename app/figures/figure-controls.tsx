/**
 * Controls in the heads of figures (zoom, whether axes are made for the free run too, choices that are states of the charts), and the
 * legends of all charts.
 */
import { Choice } from '../controls/buttons.tsx';
import { useRun } from '../document/context.ts';
import { wholeDomain, zoomDomain } from '../plot/layout.ts';
import { chartsOf } from './chart-state.ts';
import type { FigureChoice, FigureControl } from './figure-data.ts';
import type { OverlaidRun } from '../document/lines/overlaid.ts';
import type { MethodStyle } from '../document/views/method-style.ts';

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

/** The methods: pointing at one brings it forward everywhere, a click takes it away or back. */
export function MethodLegend({ styles }: { readonly styles: readonly MethodStyle[] }) {
  const { hiddenMethods, toggleMethod, highlightedMethod } = useRun().view;
  return (
    <div class="method-legend" role="group" aria-label="Methods shown">
      {styles.map(({ label, title, colour, dash }) => (
        <button
          key={label}
          type="button"
          aria-pressed={!hiddenMethods.value.has(label)}
          title={`${hiddenMethods.value.has(label) ? 'Show' : 'Hide'} ${title}`}
          onClick={() => toggleMethod(label)}
          onPointerEnter={() => {
            highlightedMethod.value = label;
          }}
          onPointerLeave={() => {
            highlightedMethod.value = undefined;
          }}
        >
          <svg width="22" height="10" viewBox="0 0 22 10" aria-hidden="true">
            <path d="M1 5H21" stroke={colour} stroke-width="2.4" stroke-dasharray={dash} />
          </svg>
          {title}
        </button>
      ))}
    </div>
  );
}

/** Strokes that a legend has room for. */
const MOST_STROKES = 4;

/** @returns colours of the curves of a run beside this one, in its methods' order */
export function coloursOf({ styles, diagnostics }: Pick<OverlaidRun, 'styles' | 'diagnostics'>): readonly string[] {
  return styles.filter(({ label }) => (diagnostics.get(label)?.length ?? 0) > 0).map(({ colour }) => colour);
}

function Strokes({ run }: { readonly run: OverlaidRun }) {
  const colours = coloursOf(run).slice(0, MOST_STROKES);
  const shown = colours.length > 0 ? colours : ['currentColor'];
  const height = 4 * shown.length + 6;
  return (
    <svg width="22" height={height} viewBox={`0 0 22 ${height}`} aria-hidden="true">
      {shown.map((colour, n) => (
        <path
          key={colour}
          d={`M1 ${5 + 4 * n}H21`}
          stroke-width="1.4"
          stroke-dasharray={run.dash}
          style={{ stroke: colour }}
        />
      ))}
    </svg>
  );
}

/** The overlaid runs, each in the colours of its curves: pointing at one brings its lines forward. */
export function OverlaidLegend() {
  const { overlaid, highlightedRun } = chartsOf(useRun());
  if (overlaid.value.length === 0) return null;
  return (
    <ul class="overlaid-legend" aria-label="Runs beside this one">
      {overlaid.value.map((run) => (
        <li
          key={run.id}
          onPointerEnter={() => {
            highlightedRun.value = run.id;
          }}
          onPointerLeave={() => {
            highlightedRun.value = undefined;
          }}
        >
          <Strokes run={run} />
          {run.title}
        </li>
      ))}
    </ul>
  );
}
