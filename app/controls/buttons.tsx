/** Buttons and keys of commands, and choices above a chart. */
import type { ComponentChildren } from 'preact';
import { useLaboratory, type Laboratory } from '../page/laboratory.ts';
import { isEnabled, shownKeys } from '../page/commands.ts';
import { Icon, type IconName } from './icons.tsx';

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
