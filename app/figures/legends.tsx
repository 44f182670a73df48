/** The legends of all charts: the methods, and the runs that are drawn over the charts. */
import { useRun } from '../document/context.ts';
import type { OverlaidRun } from '../document/lines/overlaid.ts';
import type { MethodStyle } from '../document/views/method-style.ts';
import { chartsOf } from './chart-state.ts';

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
