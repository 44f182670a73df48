/** Buttons and keys of commands, choices above a chart, and tabs as the ARIA pattern has them. */
import type { ComponentChildren } from 'preact';
import { useLaboratory, type Laboratory } from '../page/laboratory.ts';
import { isEnabled, shownKeys } from '../page/commands.ts';
import { Icon, type IconName } from './icons.tsx';
import { useId, useRef } from 'preact/hooks';

/** A shortcut as keys. */
export function Keys({ shortcut }: { readonly shortcut: string }) {
  return (
    <span class="keys">
      {shownKeys(shortcut).map((key) => (
        <kbd key={key} class="key">
          {key}
        </kbd>
      ))}
    </span>
  );
}

interface Properties {
  readonly command: string;
  readonly icon?: IconName;
  readonly class?: string;
  readonly children?: ComponentChildren;
}

/** @returns the title of a command, or other words for it, with its keys, for a tooltip */
export function commandHint(laboratory: Laboratory, id: string, title?: string): string {
  const { findCommand } = laboratory.commands;
  const command = findCommand(id);
  const [shortcut] = command?.shortcuts ?? [];
  return `${title ?? command?.title ?? ''}${shortcut === undefined ? '' : `  (${shownKeys(shortcut).join(' ')})`}`;
}

export function CommandButton({ command: id, icon, class: className = 'icon-button', children }: Properties) {
  const laboratory = useLaboratory();
  const { findCommand, runCommand } = laboratory.commands;
  const command = findCommand(id);
  if (!command) return null;
  const named = children === undefined ? { 'aria-label': command.title } : {};
  return (
    <button
      type="button"
      class={className}
      title={commandHint(laboratory, id)}
      disabled={!isEnabled(command)}
      {...named}
      {...(command.checked && { 'aria-pressed': command.checked() })}
      onClick={() => void runCommand(id)}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface ChoiceProps<Value extends string> {
  /** What is chosen, for those who do not see the figure. */
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}

/** A small choice in a figure's head. */
export function Choice<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  if (options.length < 2) return null;
  return (
    <select
      class="figure-choice"
      aria-label={label}
      title={label}
      value={value}
      onChange={({ currentTarget }) => {
        const chosen = options.find((option) => option.value === currentTarget.value);
        if (chosen) onChange(chosen.value);
      }}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

interface Tab<Id extends string> {
  readonly id: Id;
  readonly title: string;
}

interface TabsProps<Id extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<Id>[];
  readonly chosen: Id;
  readonly onChoose: (id: Id) => void;
  readonly children: ComponentChildren;
}

export function Tabs<Id extends string>({ label, tabs, chosen, onChoose, children }: TabsProps<Id>) {
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const index = tabs.findIndex(({ id }) => id === chosen);
    const targets: Readonly<Record<string, number>> = {
      ArrowLeft: (index + tabs.length - 1) % tabs.length,
      ArrowRight: (index + 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    if (!Object.hasOwn(targets, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    const target = targets[event.key];
    onChoose(tabs[target].id);
    list.current?.querySelectorAll<HTMLButtonElement>('[role=tab]')[target]?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map(({ id, title }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${base}-${id}`}
            aria-selected={id === chosen}
            aria-controls={`${base}-panel`}
            tabIndex={id === chosen ? 0 : -1}
            onClick={() => onChoose(id)}
          >
            {title}
          </button>
        ))}
      </div>
      <div class="tab-panel" role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${chosen}`} tabIndex={0}>
        {children}
      </div>
    </>
  );
}
