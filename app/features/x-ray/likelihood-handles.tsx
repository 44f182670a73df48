/** The likelihood in the hand: one handle moves what was read, the other its error; arrow keys do as well. */
import type { TargetedKeyboardEvent, TargetedPointerEvent } from 'preact';
import { formatQuantity } from '../../format/numbers.ts';
import type { BayesLayout } from './bayes-layout.ts';
import { boundedError, movedError, movedValue } from './likelihood.ts';
import type { Reading } from './likelihood.ts';

interface HandleProperties {
  readonly label: string;
  readonly text: string;
  readonly value: number;
  readonly bounds: readonly [number, number];
  /** Pixels of its middle. */
  readonly x: number;
  readonly y: number;
  readonly kind: 'value' | 'error';
  /** @param pixel along the axis */
  readonly onDrag: (pixel: number) => void;
  /** @returns whether the key meant something */
  readonly onKey: (event: TargetedKeyboardEvent<HTMLElement>) => boolean;
  readonly onHold: (held: boolean) => void;
}

function Handle({ label, text, value, bounds, x, y, kind, onDrag, onKey, onHold }: HandleProperties) {
  const drag = (event: TargetedPointerEvent<HTMLElement>): void => {
    const box = event.currentTarget.parentElement?.getBoundingClientRect();
    if (box && event.currentTarget.hasPointerCapture(event.pointerId)) onDrag(event.clientX - box.left);
  };
  return (
    <div
      class={`bayes-handle bayes-handle-${kind}`}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={bounds[0]}
      aria-valuemax={bounds[1]}
      aria-valuetext={text}
      title={label}
      style={{ left: `${x}px`, top: `${y}px` }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        onHold(true);
      }}
      onPointerMove={drag}
      onLostPointerCapture={() => onHold(false)}
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || !onKey(event)) return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}

interface HandlesProperties {
  readonly layout: BayesLayout;
  readonly reading: Reading;
  /** As the observation was. */
  readonly own: Reading;
  readonly unit: string;
  readonly onRead: (reading: Partial<Reading>) => void;
  /** A handle was grabbed, or released. */
  readonly onHold: (held: boolean) => void;
}

/** Value and σₒ as two sliders over the topmost curve. */
export function LikelihoodHandles({
  layout: { x, top, left, right },
  reading,
  own,
  unit,
  onRead,
  onHold,
}: HandlesProperties) {
  const { value, errorStd } = reading;
  const within = (pixel: number): number => Math.min(right, Math.max(left, pixel));
  return (
    <>
      <Handle
        kind="value"
        label="What the observation has read"
        text={formatQuantity(value, unit)}
        value={value}
        bounds={x.domain}
        x={within(x.at(value))}
        y={top.baseline - 0.62 * top.height}
        onHold={onHold}
        onDrag={(pixel) => onRead({ value: x.invert(within(pixel)) })}
        onKey={({ key, shiftKey }) => {
          const next = movedValue(reading, key, shiftKey);
          if (next !== undefined) onRead({ value: next });
          return next !== undefined;
        }}
      />
      <Handle
        kind="error"
        label="Its error σₒ"
        text={formatQuantity(errorStd, unit)}
        value={errorStd}
        bounds={[boundedError(0, own.errorStd), boundedError(Infinity, own.errorStd)]}
        x={within(x.at(value + errorStd))}
        y={top.baseline}
        onHold={onHold}
        onDrag={(pixel) => onRead({ errorStd: boundedError(Math.abs(x.invert(within(pixel)) - value), own.errorStd) })}
        onKey={({ key }) => {
          const next = movedError(reading, key);
          if (next !== undefined) onRead({ errorStd: boundedError(next, own.errorStd) });
          return next !== undefined;
        }}
      />
    </>
  );
}
