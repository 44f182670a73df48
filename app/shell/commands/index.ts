/**
 * What can be done with the whole window, as commands (the stage adds its own), and their shortcuts: keys reach a command unless the
 * element in focus needs them itself.
 */
import { branchCommands, forkCommands } from '../../features/branches/branch-strip.tsx';
import { differenceCommands } from '../../features/difference/index.ts';
import { evidenceCommands } from '../evidence/index.tsx';
import { aboutCommands } from '../../features/about/index.tsx';
import { lessonCommands } from '../../features/lessons/lesson-edits.ts';
import { courseCommands } from '../../features/course/index.tsx';
import { draftCommands } from '../settings/index.tsx';
import { keptRunCommands, runListCommands } from '../../features/runs/run-commands.ts';
import { presentingCommands } from '../../features/presenting/index.tsx';
import { seedsCommands } from '../../features/seeds/seeds-state.ts';
import { worldCommands } from '../../features/world/world-bar.tsx';
import { xrayCommands } from '../../features/x-ray/xray-bar.tsx';
import type { Laboratory } from '../../page/laboratory.ts';
import type { RunView } from '../../document/run-view.ts';
import { editCommands, runCommands } from './run.ts';
import { fileCommands, scenarioCommands, linkCommands } from './file.ts';
import { helpCommands, viewCommands } from './view.ts';
import { stageCommands } from '../stage/stage-commands.ts';
import { commandFor } from '../../page/commands.ts';

/** Registers all that can be done with the page and a run. @returns what takes them away again */
export function registerAppCommands(laboratory: Laboratory, run: RunView): () => void {
  const { registerCommands, registerCommandSource } = laboratory.commands;
  const withdrawals = [
    registerCommandSource(() => draftCommands(laboratory, run)),
    registerCommandSource(() => scenarioCommands(laboratory, run)),
    registerCommandSource(() => branchCommands(run)),
    registerCommandSource(() => differenceCommands(run)),
    registerCommandSource(() => keptRunCommands(laboratory, run)),
    registerCommands([
      ...aboutCommands(laboratory),
      ...evidenceCommands(laboratory, run),
      ...fileCommands(laboratory, run),
      ...linkCommands(laboratory, run),
      ...editCommands(run),
      ...lessonCommands(laboratory, run),
      ...courseCommands(laboratory, run),
      ...runCommands(run),
      ...seedsCommands(laboratory, run),
      ...forkCommands(laboratory, run),
      ...viewCommands(laboratory),
      ...presentingCommands(run),
      ...runListCommands(laboratory),
      ...stageCommands(run),
      ...worldCommands(run),
      ...xrayCommands(laboratory, run),
      ...helpCommands(laboratory),
    ]),
  ];
  return () => {
    for (const withdraw of withdrawals) withdraw();
  };
}

/** Inputs in which nothing is typed. */
const WITHOUT_TEXT = ['checkbox', 'radio', 'range', 'button', 'submit', 'reset', 'file', 'color'];
const TEXT_FIELD = `input${WITHOUT_TEXT.map((type) => `:not([type=${type}])`).join('')}, textarea, [contenteditable]`;
/** Elements that Enter presses. */
const PRESSABLE =
  'button, a[href], summary, input, [role=button], [role=tab], [role=option], [role=menuitem], [role=switch]';
/** Elements that use arrows and page keys themselves. */
const STEPPED =
  'input, [role=slider], [role=separator], [role=tab], [role=option], [role=radio], [role=menuitem], [role=grid] *, [role=application]';
/** Boxes that browsers toggle with Space only. */
const BOX = 'input[type=checkbox], input[type=radio]';
/** A text field uses these itself. */
const TEXT_KEYS = new Set(['z', 'y', 'a', 'c', 'v', 'x']);

/**
 * Space plays and pauses everywhere but in text fields and questions. Buttons are pressed with Enter, and so are boxes and
 * lists of choices, which browsers operate with Space.
 */
const PLAY = 'run.play';

function hasModifier(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.altKey;
}

function belongsToFocus(event: KeyboardEvent): boolean {
  const { target } = event;
  if (!(target instanceof Element)) return false;
  const isModified = event.ctrlKey || event.metaKey;
  if (event.key === ' ' && !isModified) return target.matches(TEXT_FIELD);
  if (target.matches(`${TEXT_FIELD}, select`)) {
    const key = event.key.toLowerCase();
    const isTextKey = TEXT_KEYS.has(key) && (key === 'z' || !event.shiftKey);
    return !isModified || (isTextKey && !target.matches('select'));
  }
  if (/^(Arrow|Page)/.test(event.key) && !isModified) return target.matches(STEPPED);
  return event.key === 'Enter' && !isModified && target.matches(PRESSABLE);
}

/** Lets Enter operate what browsers operate with Space only. @returns whether it did */
function pressWithEnter(event: KeyboardEvent): boolean {
  const { target } = event;
  if (event.key !== 'Enter' || hasModifier(event) || event.shiftKey || !(target instanceof Element)) return false;
  if (target.matches(BOX)) (target as HTMLElement).click();
  else if (target.matches('select')) target.showPicker();
  else return false;
  return true;
}

type Keyed = Pick<Laboratory, 'commands' | 'overlays' | 'preferences' | 'questions'>;

/** Whether a command can be reached under the window's overlay: palette and sheet open over others, and Space plays. */
function isReachable({ overlays, questions }: Keyed, id: string): boolean {
  if (questions.question.value !== undefined) return false;
  return overlays.overlay.value === 'none' || id === PLAY || id === 'view.palette' || id === 'help.shortcuts';
}

function pressKey(laboratory: Keyed, event: KeyboardEvent): void {
  const { commands, preferences } = laboratory;
  if (event.defaultPrevented || event.isComposing) return;
  if (pressWithEnter(event)) {
    event.preventDefault();
    return;
  }
  if (belongsToFocus(event)) return;
  const id = commandFor(commands.commands.value, event);
  if (id === undefined || !isReachable(laboratory, id)) return;
  const isSingle = !hasModifier(event) && event.key.length === 1 && event.key !== ' ';
  if (isSingle && !preferences.singleKeys.value) return;
  event.preventDefault();
  // A key that is held down plays or pauses once.
  if (id === PLAY && event.repeat) return;
  commands.runCommand(id);
}

/** @returns what ends it */
export function listenForShortcuts(laboratory: Keyed, window: Window): () => void {
  /** Some browsers press a button when Space is released, whatever became of its keydown. */
  let isSpaceTaken = false;
  const onKey = (event: KeyboardEvent): void => {
    pressKey(laboratory, event);
    if (event.key === ' ') isSpaceTaken = event.defaultPrevented;
  };
  const onKeyUp = (event: KeyboardEvent): void => {
    if (event.key === ' ' && isSpaceTaken) event.preventDefault();
  };
  window.addEventListener('keydown', onKey);
  window.addEventListener('keyup', onKeyUp);
  return () => {
    window.removeEventListener('keydown', onKey);
    window.removeEventListener('keyup', onKeyUp);
  };
}
