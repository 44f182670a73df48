/** The runs that are drawn over the charts, each in the colours of its curves: pointing at one brings its lines forward. */
import { useRun } from '../document/context.ts';
import type { OverlaidRun } from '../document/lines/overlaid.ts';
import { chartsOf } from './chart-state.ts';

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
