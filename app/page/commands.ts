/**
 * The registry of commands. Palette, native menu, shortcuts and buttons all go through it, so that whatever can be done has
 * one name, one shortcut and one condition; and how shortcuts are written, shown and matched.
 */
import { signal } from '@preact/signals';

/** The part of a keyboard event that is used. */
export interface Stroke {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

const SHOWN: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
};

function isMac(platform: string = globalThis.navigator?.platform ?? ''): boolean {
  return /mac|iphone|ipad/i.test(platform);
}

/** The parts of a shortcut; the sign + itself may be the last. */
function partsOf(shortcut: string): string[] {
  if (shortcut === '+') return ['+'];
  return shortcut.endsWith('++') ? [...shortcut.slice(0, -2).split('+'), '+'] : shortcut.split('+');
}

/** @returns the keys of a shortcut as they are printed on the keyboard, one entry each */
export function shownKeys(shortcut: string, mac: boolean = isMac()): string[] {
  return partsOf(shortcut).map((part) => {
    if (part === 'Mod') return mac ? '⌘' : 'Ctrl';
    if (part === 'Shift') return mac ? '⇧' : 'Shift';
    if (part === 'Alt') return mac ? '⌥' : 'Alt';
    return SHOWN[part] ?? part;
  });
}

export function matches(shortcut: string, stroke: Stroke, mac: boolean = isMac()): boolean {
  const parts = partsOf(shortcut);
  const key = parts.at(-1) ?? '';
  const pressed = stroke.key === ' ' ? 'Space' : stroke.key;
  const mod = mac ? stroke.metaKey : stroke.ctrlKey;
  const other = mac ? stroke.ctrlKey : stroke.metaKey;
  // A sign such as ? is found on different keys, some with Shift: the sign alone decides.
  const isSign = key.length === 1 && !/[a-z0-9]/i.test(key);
  return (
    pressed.toLowerCase() === key.toLowerCase() &&
    mod === parts.includes('Mod') &&
    !other &&
    stroke.altKey === parts.includes('Alt') &&
    (isSign || stroke.shiftKey === parts.includes('Shift'))
  );
}

/** @returns the id of the command that a stroke asks for, if it can be run now */
export function commandFor(commands: readonly Command[], stroke: Stroke, mac: boolean = isMac()): string | undefined {
  return commands.find(
    (command) => (command.shortcuts ?? []).some((shortcut) => matches(shortcut, stroke, mac)) && isEnabled(command),
  )?.id;
}

/** In the order in which people meet them. */
export const COMMAND_GROUPS = [
  'Run',
  'Stage',
  'World',
  'View',
  'File',
  'Edit',
  'Evidence',
  'Methods',
  'Lesson',
  'Scenarios',
  'Settings',
  'Help',
] as const;

type CommandGroup = (typeof COMMAND_GROUPS)[number];

export interface Command {
  /** Stable, in the form `group.verb`; the native menu uses the same. */
  readonly id: string;
  readonly group: CommandGroup;
  readonly title: string;
  /** `Mod+Z` (Ctrl, ⌘ on a Mac), `Shift+ArrowLeft`, `Space`, `?`; several where several keys do it. */
  readonly shortcuts?: readonly string[];
  /** Said beside the title in the palette: the path of a setting. */
  readonly detail?: string;
  /** Further words that the palette finds it by. */
  readonly keywords?: string;
  readonly run: () => void | Promise<void>;
  /** Whether it can be run now; always if omitted. */
  readonly enabled?: () => boolean;
  /** For commands that switch something: whether it is on. */
  readonly checked?: () => boolean;
}

/** Commands that depend on what is open now: each method, each setting. */
export type CommandSource = () => readonly Command[];

export function isEnabled(command: Command): boolean {
  return command.enabled?.() ?? true;
}

/** The registry of one page. */
export function createCommands() {
  const commands = signal<readonly Command[]>([]);

  /** Adds commands, in place of those with the same ids. @returns what takes them away again */
  function registerCommands(added: readonly Command[]): () => void {
    const ids = new Set(added.map(({ id }) => id));
    commands.value = [...commands.value.filter(({ id }) => !ids.has(id)), ...added];
    return () => {
      commands.value = commands.value.filter((command) => !added.includes(command));
    };
  }

  const sources = new Set<CommandSource>();

  /** Adds a source that is asked whenever somebody looks for a command. @returns what takes it away again */
  function registerCommandSource(source: CommandSource): () => void {
    sources.add(source);
    return () => {
      sources.delete(source);
    };
  }

  /** @returns all commands, whether they can be run now or not, by group and then in the order of registration */
  function allCommands(): readonly Command[] {
    const all = [...commands.value, ...[...sources].flatMap((source) => source())];
    return COMMAND_GROUPS.flatMap((group) => all.filter((command) => command.group === group));
  }

  /** @returns those that can be run now */
  function availableCommands(): readonly Command[] {
    return allCommands().filter(isEnabled);
  }

  function findCommand(id: string): Command | undefined {
    return commands.value.find((command) => command.id === id);
  }

  /** Runs a command where it is known and can be run. @returns whether it ran */
  function runCommand(id: string): boolean {
    const command = findCommand(id);
    if (!command || !isEnabled(command)) return false;
    void command.run();
    return true;
  }

  return { commands, registerCommands, registerCommandSource, allCommands, availableCommands, findCommand, runCommand };
}
