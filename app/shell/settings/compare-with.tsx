/**
 * What the settings of a method have beside their fields: other values of one as further methods, computed and drawn beside each
 * other; and a slider for numbers that the run takes at its next cycle.
 */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { type Problem, effectOf } from '../../../engine/index.ts';
import { useRun } from '../../document/context.ts';
import { compareWith, setValue } from '../../form/edits.ts';
import { words, parseNumber, stepOf } from '../../form/number-field.tsx';
import type { FormNode, LeafNode, NumberNode } from '../../form/form-nodes.ts';
import { formatPath } from '../../format/paths.ts';
import { formatQuantity } from '../../format/numbers.ts';

/** @returns whether the setting belongs to a method and has values that can be listed */
export function isComparable(node: FormNode): node is LeafNode {
  const [list, , ...inside] = node.path;
  const hasValues = node.kind === 'number' || node.kind === 'tuple' || node.kind === 'choice' || node.kind === 'toggle';
  return list === 'methods' && inside.length > 0 && hasValues;
}

const LISTED = /[\s;]+|,\s+/;

function numberOrWord(text: string, word: string | undefined): number | string | undefined {
  return text === word ? word : parseNumber(text);
}

/** @returns the values of a text: numbers with spaces between, of several numbers with semicolons; undefined if one is none */
export function listedValues(node: LeafNode, text: string): readonly unknown[] | undefined {
  if (node.kind === 'tuple') {
    const rows = text.split(';').map((row) => row.trim().split(LISTED).map(parseNumber));
    return rows.every((row) => row.length === node.parts.length && !row.includes(undefined)) ? rows : undefined;
  }
  const word = node.kind === 'number' ? node.word : undefined;
  const values = text
    .trim()
    .split(LISTED)
    .map((each) => numberOrWord(each, word));
  return values.includes(undefined) ? undefined : values;
}

/** @returns the values that are offered, other than the one that holds; undefined of a setting whose values are typed */
function offered(node: LeafNode): readonly { readonly value: unknown; readonly title: string }[] | undefined {
  if (node.kind === 'toggle') return [{ value: node.value !== true, title: node.value === true ? 'off' : 'on' }];
  if (node.kind !== 'choice') return undefined;
  return node.options.filter(({ value }) => value !== String(node.value));
}

interface FormProps {
  readonly node: LeafNode;
  readonly onClose: () => void;
}

function CompareForm({ node, onClose }: FormProps) {
  const run = useRun();
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [text, setText] = useState('');
  const options = offered(node);
  const [chosen, setChosen] = useState<readonly unknown[]>(() => (options?.length === 1 ? [options[0].value] : []));
  const [refused, setRefused] = useState<readonly Problem[]>([]);
  // The button that opened the form has left, and with it the focus.
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  const add = (isRestarted: boolean): void => {
    const values = options ? chosen : listedValues(node, text);
    if (!values || values.length === 0) {
      const allowed = options
        ? 'at least one value'
        : node.kind === 'tuple'
          ? `${node.parts.length} numbers for each value, semicolons between values`
          : 'numbers with spaces between them';
      setRefused([
        { path: node.path, message: `found ${options ? 'none' : JSON.stringify(text)}, allowed: ${allowed}` },
      ]);
      return;
    }
    const problems = compareWith(run, node, values);
    setRefused(problems);
    if (problems.length > 0) return;
    if (isRestarted) void run.controller.apply();
    onClose();
  };
  return (
    <form
      ref={form}
      class="compare-with"
      aria-label={`Compare ${node.title} with other values`}
      onSubmit={(event) => {
        event.preventDefault();
        add(true);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      {options ? (
        <fieldset>
          <legend>Compare {words(node.value)} with</legend>
          {options.map(({ value, title }) => (
            <label key={title}>
              <input
                type="checkbox"
                checked={chosen.includes(value)}
                onChange={({ currentTarget: { checked } }) =>
                  setChosen(checked ? [...chosen, value] : chosen.filter((each) => each !== value))
                }
              />
              {title}
            </label>
          ))}
        </fieldset>
      ) : (
        <label for={id}>
          Compare {words(node.value)} with
          <input
            id={id}
            class="input number"
            type="text"
            autocomplete="off"
            spellcheck={false}
            placeholder={node.kind === 'tuple' ? '1, 2; 3, 4' : 'Values'}
            title="One value or several, with spaces between them"
            value={text}
            aria-invalid={refused.length > 0}
            aria-describedby={`${id}-words`}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
      )}
      <div id={`${id}-words`} role="status">
        {refused.map(({ message }) => (
          <p key={message} class="field-problem">
            {message}
          </p>
        ))}
      </div>
      <div class="entry-actions">
        <button type="submit" class="button primary" title="Adds a method for each value and starts the run again">
          Add and restart
        </button>
        <button
          type="button"
          class="button"
          title="Adds a method for each value to the settings"
          onClick={() => add(false)}
        >
          Add
        </button>
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  );
}

/** Under the field that is worked on. */
export function CompareWith({ node }: { readonly node: LeafNode }) {
  const [open, setOpen] = useState(false);
  const name = `Compare ${node.title} with other values`;
  if (open) {
    const close = (): void => {
      setOpen(false);
      // The form with the focus leaves: the field takes it.
      document
        .querySelector<HTMLElement>(`.settings [data-path=${CSS.escape(formatPath(node.path))}]`)
        ?.querySelector<HTMLElement>('input, select')
        ?.focus();
    };
    return <CompareForm node={node} onClose={close} />;
  }
  return (
    <button type="button" class="button compare-open" aria-label={name} title={name} onClick={() => setOpen(true)}>
      Compare with…
    </button>
  );
}

/** Numbers that are tuned by hand: how far observations reach, how long the background's errors are, how much spread is added. */
const SLIDING = new Set(['inflation', 'halfWidth', 'length']);

/** A slider reaches up to so many times the number that it begins with. */
const REACH = 4;
/** Inflation 1 adds nothing, and 2 doubles the spread. */
const INFLATIONS = { from: 1, to: 2 } as const;

/** @returns whether a setting has a slider */
export function isSliding(node: FormNode): node is NumberNode {
  const [list, , ...inside] = node.path;
  return (
    node.kind === 'number' &&
    list === 'methods' &&
    SLIDING.has(String(inside.at(-1))) &&
    typeof node.value === 'number' &&
    effectOf(formatPath(node.path)) === 'next-cycle'
  );
}

interface SliderScale {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** @param start the number that holds @returns ends on the grid of the step, within what is allowed */
export function sliderScale({ path, integer, range, fallback }: NumberNode, start: number): SliderScale {
  const { minimum = range.exclusiveMinimum ?? -Infinity, maximum = range.exclusiveMaximum ?? Infinity } = range;
  if (path.at(-1) === 'inflation') {
    const step = 0.01;
    return { from: Math.max(minimum, INFLATIONS.from), to: Math.min(maximum, Math.max(INFLATIONS.to, start)), step };
  }
  const usual = typeof fallback === 'number' ? Math.max(start, fallback) : start;
  const step = stepOf(usual, integer);
  const least = range.exclusiveMinimum !== undefined || minimum <= 0 ? step : step * Math.ceil(minimum / step);
  return { from: Math.min(least, start), to: Math.min(maximum, REACH * usual), step };
}

export function LiveSlider({ node }: { readonly node: NumberNode }) {
  const run = useRun();
  const { endEdit, pendingEffect } = run.scenario;
  const value = Number(node.value);
  // It stays as it is while the number is dragged.
  const [{ from, to, step }] = useState(() => sliderScale(node, value));
  return (
    <input
      type="range"
      class="live-slider"
      aria-label={`${node.title}, slider`}
      aria-valuetext={formatQuantity(value, node.unit)}
      title="Applies at the next cycle, as soon as it is released"
      min={Math.min(from, value)}
      max={Math.max(to, value)}
      step={step}
      value={value}
      onInput={({ currentTarget }) => setValue(run, node, Number(currentTarget.value))}
      onChange={() => {
        // Whatever else waits to be applied may need a restart, which is for the button beneath.
        if (pendingEffect.peek() === 'next-cycle') void run.controller.apply();
      }}
      onPointerUp={endEdit}
      onBlur={endEdit}
    />
  );
}
