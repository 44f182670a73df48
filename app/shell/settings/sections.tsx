/** Groups of the form: sections that fold, settings with variants, and lists whose entries come and go. */
import { useId, useMemo, useState } from 'preact/hooks';
import { Icon } from '../../controls/buttons.tsx';
import {
  addEntry,
  chooseVariant,
  duplicateEntry,
  moveEntry,
  removeEntry,
  resetValue,
  isWithin,
  messagesAt,
} from '../../form/edits.ts';
import type { Message } from '../../form/edits.ts';
import { LeafField } from '../../form/fields.tsx';
import { FoldTitle } from '../../form/number-field.tsx';
import { leavesOf } from '../../form/form-model.ts';
import type { FormNode, ListNode, SectionNode } from '../../form/form-nodes.ts';
import { useRun } from '../../document/context.ts';
import { useLaboratory } from '../../page/laboratory.ts';
import { CompareWith, isComparable, LiveSlider, isSliding } from './compare-with.tsx';
import { tunableLabel, openTuning } from '../../features/tuning/tuning-state.ts';
import { variantTitles } from '../../document/views/method-style.ts';
import { formatPath } from '../../format/paths.ts';

interface GroupProps {
  readonly node: SectionNode | ListNode;
  readonly messages: readonly Message[];
  /** Everything that the filter left is shown open. */
  readonly forced: boolean;
}

/** The key of a group in the set of open ones: the top of the scenario has no path. */
export function groupKey({ path }: FormNode): string {
  return formatPath(path) || 'scenario';
}

function worstOf(messages: readonly Message[], node: FormNode): 'problem' | 'warning' | undefined {
  const path = formatPath(node.path);
  const inside =
    path === ''
      ? messages.filter((message) => leavesOf(node).some((leaf) => isWithin(message.path, formatPath(leaf.path))))
      : messages.filter((message) => isWithin(message.path, path));
  if (inside.some(({ kind }) => kind === 'problem')) return 'problem';
  return inside.length > 0 ? 'warning' : undefined;
}

/** The mark beside a title: the worst message of what is under it, and whether it differs from what runs. */
function Marks({ worst, changed }: { readonly worst: ReturnType<typeof worstOf>; readonly changed: boolean }) {
  return (
    <>
      {worst && (
        <span class={`group-${worst}`}>
          <Icon name={worst === 'problem' ? 'error' : 'warning'} />
          <span class="visually-hidden">{worst}</span>
        </span>
      )}
      {changed && (
        <span class="changed-mark" title="Differs from what runs">
          <span class="visually-hidden">changed</span>
        </span>
      )}
    </>
  );
}

/** A part of the scenario, which folds. */
export function Group({ node, messages, forced }: GroupProps) {
  const { openGroups, openGroup } = useLaboratory().form;
  const id = useId();
  const key = groupKey(node);
  const open = forced || openGroups.value.has(key);
  const worst = worstOf(messages, node);
  return (
    <section class="settings-group" aria-labelledby={id} data-path={key}>
      <h3>
        <FoldTitle id={id} open={open} help={node.help} onToggle={() => openGroup(key, !openGroups.value.has(key))}>
          <span>{node.title}</span>
          {node.kind === 'list' && <span class="count">{node.entries.length}</span>}
          <Marks worst={worst} changed={node.changed} />
        </FoldTitle>
      </h3>
      {open && (
        <div class="settings-group-body">
          <Messages messages={messages} node={node} />
          {node.kind === 'list' ? (
            <Entries node={node} messages={messages} forced={forced} />
          ) : (
            <Children node={node} messages={messages} forced={forced} />
          )}
        </div>
      )}
    </section>
  );
}

function Messages({ node, messages }: { readonly node: FormNode; readonly messages: readonly Message[] }) {
  return messagesAt(messages, node).map(({ kind, text }) => (
    <p key={text} class={kind === 'problem' ? 'field-problem' : 'field-warning'}>
      {text}
    </p>
  ));
}

function Children({ node, messages, forced }: GroupProps & { readonly node: SectionNode }) {
  return (
    <>
      {node.variants.length > 1 && <VariantField node={node} />}
      {node.children.map((child) => {
        const key = formatPath(child.path);
        if (child.kind === 'list') return <Group key={key} node={child} messages={messages} forced={forced} />;
        if (child.kind === 'section') return <Subsection key={key} node={child} messages={messages} forced={forced} />;
        if (!isComparable(child)) return <LeafField key={key} node={child} messages={messages} />;
        return (
          <div key={key} class="field-with-values">
            <LeafField node={child} messages={messages} />
            {isSliding(child) && <LiveSlider node={child} />}
            <CompareWith node={child} />
          </div>
        );
      })}
    </>
  );
}

/** A section within a section: a heading over its fields. */
function Subsection({ node, messages, forced }: GroupProps & { readonly node: SectionNode }) {
  const id = useId();
  return (
    <div class="settings-subsection" role="group" aria-labelledby={id} data-path={formatPath(node.path)}>
      <h4 id={id} title={node.help}>
        {node.title}
      </h4>
      <Messages messages={messages} node={node} />
      <Children node={node} messages={messages} forced={forced} />
    </div>
  );
}

function VariantField({ node }: { readonly node: SectionNode }) {
  const run = useRun();
  const id = useId();
  const chosen = node.variants.find(({ value }) => value === node.variant);
  const standard = node.fallback;
  const isDefault = JSON.stringify(node.value) === JSON.stringify(standard);
  return (
    <div class="field" data-path={`${formatPath(node.path)}.kind`}>
      <label class="field-title" for={id} title={node.help}>
        Kind
      </label>
      <div class="field-control">
        <select
          id={id}
          class="select"
          value={node.variant ?? ''}
          aria-describedby={`${id}-words`}
          onChange={({ currentTarget }) => chooseVariant(run, node, currentTarget.value)}
        >
          {node.variants.map(({ value, title }) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
        <span class="field-marks">
          {node.written && standard !== undefined && !isDefault && typeof node.path.at(-1) === 'string' && (
            <button
              type="button"
              class="icon-button"
              aria-label={`Reset ${node.title} to its default`}
              title="All of this back to the default"
              onClick={() => resetValue(run, node)}
            >
              <Icon name="restart" />
            </button>
          )}
        </span>
      </div>
      <div class="field-words" id={`${id}-words`}>
        <p class="field-help">{chosen?.help ?? ''}</p>
      </div>
    </div>
  );
}

function Entries({ node, messages, forced }: GroupProps & { readonly node: ListNode }) {
  const { draftScenario } = useRun().scenario;
  const scenario = formatPath(node.path) === 'methods' ? draftScenario.value : undefined;
  /** What variants are called in views and charts. */
  const titles = useMemo(() => {
    const found = scenario && variantTitles(scenario);
    return scenario?.methods.map(({ label }) => found?.get(label)) ?? [];
  }, [scenario]);
  return (
    <>
      {node.entries.map((entry) => (
        <Entry
          key={formatPath(entry.path)}
          list={node}
          entry={entry}
          variant={titles[Number(entry.path.at(-1))]}
          messages={messages}
          forced={forced}
        />
      ))}
      <AddEntry list={node} />
    </>
  );
}

interface EntryProps {
  readonly list: ListNode;
  readonly entry: SectionNode;
  /** What it is called in views and charts, if the scenario has variants of it. */
  readonly variant: string | undefined;
  readonly messages: readonly Message[];
  readonly forced: boolean;
}

function Entry({ list, entry, variant, messages, forced }: EntryProps) {
  const laboratory = useLaboratory();
  const { openGroups, openGroup } = laboratory.form;
  const run = useRun();
  const id = useId();
  const key = groupKey(entry);
  const open = forced || openGroups.value.has(key);
  const worst = worstOf(messages, entry);
  const label = tunableLabel(run, entry);
  // A filtered list keeps its entries' own places.
  const index = Number(entry.path.at(-1));
  const length = Array.isArray(list.value) ? list.value.length : 0;
  const kind = entry.variants.find(({ value }) => value === entry.variant)?.title;
  return (
    <section class="settings-entry" aria-labelledby={id} data-path={key}>
      <header>
        <h4>
          <FoldTitle id={id} open={open} onToggle={() => openGroup(key, !openGroups.value.has(key))}>
            <span>{entry.title}</span>
            {variant !== undefined && <span class="count">{variant}</span>}
            {variant === undefined && kind !== entry.title && <span class="count">{kind}</span>}
            <Marks worst={worst} changed={entry.changed} />
          </FoldTitle>
        </h4>
      </header>
      {open && (
        <div class="settings-group-body">
          <Messages messages={messages} node={entry} />
          <Children node={entry} messages={messages} forced={forced} />
          <div class="entry-actions" role="group" aria-label={`${entry.title}, entry`}>
            {label !== undefined && (
              <button
                type="button"
                class="button"
                title="Finds its best settings over several seeds"
                onClick={() => openTuning(laboratory, run, label)}
              >
                Tune this method…
              </button>
            )}
            <button
              type="button"
              class="button"
              disabled={length >= list.maximum}
              onClick={() => duplicateEntry(run, list, index, entry.title)}
            >
              Duplicate
            </button>
            <button
              type="button"
              class="button"
              disabled={index === 0}
              onClick={() => moveEntry(run, list, index, -1, entry.title)}
            >
              Up
            </button>
            <button
              type="button"
              class="button"
              disabled={index === length - 1}
              onClick={() => moveEntry(run, list, index, 1, entry.title)}
            >
              Down
            </button>
            <button
              type="button"
              class="button danger"
              disabled={length <= list.minimum}
              onClick={() => removeEntry(run, list, index, entry.title)}
            >
              Remove
            </button>
          </div>
        </div>
      )}
    </section>
  );
}

function AddEntry({ list }: { readonly list: ListNode }) {
  const { openGroup } = useLaboratory().form;
  const run = useRun();
  const [first] = list.variants;
  const [kind, setKind] = useState(list.variants.find(({ value }) => value === 'letkf')?.value ?? first?.value);
  const length = Array.isArray(list.value) ? list.value.length : 0;
  const add = (): void => {
    addEntry(run, list, kind);
    openGroup(`${formatPath(list.path)}[${length}]`, true);
  };
  return (
    <div class="entry-actions">
      {list.variants.length > 1 && (
        <select
          class="select"
          aria-label={`Kind to add to ${list.title.toLowerCase()}`}
          value={kind ?? ''}
          onChange={({ currentTarget }) => setKind(currentTarget.value)}
        >
          {list.variants.map(({ value, title }) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      )}
      <button type="button" class="button" disabled={length >= list.maximum} onClick={add}>
        Add {list.variants.length > 1 ? '' : 'network'}
      </button>
    </div>
  );
}
