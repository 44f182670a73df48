/** A branch being made: what is different from the cycle on screen on. Enter makes it, Escape leaves the run as it is. */
import { useComputed } from '@preact/signals';
import { useId, useState } from 'preact/hooks';
import { cellsOf, describeChange, scenarioJsonSchema, effectOf } from '../../../engine/index.ts';
import { Dialog } from '../../controls/dialog.tsx';
import { LeafField } from '../../form/fields.tsx';
import { buildForm } from '../../form/form-model.ts';
import { ordered, filterWords, filterNode } from '../../form/form-nodes.ts';
import { draftMessages } from '../../form/edits.ts';
import { RunContext, useRun } from '../../document/context.ts';
import type { ForkDraft } from '../../document/lines/branches-state.ts';
import './branches.css';
import type { FormNode, LeafNode, ListNode, SectionNode } from '../../form/form-nodes.ts';
import { formatPath } from '../../format/paths.ts';

/** Settings of a method, of a network, or of the whole that can change while a run continues. */
export interface ForkGroup {
  readonly key: string;
  readonly title: string;
  /** Settings with their path of titles inside the group: `Localisation › Half-width`. */
  readonly fields: readonly LeafNode[];
}

const IN = ' › ';

function fieldsOf(node: FormNode, around: readonly string[]): LeafNode[] {
  const titles = [...around, node.title];
  if (node.kind === 'section') return node.children.flatMap((child) => fieldsOf(child, titles));
  if (node.kind === 'list') return node.entries.flatMap((entry) => fieldsOf(entry, titles));
  return effectOf(formatPath(node.path)) === 'next-cycle' ? [{ ...node, title: titles.join(IN) }] : [];
}

/** The settings inside of a section, by their titles in it. */
function groupOf(section: SectionNode, title: string): ForkGroup {
  return {
    key: formatPath(section.path),
    title,
    fields: section.children.flatMap((child) => fieldsOf(child, [])),
  };
}

/** @returns what is left of the groups for words that somebody looks for: in the group's title, or in a field's own words */
export function filterGroups(groups: readonly ForkGroup[], words: readonly string[]): readonly ForkGroup[] {
  if (words.length === 0) return groups;
  return groups.flatMap((group) => {
    const missing = words.filter((word) => !group.title.toLowerCase().includes(word));
    const fields = group.fields.filter((field) => filterNode(field, missing, false) !== undefined);
    return fields.length > 0 ? [{ ...group, fields }] : [];
  });
}

/** @returns the groups that have anything to change, in the form's order */
function forkGroups(form: readonly (SectionNode | ListNode)[]): readonly ForkGroup[] {
  return form
    .flatMap((part) =>
      part.kind === 'list' ? part.entries.map((entry) => groupOf(entry, entry.title)) : [groupOf(part, part.title)],
    )
    .filter(({ fields }) => fields.length > 0);
}

/** What differs, in a line. */
function differences({ scenario }: ForkDraft): string {
  const { appliedScenario, pendingChanges } = scenario;
  const before = appliedScenario.value;
  if (!before || pendingChanges.value.length === 0) return '';
  return pendingChanges.value.map((change) => describeChange(before, change)).join(', ');
}

/** The settings of the draft that is around it. @param query words of those that are looked for */
function Groups({ query }: { readonly query: string }) {
  const run = useRun();
  const { draft, appliedScenario } = run.scenario;
  const groups = useComputed(() =>
    forkGroups(ordered(buildForm(scenarioJsonSchema(cellsOf(draft.value)), draft.value, appliedScenario.value))),
  );
  const messages = draftMessages(run);
  const found = filterGroups(groups.value, filterWords(query));
  if (found.length === 0) return <p class="figure-empty">No setting has these words.</p>;
  return found.map(({ key, title, fields }) => (
    <fieldset key={key} class="fork-group">
      <legend>{title}</legend>
      {fields.map((field) => (
        <LeafField key={JSON.stringify(field.path)} node={field} messages={messages} />
      ))}
    </fieldset>
  ));
}

function ForkForm({ draft }: { readonly draft: ForkDraft }) {
  const run = useRun();
  const { refusal, confirm, giveUp } = run.branches.forking;
  const id = useId();
  const [query, setQuery] = useState('');
  const { cycle, scenario } = draft;
  const differs = differences(draft);
  const isSound = scenario.draftScenario.value !== undefined;
  return (
    <form
      class="fork"
      aria-labelledby={id}
      onSubmit={(event) => {
        event.preventDefault();
        confirm();
      }}
    >
      <header class="fork-head">
        <h2 id={id}>Fork at cycle {cycle - 1}</h2>
      </header>
      <p class="fork-words">
        A branch continues beside the run, in the same views and charts. Settings changed here apply to it from cycle{' '}
        {cycle} on.
      </p>
      <input
        class="input fork-filter"
        type="search"
        aria-label="Filter the settings"
        placeholder="Filter the settings"
        autocomplete="off"
        spellcheck={false}
        value={query}
        onInput={({ currentTarget }) => setQuery(currentTarget.value)}
      />
      <div class="fork-fields">
        <RunContext.Provider value={{ ...run, scenario }}>
          <Groups query={query} />
        </RunContext.Provider>
      </div>
      <footer class="fork-foot">
        <div role="status" class="fork-status">
          {refusal.value.map((line) => (
            <p key={line} class="field-problem">
              {line}
            </p>
          ))}
          {refusal.value.length === 0 &&
            (differs === ''
              ? 'Nothing is changed yet: the branch keeps the current settings, whatever is changed in the run later.'
              : differs)}
        </div>
        <div class="fork-answers">
          <button type="button" class="button" onClick={giveUp}>
            Cancel
          </button>
          <button type="submit" class="button primary" disabled={!isSound}>
            Fork
          </button>
        </div>
      </footer>
    </form>
  );
}

export function ForkDialog() {
  const { draft, giveUp } = useRun().branches.forking;
  const open = draft.value;
  if (!open) return null;
  return (
    // The first setting is at hand, not the list that can be scrolled.
    <Dialog label={`Fork at cycle ${open.cycle - 1}`} class="fork-dialog" first=".fork-fields input" onClose={giveUp}>
      <ForkForm draft={open} />
    </Dialog>
  );
}
