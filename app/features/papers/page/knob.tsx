/** A number of a live figure: its name, a slider, and its value, which can be typed as well. */
import { useId } from 'preact/hooks';

interface KnobProps {
  /** `Overlap m` */
  readonly name: string;
  /** `points`; empty for pure numbers. */
  readonly unit?: string;
  readonly value: number;
  readonly from: number;
  readonly to: number;
  readonly step?: number;
  readonly onChange: (value: number) => void;
}

export function Knob({ name, unit = '', value, from, to, step = 1, onChange }: KnobProps) {
  const id = useId();
  const take = (typed: number): void => {
    if (Number.isFinite(typed)) onChange(Math.min(to, Math.max(from, typed)));
  };
  return (
    <div class="papers-knob">
      <label for={id}>
        {name}
        {unit !== '' && <span class="label"> {unit}</span>}
      </label>
      <input
        type="range"
        aria-label={name}
        min={from}
        max={to}
        step={step}
        value={value}
        onInput={({ currentTarget }) => take(currentTarget.valueAsNumber)}
      />
      <input
        id={id}
        class="input"
        type="number"
        min={from}
        max={to}
        step={step}
        value={value}
        onChange={({ currentTarget }) => take(currentTarget.valueAsNumber)}
      />
    </div>
  );
}
