/** A method's colour and dash as a short line, as charts draw it. */
import type { MethodStyle } from '../document/views/method-style.ts';

export function Swatch({ style }: { readonly style: Pick<MethodStyle, 'colour' | 'dash'> }) {
  return (
    <svg class="method-line" width="18" height="8" viewBox="0 0 18 8" aria-hidden="true" focusable="false">
      <line
        x1="1"
        x2="17"
        y1="4"
        y2="4"
        stroke-width="2.5"
        stroke-dasharray={style.dash}
        style={{ stroke: style.colour }}
      />
    </svg>
  );
}
