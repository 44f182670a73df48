/** What all fields have: a title, the control with its unit, what is wrong, and the way back to the default. */
import type { ComponentChildren } from 'preact';
import { Icon } from '../controls/icons.tsx';
import { describeProblem, effectOf, type Problem } from '../../engine/index.ts';
import { useRun } from '../document/context.ts';
import { resetValue, messagesAt, type Message } from './edits.ts';
import type { LeafNode } from './form-nodes.ts';
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
