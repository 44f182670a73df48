/** Other values of a method's setting, as further methods of the scenario: the variants are computed and drawn beside each other. */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Problem } from '../../../engine/index.ts';
import { useRun } from '../../document/context.ts';
import { compareWith } from '../../form/edits.ts';
import { words } from '../../form/field-frame.tsx';
import type { FormNode, LeafNode } from '../../form/form-nodes.ts';
import { parseNumber } from '../../form/number-field.tsx';
import { formatPath } from '../../format/paths.ts';

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
