/** Problems and warnings of the draft, by the place in the form where they are shown. */
import type { Problem } from '../../engine/index.ts';
import type { RunView } from '../document/run-view.ts';
import type { FormNode } from './form-nodes.ts';
import { formatPath } from '../format/paths.ts';

export interface Message {
  readonly kind: 'problem' | 'warning';
  readonly path: string;
  readonly text: string;
}

function messageOf(kind: Message['kind']): (problem: Problem) => Message {
  return ({ path, message }) => ({ kind, path: formatPath(path), text: message });
}

/** All messages about the draft. */
export function draftMessages(run: RunView): readonly Message[] {
  const { problems, draftWarnings } = run.scenario;
  return [...problems.value.map(messageOf('problem')), ...draftWarnings.value.map(messageOf('warning'))];
}

/** Whether a path lies at or in another one. */
export function isWithin(path: string, around: string): boolean {
  return around === '' || path === around || path.startsWith(`${around}.`) || path.startsWith(`${around}[`);
}

/** @returns the messages at a node: of its own path, and for a value also of what it contains */
export function messagesAt(messages: readonly Message[], node: FormNode): readonly Message[] {
  const path = formatPath(node.path);
  if (path === '') return [];
  const isGroup = node.kind === 'section' || node.kind === 'list';
  return messages.filter((message) => (isGroup ? message.path === path : isWithin(message.path, path)));
}
