/**
 * Fields of numbers: typed, stepped with the arrows or by buttons, refused where they are not allowed without losing what was typed;
 * and the frame that every field has: title, unit, what is wrong, and the way back to the default.
 */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { type Problem, describeProblem, effectOf } from '../../engine/index.ts';
import { useRun } from '../document/context.ts';
import { setValue, resetValue, messagesAt, type Message } from './edits.ts';
import type { NumberNode, TupleNode, NumberRange, LeafNode } from './form-nodes.ts';
import { formatNumber } from '../format/numbers.ts';
import { Icon } from '../controls/buttons.tsx';
import { glossedHelp } from '../format/glossary.ts';
import { formatPath } from '../format/paths.ts';

interface Properties {
  /** Names the part: `aria-labelledby` of what folds. */
  readonly id: string;
  readonly open: boolean;
  readonly help?: string | undefined;
  readonly onToggle: () => void;
  /** Its words, and what is marked of it. */
  readonly children: ComponentChildren;
}

/** The title of a part of the settings, which opens and folds what is under it. */
export function FoldTitle({ id, open, help, onToggle, children }: Properties) {
  return (
    <button type="button" id={id} class="settings-group-title" aria-expanded={open} title={help} onClick={onToggle}>
      <Icon name="chevron" />
      {children}
    </button>
  );
}

export interface FieldProps<Node extends LeafNode> {
  readonly node: Node;
  readonly messages: readonly Message[];
}

const EFFECT_TITLE = {
  label: 'Text only; no rerun needed.',
  'next-cycle': 'Changed; applies at the next cycle.',
  restart: 'Changed; restarts the run.',
} as const;

/** A value on one line. */
export function words(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The mark of a value that differs from what runs, and the button that takes it out of the file. */
function Marks({ node }: { readonly node: LeafNode }) {
  const run = useRun();
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
          onClick={() => resetValue(run, node)}
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
  readonly refused?: readonly Problem[];
  /** Id of the control, for its label and its description. */
  readonly id: string;
  /** Several controls under one title. */
  readonly group?: boolean;
  readonly hint?: string;
  readonly children: ComponentChildren;
}

/** Title, control, unit, marks and words of a field, in their places. */
export function FieldFrame({ node, messages, refused = [], id, group = false, hint = '', children }: FrameProps) {
  const told = messagesAt(messages, node);
  const wrong = refused.length > 0 || told.some(({ kind }) => kind === 'problem');
  const Title = group ? 'span' : 'label';
  return (
    <div
      class={wrong ? 'field wrong' : 'field'}
      data-path={formatPath(node.path)}
      {...(group && { role: 'group', 'aria-labelledby': `${id}-title`, 'aria-describedby': `${id}-words` })}
    >
      <Title
        class="field-title"
        id={`${id}-title`}
        title={glossedHelp(node.title, node.help)}
        {...(!group && { for: id })}
      >
        {node.title}
      </Title>
      <div class="field-control">
        {children}
        {(node.unit !== '' || node.kind === 'number') && <span class="field-unit">{node.unit}</span>}
        <Marks node={node} />
      </div>
      <div class="field-words" id={`${id}-words`}>
        {refused.map((problem) => (
          <p key={describeProblem(problem)} class="field-problem">
            {problem.message}
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

/** @returns the number, or undefined for what is not one; a decimal comma and a minus sign as printed are understood */
export function parseNumber(text: string): number | undefined {
  const plain = text.trim().replace('−', '-').replace(',', '.');
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return undefined;
  const value = Number(plain);
  return Number.isFinite(value) ? value : undefined;
}

/** @returns the number as it is typed: every digit that it has */
export function writeNumber(value: unknown): string {
  return typeof value === 'number' ? String(value) : '';
}

/** Whether a number is there, and written without an exponent, which attributes for assistive technology do not take. */
function isPlain(value: number | undefined): value is number {
  return value !== undefined && !String(value).includes('e');
}

/** One step of a number: whole ones by 1, others by a tenth, a half or the whole of their leading power of ten. */
export function stepOf(value: number, integer: boolean): number {
  if (integer) return 1;
  if (value === 0) return 0.1;
  const power = 10 ** Math.floor(Math.log10(Math.abs(value)) + 1e-9);
  const leading = Math.abs(value) / power;
  return power * (leading < 2 ? 0.1 : leading < 5 ? 0.5 : 1);
}

/**
 * @param steps up (above 0) or down
 * @returns the next number on the grid of its step, within the range
 */
export function stepNumber(value: number, steps: number, integer: boolean, range: NumberRange): number {
  const step = stepOf(value, integer);
  const next = Number(((Math.round(value / step) + steps) * step).toPrecision(12));
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = range;
  if (next <= exclusiveMinimum || next >= exclusiveMaximum) return value;
  return Math.min(maximum, Math.max(minimum, next));
}

/** @returns what is allowed, in a few words: `0 to 1`, `above 0`; empty where everything is */
export function rangeText({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }: NumberRange): string {
  const low =
    minimum !== undefined
      ? formatNumber(minimum)
      : exclusiveMinimum !== undefined
        ? `above ${formatNumber(exclusiveMinimum)}`
        : '';
  const high =
    maximum !== undefined
      ? formatNumber(maximum)
      : exclusiveMaximum !== undefined
        ? `below ${formatNumber(exclusiveMaximum)}`
        : '';
  if (low === '') return high === '' ? '' : maximum === undefined ? high : `at most ${high}`;
  if (high === '') return minimum === undefined ? low : `at least ${low}`;
  return exclusiveMaximum === undefined || maximum !== undefined ? `${low} to ${high}` : `${low}, ${high}`;
}

/** @returns lists of numbers from text, an entry a line; undefined where a line is not one */
export function parseRows(text: string, columns: number): number[] | number[][] | undefined {
  const rows = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => line.split(/[\s;]+|,\s+|,(?=\S)/).map(parseNumber));
  if (rows.some((row) => row.length !== columns || row.includes(undefined))) return undefined;
  const numbers = rows as number[][];
  return columns === 1 ? numbers.map(([value]) => value) : numbers;
}

/** @returns an entry a line */
export function writeRows(value: unknown): string {
  if (!Array.isArray(value)) return '';
  return (value as unknown[]).map((row) => (Array.isArray(row) ? row.join(', ') : String(row))).join('\n');
}

interface NumberInputProps {
  readonly id: string;
  readonly node: NumberNode;
  /** For a control without a label of its own. */
  readonly name?: string;
  /** Whether what was typed last is not what the scenario has. */
  readonly refused: boolean;
  readonly onRefused: (problems: readonly Problem[]) => void;
}

function NumberInput({ id, node, name, refused, onRefused }: NumberInputProps) {
  const run = useRun();
  const { endEdit } = run.scenario;
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
      const message = `found ${JSON.stringify(written)}, allowed: a number`;
      onRefused([{ path: node.path, message }]);
      return;
    }
    onRefused(setValue(run, node, value));
  };
  const step = (steps: number): void => {
    if (number === undefined) return;
    setTyped(undefined);
    onRefused(setValue(run, node, stepNumber(number, steps, node.integer, node.range)));
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
        {...(name === undefined && { 'aria-describedby': `${id}-words` })}
        aria-invalid={refused && typed !== undefined}
        {...(name !== undefined && { 'aria-label': name })}
        {...(isPlain(number) && { 'aria-valuenow': number })}
        {...(isPlain(minimum) && { 'aria-valuemin': minimum })}
        {...(isPlain(maximum) && { 'aria-valuemax': maximum })}
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

export function NumberField({ node, messages }: FieldProps<NumberNode>) {
  const run = useRun();
  const id = useId();
  const [refused, setRefused] = useState<readonly Problem[]>([]);
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
              setRefused(setValue(run, node, currentTarget.checked ? word : FIRST_NUMBER));
            }}
          />
          {word}
        </label>
      )}
      <NumberInput id={id} node={node} refused={refused.length > 0} onRefused={setRefused} />
    </FieldFrame>
  );
}

export function TupleField({ node, messages }: FieldProps<TupleNode>) {
  const id = useId();
  const [refused, setRefused] = useState<readonly Problem[]>([]);
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
