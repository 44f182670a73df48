/** Shortcuts of the whole window: keys reach a command unless what has the focus needs them itself. */
import type { Laboratory } from './laboratory.ts';
import { commandFor } from './shortcuts.ts';

const EDITABLE = 'input:not([type=checkbox]):not([type=radio]):not([type=range]), textarea, select, [contenteditable]';
/** What Space and Enter press. */
const PRESSABLE =
  'button, a[href], summary, input, [role=button], [role=tab], [role=option], [role=menuitem], [role=switch]';
/** What goes by arrows and page keys itself. */
const STEPPED =
  'input, [role=slider], [role=separator], [role=tab], [role=option], [role=radio], [role=menuitem], [role=grid] *, [role=application]';
/** In a text field these are the field's own. */
const TEXT_KEYS = new Set(['z', 'y', 'a', 'c', 'v', 'x']);

function belongsToFocus(event: KeyboardEvent): boolean {
  const { target } = event;
  if (!(target instanceof Element)) return false;
  const hasModifier = event.ctrlKey || event.metaKey;
  if (target.matches(EDITABLE)) {
    const key = event.key.toLowerCase();
    const isTextKey = TEXT_KEYS.has(key) && (key === 'z' || !event.shiftKey);
    return !hasModifier || (isTextKey && !target.matches('select'));
  }
  if (/^(Arrow|Page)/.test(event.key) && !hasModifier) return target.matches(STEPPED);
  return (event.key === ' ' || event.key === 'Enter') && !hasModifier && target.matches(PRESSABLE);
}

type Keyed = Pick<Laboratory, 'commands' | 'overlays' | 'preferences' | 'questions'>;

function pressKey({ commands, overlays, preferences, questions }: Keyed, event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || belongsToFocus(event)) return;
  const id = commandFor(commands.commands.value, event);
  if (id === undefined) return;
  const isSingle = !event.ctrlKey && !event.metaKey && !event.altKey && event.key.length === 1 && event.key !== ' ';
  if (isSingle && !preferences.singleKeys.value) return;
  // A question is answered first; palette and sheet go over each other, and away by their own keys.
  if (questions.question.value !== undefined) return;
  if (overlays.overlay.value !== 'none' && id !== 'view.palette' && id !== 'help.shortcuts') return;
  event.preventDefault();
  commands.runCommand(id);
}

/** @returns what ends it */
export function listenForShortcuts(laboratory: Keyed, window: Window): () => void {
  const onKey = (event: KeyboardEvent): void => pressKey(laboratory, event);
  window.addEventListener('keydown', onKey);
  return () => window.removeEventListener('keydown', onKey);
}
