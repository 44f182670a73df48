/** A signal that is drawn by hand: with the pointer, or with the arrow keys point by point. */
import { useRef, useState } from 'preact/hooks';
import { takeKey } from '../../../plot/keys.ts';

interface SignalPadProps {
  /** Values from 0 to 1. */
  readonly signal: Float64Array;
  readonly onChange: (signal: Float64Array) => void;
}

/** What an arrow key changes a value by, and how many points the other two move by. */
const RISE = 0.05;
const STRIDE = 4;

function inside(share: number): number {
  return Math.min(1, Math.max(0, share));
}

/** Sets the points between two places to the line between their values. */
function withLine(signal: Float64Array, from: readonly [number, number], to: readonly [number, number]): Float64Array {
  const [[start, first], [end, last]] = from[0] <= to[0] ? [from, to] : [to, from];
  const share = (i: number): number => (end === start ? 1 : (i - start) / (end - start));
  return signal.map((value, i) => (i < start || i > end ? value : first + share(i) * (last - first)));
}

export function SignalPad({ signal, onChange }: SignalPadProps) {
  const [point, setPoint] = useState(0);
  const before = useRef<readonly [number, number] | undefined>(undefined);
  const most = signal.length - 1;
  const draw = (event: PointerEvent & { readonly currentTarget: SVGSVGElement }): void => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    const place = Math.round(inside((event.clientX - left) / width) * most);
    const drawn = [place, 1 - inside((event.clientY - top) / height)] as const;
    onChange(withLine(signal, before.current ?? drawn, drawn));
    before.current = drawn;
    setPoint(place);
  };
  const change = (by: number): void =>
    onChange(signal.map((value, i) => (Math.abs(i - point) < STRIDE / 2 ? inside(value + by) : value)));
  const onKeyDown = (event: KeyboardEvent): void => {
    takeKey<() => void>(event, {
      ArrowLeft: () => setPoint(Math.max(0, point - STRIDE)),
      ArrowRight: () => setPoint(Math.min(most, point + STRIDE)),
      ArrowUp: () => change(RISE),
      ArrowDown: () => change(-RISE),
    })?.();
  };
  return (
    <svg
      class="papers-pad"
      viewBox={`0 0 ${most} 100`}
      preserveAspectRatio="none"
      role="slider"
      tabIndex={0}
      aria-label="Draw the signal: left and right choose a point, up and down change its value"
      aria-valuemin={0}
      aria-valuemax={1}
      aria-valuenow={signal[point]}
      aria-valuetext={`point ${point}, ${signal[point].toFixed(2)}`}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        draw(event);
      }}
      onPointerMove={(event) => {
        if (before.current) draw(event);
      }}
      onPointerUp={() => {
        before.current = undefined;
      }}
    >
      <line x1={point} x2={point} y1={0} y2={100} />
      <polyline points={Array.from(signal, (value, i) => `${i},${100 - 100 * value}`).join(' ')} />
    </svg>
  );
}
