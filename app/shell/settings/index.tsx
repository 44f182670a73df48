/** The settings: every parameter of the scenario, what it means, what is wrong with it, and when a change takes effect. */
import { effect, useComputed } from '@preact/signals';
import { useId } from 'preact/hooks';
import { cellsOf, scenarioJsonSchema } from '../../../engine/index.ts';
import { commandHint, Icon, type IconName } from '../../controls/buttons.tsx';
import { useRun } from '../../document/context.ts';
import { useLaboratory, type Laboratory } from '../../page/laboratory.ts';
import type { RunView } from '../../document/run-view.ts';
import { matches, type Command } from '../../page/commands.ts';
import { whenIdle } from '../../page/render-pace.ts';
import { filterNode, filterWords, ordered, titledLeaves, type FormNode, type ListNode } from '../../form/form-nodes.ts';
import { buildForm } from '../../form/form-model.ts';
import { draftMessages, addEntry, type Message } from '../../form/edits.ts';
import { Group, groupKey } from './sections.tsx';
import { ChangesList } from '../../features/world/changes-list.tsx';
import './settings.css';
import { kindTitle } from '../../document/views/method-style.ts';
import { openTuning, tunableLabel } from '../../features/tuning/tuning-state.ts';
import { formatPath } from '../../format/paths.ts';

/** In a field too, undo takes back the last change of the scenario, not the last letters typed. */
function undoInFields(laboratory: Laboratory, run: RunView, event: KeyboardEvent): void {
  const { findCommand, runCommand } = laboratory.commands;
  const { endEdit } = run.scenario;
  const id = ['edit.undo', 'edit.redo'].find((each) =>
    findCommand(each)?.shortcuts?.some((shortcut) => matches(shortcut, event)),
  );
  if (id === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  endEdit();
  runCommand(id);
}

export function SettingsPanel() {
  const laboratory = useLaboratory();
  const { filterQuery, changedOnly, goToSetting } = laboratory.form;
  const run = useRun();
  const { draft, appliedScenario, pendingChanges, openings } = run.scenario;
  const form = useComputed(() =>
    ordered(buildForm(scenarioJsonSchema(cellsOf(draft.value)), draft.value, appliedScenario.value)),
  );
  const words = filterWords(filterQuery.value);
  const filtered = words.length > 0 || changedOnly.value;
  const shown = form.value.flatMap((group) => {
    const left = filterNode(group, words, changedOnly.value);
    return left?.kind === 'section' || left?.kind === 'list' ? [left] : [];
  });
  const messages = draftMessages(run);

  if (draft.value === undefined) {
    return <p class="settings-empty">The settings of a scenario appear here once one is open.</p>;
  }
  return (
    <div class="settings" onKeyDown={(event) => undoInFields(laboratory, run, event)}>
      <div class="settings-head">
        <FilterBox query={filterQuery.value} onQuery={(text) => (filterQuery.value = text)} />
        <button
          type="button"
          class="button"
          aria-pressed={changedOnly.value}
          disabled={pendingChanges.value.length === 0 && !changedOnly.value}
          onClick={() => (changedOnly.value = !changedOnly.value)}
        >
          Changed {pendingChanges.value.length > 0 && <span class="count">{pendingChanges.value.length}</span>}
        </button>
      </div>
      {/* What was typed and refused belongs to the scenario that it was typed for. */}
      <div class="settings-body" key={openings.value}>
        <Told messages={messages} onGo={goToSetting} />
        {!filtered && <ChangesList />}
        {shown.map((group) => (
          <Group key={groupKey(group)} node={group} messages={messages} forced={filtered} />
        ))}
        {shown.length === 0 && (
          <p class="settings-empty">
            {changedOnly.value
              ? 'Nothing differs from what runs.'
              : 'No setting has these words in its name or its help.'}
          </p>
        )}
      </div>
      <Actions />
    </div>
  );
}

function FilterBox({ query, onQuery }: { readonly query: string; readonly onQuery: (text: string) => void }) {
  const id = useId();
  return (
    <div class="settings-filter">
      <label for={id}>
        <Icon name="search" />
        <span class="visually-hidden">Filter the settings</span>
      </label>
      <input
        id={id}
        class="input"
        type="search"
        placeholder="Filter settings"
        value={query}
        onInput={({ currentTarget }) => onQuery(currentTarget.value)}
      />
    </div>
  );
}

/** Problems and remarks, each a way to its field. */
function Told({ messages, onGo }: { readonly messages: readonly Message[]; readonly onGo: (path: string) => void }) {
  if (messages.length === 0) return null;
  return (
    <ul class="settings-told" aria-label="Problems and remarks">
      {messages.map(({ kind, path, text }) => (
        <li key={`${path} ${text}`} class={kind}>
          <Icon name={kind === 'problem' ? 'error' : 'warning'} />
          <span class="visually-hidden">{kind}: </span>
          {path === '' ? (
            text
          ) : (
            <button type="button" title={text} onClick={() => onGo(path)}>
              <code>{path}</code> {text}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

const APPLY = {
  none: { button: 'Nothing to apply', text: 'The settings are those of the run.' },
  'next-cycle': { button: 'Apply at the next cycle', text: 'The run continues with the changes.' },
  restart: { button: 'Restart with these settings', text: 'These changes take effect after a restart.' },
} as const;

/** @returns in words what the changes would do */
function outlook(run: RunView): string {
  const { pendingChanges, problems, pendingEffect } = run.scenario;
  const count = pendingChanges.value.length;
  if (problems.value.length > 0) {
    const many = problems.value.length === 1 ? 'One problem' : `${problems.value.length} problems`;
    return `${many} to solve first; the current run continues.`;
  }
  if (count === 0) return APPLY.none.text;
  const changes = count === 1 ? '1 change.' : `${count} changes.`;
  if (pendingEffect.value === 'none') return `${changes} Text only; no rerun needed.`;
  const again = pendingChanges.value.filter(({ effect }) => effect === 'restart').length;
  const mixed = pendingEffect.value === 'restart' && again < count ? ` (${again} of ${count})` : '';
  return `${changes} ${APPLY[pendingEffect.value].text.replace(/\.$/, '')}${mixed}.`;
}

function applyTitle(effect: keyof typeof APPLY): string {
  return effect === 'none' ? 'Take over the words' : APPLY[effect].button;
}

interface StepButtonProps {
  readonly name: 'Undo' | 'Redo';
  readonly icon: IconName;
  /** What the next step did; undefined if there is none. */
  readonly step: string | undefined;
  readonly onStep: () => void;
}

function StepButton({ name, icon, step, onStep }: StepButtonProps) {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={name}
      title={step === undefined ? `Nothing to ${name.toLowerCase()}` : `${name} ${step}`}
      disabled={step === undefined}
      onClick={onStep}
    >
      <Icon name={icon} />
    </button>
  );
}

function Actions() {
  const laboratory = useLaboratory();
  const { runCommand } = laboratory.commands;
  const run = useRun();
  const {
    controller,
    scenario: {
      pendingEffect,
      draftScenario,
      pendingChanges,
      problems,
      undoTitle,
      undo,
      redoTitle,
      redo,
      revertible,
      revertDraft,
    },
    edits: { unsaved },
  } = run;
  const effect = pendingEffect.value;
  const ready = draftScenario.value !== undefined && pendingChanges.value.length > 0;
  const title = problems.value.length > 0 ? 'Solve the problems first' : ready ? applyTitle(effect) : APPLY.none.button;
  return (
    <footer class="settings-actions">
      <p role="status">{outlook(run)}</p>
      <div class="settings-buttons">
        <StepButton name="Undo" icon="undo" step={undoTitle.value} onStep={undo} />
        <StepButton name="Redo" icon="redo" step={redoTitle.value} onStep={redo} />
        <button
          type="button"
          class="icon-button"
          aria-label="Save scenario"
          title={unsaved.value ? 'Save the scenario: it has changes that are not saved' : 'Save the scenario as a file'}
          onClick={() => runCommand('file.save')}
        >
          <Icon name="save" />
          {unsaved.value && <span class="changed-mark" />}
        </button>
        <button
          type="button"
          class="button"
          title="Back to what runs, as a step that can be undone"
          disabled={!revertible.value}
          onClick={revertDraft}
        >
          Discard
        </button>
      </div>
      <button type="button" class="button primary" disabled={!ready} onClick={() => void controller.apply()}>
        {title}
      </button>
      {ready && effect === 'next-cycle' && (
        <button
          type="button"
          class="button"
          title={commandHint(laboratory, 'run.fork', 'A branch takes the changes, and the run continues without them')}
          onClick={() => void runCommand('run.fork')}
        >
          <Icon name="fork" /> Fork with these settings…
        </button>
      )}
    </footer>
  );
}

/** @returns a command for each setting of a form: it goes there */
function settingCommands(laboratory: Laboratory, form: readonly FormNode[]): Command[] {
  const { goToSetting } = laboratory.form;
  return titledLeaves(form).map(({ path, title, help }) => ({
    id: `settings.${path}`,
    group: 'Settings',
    title,
    detail: path,
    keywords: `${path} ${help}`,
    run: () => goToSetting(path),
  }));
}

function methodListOf(form: readonly FormNode[]): ListNode | undefined {
  return form.find((group): group is ListNode => group.kind === 'list' && formatPath(group.path) === 'methods');
}

/** @returns for each method of the draft the way to its settings, and for each kind one that adds a method */
function methodSettingCommands(laboratory: Laboratory, run: RunView, form: readonly FormNode[]): Command[] {
  const { goToSetting } = laboratory.form;
  const list = methodListOf(form);
  if (!list) return [];
  const entries = list.entries.map(({ path, title, variant }): Command => {
    const at = formatPath(path);
    return {
      id: `method.go.${at}`,
      group: 'Methods',
      title: `Settings of ${title}`,
      keywords: `go to method ${variant ?? ''}`,
      run: () => goToSetting(at),
    };
  });
  const additions = list.variants.map(({ value, title }): Command => ({
    id: `method.add.${value}`,
    group: 'Methods',
    title: `Add method ${title}`,
    keywords: `new ${value}`,
    enabled: () => list.entries.length < list.maximum,
    run: () => {
      addEntry(run, list, value);
      goToSetting(`${formatPath(list.path)}[${list.entries.length}]`);
    },
  }));
  const tunings = list.entries.flatMap((entry): Command[] => {
    const label = tunableLabel(run, entry);
    if (label === undefined) return [];
    return [
      {
        id: `method.tune.${formatPath(entry.path)}`,
        group: 'Methods',
        title: `Tune ${entry.title}…`,
        keywords: 'best settings search optimum inflation half-width length scan',
        run: () => openTuning(laboratory, run, label),
      },
    ];
  });
  return [...entries, ...tunings, ...additions];
}

/** @returns for each method of the run one that shows or hides it in views and charts */
function shownMethodCommands(run: RunView): Command[] {
  const {
    course: { styles },
    view: { hiddenMethods, toggleMethod },
  } = run;
  return styles.value.map(({ label, title, kind }) => ({
    id: `method.show.${label}`,
    group: 'Methods',
    title: `Show ${title}`,
    keywords: `hide method view curve ${kindTitle(kind)}`,
    checked: () => !hiddenMethods.value.has(label),
    run: () => toggleMethod(label),
  }));
}

/** Makes what describes the settings while the page is idle: the first list of commands, and the first lesson that is read, need it. */
export function keepSettingsDescribed(run: RunView): void {
  const { draft } = run.scenario;
  whenIdle(() => void scenarioJsonSchema());
  effect(() => {
    const now = draft.value;
    whenIdle(() => {
      if (now !== undefined && now === draft.peek()) scenarioJsonSchema(cellsOf(now));
    });
  });
}

/** All of the scenario that is open; none if there is none. */
export function draftCommands(laboratory: Laboratory, run: RunView): readonly Command[] {
  const { draft, appliedScenario } = run.scenario;
  if (draft.value === undefined) return [];
  const form = buildForm(scenarioJsonSchema(cellsOf(draft.value)), draft.value, appliedScenario.value);
  return [
    ...shownMethodCommands(run),
    ...methodSettingCommands(laboratory, run, form),
    ...settingCommands(laboratory, form),
  ];
}
