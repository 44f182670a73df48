/** The runs that lie over the charts, each with its dash: pointing at one brings its lines forward. */
import { useRun } from '../state/context.ts';

export function OverlaidLegend() {
  const { overlaid, highlightedRun } = useRun().charts;
  if (overlaid.value.length === 0) return null;
  return (
    <ul class="overlaid-legend" aria-label="Runs beside this one">
      {overlaid.value.map(({ id, title, dash }) => (
        <li
          key={id}
          onPointerEnter={() => {
            highlightedRun.value = id;
          }}
          onPointerLeave={() => {
            highlightedRun.value = undefined;
          }}
        >
          <svg width="22" height="10" viewBox="0 0 22 10" aria-hidden="true">
            <path d="M1 5H21" stroke="currentColor" stroke-width="1.4" stroke-dasharray={dash} />
          </svg>
          {title}
        </li>
      ))}
    </ul>
  );
}
