/** What the form does to the draft: every edit is one step that can be undone; and the problems and warnings of the draft by their place. */
import {
  problemsIn,
  cellsOf,
  isRecord,
  proposedMethod,
  proposedNetwork,
  scenarioJsonSchema,
  setPath,
  type Problem,
} from '../../engine/index.ts';
import type { RunView } from '../document/run-view.ts';
import { nameOfEntry, schemaAt, switchVariant } from './form-model.ts';
import type { FormNode, LeafNode, ListNode } from './form-nodes.ts';
import { formatPath, withValue, withoutValue } from '../format/paths.ts';

/** @returns what is wrong with the value; where anything is, the draft stays as it was */
export function setValue(run: RunView, { path, title }: FormNode, value: unknown): readonly Problem[] {
  const { setDraftValue } = run.scenario;
  return setDraftValue(formatPath(path), value, `set ${title.toLowerCase()}`);
}

/** Takes the value out of the file, so that its default holds. */
export function resetValue(run: RunView, { path, title }: FormNode): void {
  const { editDraft, draft } = run.scenario;
  editDraft(withoutValue(draft.value, path), `reset ${title.toLowerCase()}`);
}

export function chooseVariant(run: RunView, { path, title, value }: FormNode, kind: string): void {
  const { appliedScenario, draft, draftScenario, editDraft } = run.scenario;
  const schema = schemaAt(scenarioJsonSchema(cellsOf(draft.value)), draft.value, path);
  if (!schema) return;
  const isNetwork = path[0] === 'observations' && path.at(-1) === 'network';
  const start = isNetwork ? proposedNetwork(kind, draftScenario.value ?? appliedScenario.value) : {};
  const chosen = { ...start, ...switchVariant(schema, value, kind) };
  editDraft(withValue(draft.value, path, chosen), `set kind of ${title.toLowerCase()}`);
}

function entriesOf({ value }: ListNode): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** Names a new entry so that it is not called what another one is. */
function withOwnName(entry: unknown, others: readonly unknown[]): unknown {
  if (!isRecord(entry)) return entry;
  const key = 'kind' in entry ? 'label' : 'name';
  const own = nameOfEntry(entry);
  const taken = new Set(others.map(nameOfEntry));
  if (!taken.has(own)) return entry;
  const base = String(own).replace(/ \d+$/, '');
  let number = 2;
  while (taken.has(`${base} ${number}`)) number += 1;
  return { ...entry, [key]: `${base} ${number}` };
}

/** @param kind of the new entry; undefined where entries have none */
export function addEntry(run: RunView, list: ListNode, kind: string | undefined): void {
  const { draftScenario, appliedScenario, editDraft, draft } = run.scenario;
  const entries = entriesOf(list);
  const isMethod = formatPath(list.path) === 'methods';
  const start =
    isMethod && kind !== undefined ? proposedMethod(kind, draftScenario.value ?? appliedScenario.value) : { kind };
  const entry = withOwnName(kind === undefined ? {} : start, entries);
  editDraft(withValue(draft.value, list.path, [...entries, entry]), `add to ${list.title.toLowerCase()}`);
}

export function duplicateEntry(run: RunView, list: ListNode, index: number, title: string): void {
  const { editDraft, draft } = run.scenario;
  const entries = entriesOf(list);
  const copy = withOwnName(structuredClone(entries[index]), entries);
  editDraft(withValue(draft.value, list.path, entries.toSpliced(index + 1, 0, copy)), `duplicate ${title}`);
}

/**
 * Adds a copy of a setting's method for each value, behind the method, as one step.
 *
 * @param node a setting of a method
 * @returns what is wrong with the values; where anything is, nothing is added
 */
export function compareWith(run: RunView, node: LeafNode, values: readonly unknown[]): readonly Problem[] {
  const { draft, draftScenario, appliedScenario, editDraft } = run.scenario;
  const [list, index, ...inside] = node.path;
  const written = isRecord(draft.value) ? draft.value['methods'] : undefined;
  const methods = Array.isArray(written)
    ? (written as unknown[])
    : // Only the default has no settings of its own.
      ((draftScenario.value ?? appliedScenario.value)?.methods ?? []).map(({ kind }) => ({ kind }));
  const texts = [node.value, ...values].map((value) => JSON.stringify(value));
  const twice = texts.find((text, place) => texts.indexOf(text) !== place);
  if (twice !== undefined) return [{ path: node.path, message: `found ${twice} twice, allowed: values that differ` }];
  const at = Number(index);
  try {
    const changed = values.reduce<unknown>(
      (raw, value, place) => {
        const entries = (raw as { readonly methods: readonly unknown[] }).methods;
        const own = at + 1 + place;
        const copy = withOwnName(structuredClone(entries[at]), entries);
        return setPath(
          withValue(raw, [list], entries.toSpliced(own, 0, copy)),
          formatPath([list, own, ...inside]),
          value,
          'draft',
        );
      },
      withValue(draft.value, [list], methods),
    );
    editDraft(changed, `compare ${node.title.toLowerCase()}`);
    return [];
  } catch (error) {
    return problemsIn(error);
  }
}

export function removeEntry(run: RunView, list: ListNode, index: number, title: string): void {
  const { editDraft, draft } = run.scenario;
  const left = entriesOf(list).toSpliced(index, 1);
  editDraft(withValue(draft.value, list.path, left), `remove ${title}`);
}

/** @param by −1 for up, 1 for down */
export function moveEntry(run: RunView, list: ListNode, index: number, by: number, title: string): void {
  const { editDraft, draft } = run.scenario;
  const entries = [...entriesOf(list)];
  const [entry] = entries.splice(index, 1);
  entries.splice(index + by, 0, entry);
  editDraft(withValue(draft.value, list.path, entries), `move ${title}`);
}

/** Problems and warnings of the draft, by the place in the form where they are shown. */
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

/** Whether a path is another one or starts with it. */
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
