/** A number with its unit that is typed, stepped with the arrows, or changed by two buttons that a finger reaches. */
import { useState } from 'preact/hooks';
import { parseNumber, stepNumber } from '../../form/number-input.ts';
import { clip } from './tools.ts';

interface Properties {
  readonly label: string;
  /** What it means, where the label does not say it. */
  readonly help?: string;
  readonly unit: string;
  readonly value: number;
  readonly least: number;
  readonly most: number;
  /** One step; a step of the number's own size if omitted. */
  readonly step?: number;
  readonly onValue: (value: number) => void;
}

/** The sign of a button, on a grid of 16. */
const SIGNS = { less: 'M3.500 8h9', more: 'M3.500 8h9M8 3.500v9' } as const;

export function Stepper({ label, help = label, unit, value, least, most, step, onValue }: Properties) {
  const [typed, setTyped] = useState<string>();
  const set = (wanted: number): void => {
    setTyped(undefined);
    const next = clip(wanted, least, most);
    if (next !== value) onValue(next);
  };
  const go = (steps: number): void =>
    set(step === undefined ? stepNumber(value, steps, false, {}) : value + steps * step);
  /** A number that is allowed counts as soon as it is typed: the next stroke is drawn with it. */
  const type = (written: string): void => {
    setTyped(written);
    const wanted = parseNumber(written);
    if (wanted !== undefined && wanted >= least && wanted <= most && wanted !== value) onValue(wanted);
  };
  const commit = (): void => {
    const wanted = typed === undefined ? undefined : parseNumber(typed);
    if (wanted === undefined) setTyped(undefined);
    else set(wanted);
  };
  const button = (sign: keyof typeof SIGNS, steps: number, isAtEnd: boolean) => (
    <button
      type="button"
      class="icon-button"
      aria-label={`${label}: ${sign}`}
      disabled={isAtEnd}
      onClick={() => go(steps)}
    >
      <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
        <path d={SIGNS[sign]} />
      </svg>
    </button>
  );
  return (
    <div class="stepper" title={help}>
      <label>
        <span class="label">{label}</span>
        <input
          class="input number"
          type="text"
          inputMode="decimal"
          autocomplete="off"
          spellcheck={false}
          aria-label={unit === '' ? label : `${label}, ${unit}`}
          value={typed ?? String(value)}
          onInput={(event) => type(event.currentTarget.value)}
          onBlur={commit}
          onKeyDown={(event) => {
            const steps = { ArrowUp: 1, ArrowDown: -1 }[event.key];
            if (event.key === 'Enter') commit();
            else if (event.key === 'Escape' && typed !== undefined) setTyped(undefined);
            else if (steps !== undefined) go(steps);
            else return;
            event.preventDefault();
            event.stopPropagation();
          }}
        />
        {unit !== '' && (
          <span class="label" aria-hidden="true">
            {unit}
          </span>
        )}
      </label>
      {button('less', -1, value <= least)}
      {button('more', 1, value >= most)}
    </div>
  );
}
