/** The legend of all charts: pointing at a method brings it forward everywhere, a click takes it away or back. */
import { useRun } from '../document/context.ts';
import type { MethodStyle } from '../document/views/method-style.ts';

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
