/** The fields of the form, one for each kind of value. */
import { useId, useState } from 'preact/hooks';
import type { Problem } from '../../engine/index.ts';
import { useRun } from '../document/context.ts';
import { resetValue, setValue } from './edits.ts';
import { FieldFrame, words, type FieldProps, NumberField, TupleField, parseRows, writeRows } from './number-field.tsx';
import type { ChoiceNode, LeafNode, NumbersNode, TextNode, ToggleNode } from './form-nodes.ts';

function ChoiceField({ node, messages }: FieldProps<ChoiceNode>) {
  const run = useRun();
  const id = useId();
  return (
    <FieldFrame node={node} messages={messages} id={id}>
      <select
        id={id}
        class="select"
        value={String(node.value)}
        aria-describedby={`${id}-words`}
        onChange={({ currentTarget }) => setValue(run, node, currentTarget.value)}
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
  const run = useRun();
  const id = useId();
  return (
    <FieldFrame node={node} messages={messages} id={id}>
      <input
        id={id}
        type="checkbox"
        checked={node.value === true}
        aria-describedby={`${id}-words`}
        onChange={({ currentTarget }) => setValue(run, node, currentTarget.checked)}
      />
    </FieldFrame>
  );
}

function TextField({ node, messages }: FieldProps<TextNode>) {
  const run = useRun();
  const { endEdit } = run.scenario;
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const [refused, setRefused] = useState<readonly Problem[]>([]);
  const type = (text: string): void => {
    setTyped(text);
    if (text === '' && node.optional) {
      resetValue(run, node);
      setRefused([]);
      return;
    }
    setRefused(setValue(run, node, text));
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
  const run = useRun();
  const { endEdit } = run.scenario;
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const [refused, setRefused] = useState<readonly Problem[]>([]);
  const form = node.columns === 1 ? 'a number' : `${node.columns} numbers with a comma between`;
  const commit = (text: string): void => {
    setTyped(text);
    const rows = parseRows(text, node.columns);
    if (rows === undefined) {
      const message = `allowed: ${form} on each line`;
      setRefused([{ path: node.path, message }]);
      return;
    }
    setRefused(setValue(run, node, rows));
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
