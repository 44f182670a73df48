/** Keys to commands: how a shortcut is written, shown and matched. */
import { isEnabled } from './commands.ts';
import type { Command } from './commands.ts';

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
