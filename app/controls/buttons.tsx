/**
 * Buttons and keys of commands, their signs (one stroke, on a grid of 16; the name of a button says to screen readers what it does),
 * choices above a chart, and tabs as the ARIA pattern has them.
 */
import type { ComponentChildren, JSX } from 'preact';
import { useLaboratory, type Laboratory } from '../page/laboratory.ts';
import { isEnabled, shownKeys } from '../page/commands.ts';
import { takeKey } from '../plot/keys.ts';
import { useId, useRef } from 'preact/hooks';

const PATHS = {
  play: <path class="solid" d="M4.5 2.6v10.8a.6.6 0 0 0 .92.5l8.2-5.4a.6.6 0 0 0 0-1L5.42 2.1a.6.6 0 0 0-.92.5Z" />,
  pause: <path class="solid" d="M4 2.5h2.75v11H4zM9.25 2.5H12v11H9.25z" />,
  'step-forward': <path d="M4 3v10l6-5zM12.5 3v10" />,
  'step-back': <path d="M12 3v10L6 8zM3.5 3v10" />,
  first: <path d="M13 3v10L8 8zM8 3v10L3 8zM2 3v10" />,
  follow: <path d="M3 3v10l5-5zM8 3v10l5-5zM14 3v10" />,
  'to-end': <path d="M2.500 3v10L7 8zM7 3v10l4.500-5zM13.500 3v10" />,
  fork: <path d="M4 2.5v11M4 10.5c0-3.5 8-2 8-6V2.8M9.800 4.800 12 2.600l2.200 2.200" />,
  loop: (
    <path d="M11 1.8 13.2 4 11 6.2M13 4H5.5A3.5 3.5 0 0 0 2 7.5M5 14.2 2.8 12 5 9.8M3 12h7.5A3.5 3.5 0 0 0 14 8.5" />
  ),
  settings: <path d="M2 4.5h6.2M11.8 4.5H14M2 11.5h2.2M7.8 11.5H14M10 2.7v3.6M6 9.7v3.6" />,
  evidence: <path d="M2 2v12h12M4.5 11 7 7.2l2.2 1.9L13.2 4" />,
  more: <path d="M3 8h.01M8 8h.01M13 8h.01" stroke-width="2.4" />,
  runs: <path d="M2.6 3.9v.1M2.6 7.9V8M2.6 11.9v.1M5.6 4H14M5.6 8H14M5.6 12H14" />,
  overlay: <path d="M2 9 6 4.6l3 2.8 5-5.2M2 13.4l1.6-1.7M5 10.2l1-1 1.6 1.5M9 12l1.4-1.5M11.8 9l2.2-2.3" />,
  baseline: <path d="M5.5 2h5l-.8 4.3 2.3 2.2H4l2.3-2.2zM8 8.5V14" />,
  copy: <path d="M6 5.5h7.5V14H6zM10.5 5.5V2H3v8.5h3" />,
  search: <path d="M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10ZM10.6 10.6 14 14" />,
  help: <path d="M5.6 5.6a2.4 2.4 0 1 1 3.6 2.1c-.8.5-1.2.9-1.2 1.9M8 12.4v.1" />,
  sun: (
    <path d="M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6ZM8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9" />
  ),
  moon: <path d="M13.5 9.6A5.8 5.8 0 0 1 6.4 2.5a5.8 5.8 0 1 0 7.1 7.1Z" />,
  system: <path d="M2 3h12v8H2zM5.5 13.5h5M8 11v2.5" />,
  present: <path d="M1.5 2.5h13M2.5 2.5v7.5h11V2.5M8 10v2M5 14l3-2 3 2" />,
  close: <path d="m4 4 8 8M12 4l-8 8" />,
  chevron: <path d="m4.5 6.5 3.5 3.5 3.5-3.5" />,
  collapse: <path d="M10 3.5 5.5 8l4.5 4.5" />,
  expand: <path d="M6 3.5 10.5 8 6 12.5" />,
  open: <path d="M2 12.5V3.2h4l1.4 1.6H14v7.7z" />,
  save: <path d="M2.5 2.5h8.6l2.4 2.4v8.6h-11zM5 2.5v3.6h5V2.5M5 13.5v-4h6v4" />,
  undo: <path d="M5.5 2.8 2.5 5.8l3 3M2.8 5.8h6.4a4 4 0 0 1 0 8H6" />,
  redo: <path d="m10.5 2.8 3 3-3 3M13.2 5.8H6.8a4 4 0 0 0 0 8H10" />,
  warning: <path d="M8 2 1.6 13.5h12.8zM8 6.5v3.2M8 11.6v.1" />,
  error: <path d="M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 4.8v4M8 11v.1" />,
  information: <path d="M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 7.2v4M8 4.9V5" />,
  'own-window': <path d="M6.500 3.500h-4v9h11v-4M9.500 2.500h4v4M13.500 2.500 8 8" />,
  enlarge: <path d="M9.500 2.500h4v4M13.500 2.500 9 7M6.500 13.500h-4v-4M2.500 13.500 7 9" />,
  shrink: <path d="M13 7H9V3M9 7l4.500-4.500M3 9h4v4M7 9l-4.500 4.500" />,
  picture: <path d="M2 3h12v10H2zM2 11l3.500-3.500 3 3L11 8l3 3M10.500 5.800v.1" />,
  film: <path d="M2 4h8.500v8H2zM10.500 7l3.500-2v6l-3.500-2" />,
  share: <path d="M5.5 6.5h-2V14h9V6.5h-2M8 10V2M5.2 4.6 8 1.8l2.8 2.8" />,
  lesson: (
    <path d="M8 4.2C6.4 3 4.4 2.6 2 2.8v9.6c2.4-.2 4.4.2 6 1.4 1.6-1.2 3.6-1.6 6-1.4V2.8c-2.4-.2-4.4.2-6 1.4Zm0 0v9.4" />
  ),
  up: <path d="M8 13V3M3.5 7.5 8 3l4.5 4.5" />,
  down: <path d="M8 3v10M3.5 8.5 8 13l4.5-4.5" />,
  restart: <path d="M3 2.5v3.5h3.5M3.2 6A5.4 5.4 0 1 1 2.7 9" />,
} as const satisfies Readonly<Record<string, JSX.Element>>;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      {PATHS[name]}
    </svg>
  );
}

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
    const target = takeKey(event, {
      ArrowLeft: (index + tabs.length - 1) % tabs.length,
      ArrowRight: (index + 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    });
    if (target === undefined) return;
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
