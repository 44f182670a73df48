/** The fields of the form: a title, a control with its unit, what is allowed, what is wrong, and the way back to the default. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Icon } from '../../layout/icons.tsx';
import { effectOf } from '../../state/scenario-changes.ts';
import { endEdit } from '../../state/scenario-state.ts';
import type { ScenarioProblem } from '../../state/scenario-state.ts';
import { resetValue, setValue } from './edits.ts';
import type { ChoiceNode, LeafNode, NumberNode, NumbersNode, TextNode, ToggleNode, TupleNode } from './form-model.ts';
import { messagesAt } from './messages.ts';
import type { Message } from './messages.ts';
import { parseNumber, parseRows, rangeText, stepNumber, writeNumber, writeRows } from './number-input.ts';
import { formatPath } from './paths.ts';

interface FieldProps<Node extends LeafNode> {
  readonly node: Node;
  readonly messages: readonly Message[];
}

const EFFECT_TITLE = {
  label: 'Words only; the run goes on.',
  'next-cycle': 'Changed; applies at the next cycle.',
  restart: 'Changed; restarts the run.',
} as const;

/** A value on one line. */
function words(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The mark of a value that differs from what runs, and the button that takes it out of the file. */
function Marks({ node }: { readonly node: LeafNode }) {
  const same = JSON.stringify(node.value) === JSON.stringify(node.fallback);
  const resettable = node.written && node.fallback !== undefined && !same;
  return (
    <span class="field-marks">
      {node.changed && (
        <span class="changed-mark" title={EFFECT_TITLE[effectOf(formatPath(node.path))]}>
          <span class="visually-hidden">changed</span>
        </span>
      )}
      {resettable && (
        <button
          type="button"
          class="icon-button"
          aria-label={`Reset ${node.title} to its default`}
          title={`Back to the default, ${words(node.fallback)}`}
          onClick={() => resetValue(node)}
        >
          <Icon name="restart" />
        </button>
      )}
    </span>
  );
}

interface FrameProps {
  readonly node: LeafNode;
  readonly messages: readonly Message[];
  readonly refused?: readonly ScenarioProblem[];
  /** Of the control, for its label and its words. */
  readonly id: string;
  /** Several controls under one title. */
  readonly group?: boolean;
  readonly hint?: string;
  readonly children: ComponentChildren;
}

function FieldFrame({ node, messages, refused = [], id, group = false, hint = '', children }: FrameProps) {
  const told = messagesAt(messages, node);
  const wrong = refused.length > 0 || told.some(({ kind }) => kind === 'problem');
  const Title = group ? 'span' : 'label';
  return (
    <div
      class={wrong ? 'field wrong' : 'field'}
      data-path={formatPath(node.path)}
      {...(group && { role: 'group', 'aria-labelledby': `${id}-title`, 'aria-describedby': `${id}-words` })}
    >
      <Title class="field-title" id={`${id}-title`} title={node.help} {...(!group && { for: id })}>
        {node.title}
      </Title>
      <div class="field-control">
        {children}
        {(node.unit !== '' || node.kind === 'number') && <span class="field-unit">{node.unit}</span>}
        <Marks node={node} />
      </div>
      <div class="field-words" id={`${id}-words`}>
        {refused.map(({ line, message }) => (
          <p key={line} class="field-problem">
            {message}
          </p>
        ))}
        {told.map(({ kind, text }) => (
          <p key={text} class={kind === 'problem' ? 'field-problem' : 'field-warning'}>
            {text}
          </p>
        ))}
        <p class="field-help">
          {node.help}
          {hint !== '' && ` ${hint}`}
        </p>
      </div>
    </div>
  );
}

interface NumberInputProps {
  readonly id: string;
  readonly node: NumberNode;
  /** For a control without a label of its own. */
  readonly name?: string;
  /** Whether what was typed last is not what the scenario has. */
  readonly refused: boolean;
  readonly onRefused: (problems: readonly ScenarioProblem[]) => void;
}

function NumberInput({ id, node, name, refused, onRefused }: NumberInputProps) {
  // What is being typed, until it is a number that the scenario takes.
  const [typed, setTyped] = useState<string>();
  const number = typeof node.value === 'number' ? node.value : undefined;
  // An undo in the meantime shows what it brought back.
  const current = typed !== undefined && (refused || parseNumber(typed) === number);
  const text = current ? typed : writeNumber(node.value);
  const type = (written: string): void => {
    setTyped(written);
    const value = parseNumber(written);
    if (value === undefined) {
      const message = `found ${JSON.stringify(written)}, allowed is a number`;
      onRefused([{ path: formatPath(node.path), place: '', message, line: message }]);
      return;
    }
    onRefused(setValue(node, value));
  };
  const step = (steps: number): void => {
    if (number === undefined) return;
    setTyped(undefined);
    onRefused(setValue(node, stepNumber(number, steps, node.integer, node.range)));
  };
  const { minimum, maximum } = node.range;
  return (
    <span class="number-input">
      <input
        id={id}
        class="input number"
        type="text"
        inputMode="decimal"
        role="spinbutton"
        autocomplete="off"
        spellcheck={false}
        value={text}
        disabled={number === undefined && node.word !== undefined}
        aria-describedby={`${id}-words`}
        aria-invalid={refused && typed !== undefined}
        {...(name !== undefined && { 'aria-label': name })}
        {...(number !== undefined && { 'aria-valuenow': number })}
        {...(minimum !== undefined && { 'aria-valuemin': minimum })}
        {...(maximum !== undefined && { 'aria-valuemax': maximum })}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={(event) => {
          const size = event.shiftKey ? 10 : 1;
          if (event.key === 'ArrowUp') step(size);
          else if (event.key === 'ArrowDown') step(-size);
          else if (event.key === 'Escape' && typed !== undefined) {
            setTyped(undefined);
            onRefused([]);
            event.stopPropagation();
          } else return;
          event.preventDefault();
        }}
        onBlur={() => {
          if (typed !== undefined && parseNumber(typed) === number) setTyped(undefined);
          endEdit();
        }}
      />
      {name === undefined && (
        <span class="steppers">
          <Stepper
            title={`Less ${node.title}`}
            disabled={number === undefined || number === minimum}
            onStep={() => step(-1)}
          >
            <path d="M4 8h8" />
          </Stepper>
          <Stepper
            title={`More ${node.title}`}
            disabled={number === undefined || number === maximum}
            onStep={() => step(1)}
          >
            <path d="M4 8h8M8 4v8" />
          </Stepper>
        </span>
      )}
    </span>
  );
}

interface StepperProps {
  readonly title: string;
  readonly disabled: boolean;
  readonly onStep: () => void;
  readonly children: ComponentChildren;
}

/** For the pointer; the keyboard has the arrows. */
function Stepper({ title, disabled, onStep, children }: StepperProps) {
  return (
    <button type="button" class="icon-button" tabIndex={-1} aria-label={title} disabled={disabled} onClick={onStep}>
      <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
        {children}
      </svg>
    </button>
  );
}

/** Starts a number that was a word. */
const FIRST_NUMBER = 0.1;

function NumberField({ node, messages }: FieldProps<NumberNode>) {
  const id = useId();
  const [refused, setRefused] = useState<readonly ScenarioProblem[]>([]);
  const range = rangeText(node.range);
  const { word } = node;
  return (
    <FieldFrame node={node} messages={messages} refused={refused} id={id} hint={range === '' ? '' : `Range: ${range}.`}>
      {word !== undefined && (
        <label class="field-word">
          <input
            type="checkbox"
            checked={node.value === word}
            onChange={({ currentTarget }) => {
              setRefused(setValue(node, currentTarget.checked ? word : FIRST_NUMBER));
            }}
          />
          {word}
        </label>
      )}
      <NumberInput id={id} node={node} refused={refused.length > 0} onRefused={setRefused} />
    </FieldFrame>
  );
}

function TupleField({ node, messages }: FieldProps<TupleNode>) {
  const id = useId();
  const [refused, setRefused] = useState<readonly ScenarioProblem[]>([]);
  const [first] = node.parts;
  const range = first === undefined ? '' : rangeText(first.range);
  return (
    <FieldFrame
      node={node}
      messages={messages}
      refused={refused}
      id={id}
      group
      hint={range === '' ? '' : `Range: ${range}.`}
    >
      {node.parts.map((part, index) => (
        <NumberInput
          key={index}
          id={`${id}-${index}`}
          node={part}
          name={part.title}
          refused={refused.length > 0}
          onRefused={setRefused}
        />
      ))}
    </FieldFrame>
  );
}

function ChoiceField({ node, messages }: FieldProps<ChoiceNode>) {
  const id = useId();
  return (
    <FieldFrame node={node} messages={messages} id={id}>
      <select
        id={id}
        class="select"
        value={String(node.value)}
        aria-describedby={`${id}-words`}
        onChange={({ currentTarget }) => setValue(node, currentTarget.value)}
      >
        {node.options.map(({ value, title }) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

function ToggleField({ node, messages }: FieldProps<ToggleNode>) {
  const id = useId();
  return (
    <FieldFrame node={node} messages={messages} id={id}>
      <input
        id={id}
        type="checkbox"
        checked={node.value === true}
        aria-describedby={`${id}-words`}
        onChange={({ currentTarget }) => setValue(node, currentTarget.checked)}
      />
    </FieldFrame>
  );
}

function TextField({ node, messages }: FieldProps<TextNode>) {
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const [refused, setRefused] = useState<readonly ScenarioProblem[]>([]);
  const type = (text: string): void => {
    setTyped(text);
    if (text === '' && node.optional) {
      resetValue(node);
      setRefused([]);
      return;
    }
    setRefused(setValue(node, text));
  };
  const shared = {
    id,
    class: 'input',
    value: refused.length > 0 && typed !== undefined ? typed : node.written ? words(node.value) : '',
    placeholder: node.written ? '' : words(node.fallback ?? node.example),
    'aria-describedby': `${id}-words`,
    'aria-invalid': refused.length > 0,
    onBlur: () => {
      if (refused.length === 0) setTyped(undefined);
      endEdit();
    },
  };
  return (
    <FieldFrame node={node} messages={messages} refused={refused} id={id}>
      {node.long ? (
        <textarea {...shared} rows={5} onInput={({ currentTarget }) => type(currentTarget.value)} />
      ) : (
        <input {...shared} type="text" onInput={({ currentTarget }) => type(currentTarget.value)} />
      )}
    </FieldFrame>
  );
}

function NumbersField({ node, messages }: FieldProps<NumbersNode>) {
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const [refused, setRefused] = useState<readonly ScenarioProblem[]>([]);
  const form = node.columns === 1 ? 'a number' : `${node.columns} numbers with a comma between`;
  const commit = (text: string): void => {
    setTyped(text);
    const rows = parseRows(text, node.columns);
    if (rows === undefined) {
      const message = `allowed is ${form} on each line`;
      setRefused([{ path: formatPath(node.path), place: '', message, line: message }]);
      return;
    }
    setRefused(setValue(node, rows));
  };
  return (
    <FieldFrame node={node} messages={messages} refused={refused} id={id} hint={`A line each: ${form}.`}>
      <textarea
        id={id}
        class="input number"
        rows={4}
        spellcheck={false}
        value={typed ?? writeRows(node.value)}
        aria-describedby={`${id}-words`}
        aria-invalid={refused.length > 0}
        onInput={({ currentTarget }) => commit(currentTarget.value)}
        onBlur={() => {
          if (refused.length === 0) setTyped(undefined);
          endEdit();
        }}
      />
    </FieldFrame>
  );
}

export function LeafField({ node, messages }: FieldProps<LeafNode>) {
  switch (node.kind) {
    case 'number':
      return <NumberField node={node} messages={messages} />;
    case 'tuple':
      return <TupleField node={node} messages={messages} />;
    case 'choice':
      return <ChoiceField node={node} messages={messages} />;
    case 'toggle':
      return <ToggleField node={node} messages={messages} />;
    case 'text':
      return <TextField node={node} messages={messages} />;
    case 'numbers':
      return <NumbersField node={node} messages={messages} />;
    default:
      return node satisfies never;
  }
}
