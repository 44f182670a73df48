/** What can be done with the draft of the scenario. */
import type { Command } from '../commands.ts';
import { runController } from '../run-controller.ts';
import {
  draftScenario,
  pendingEffect,
  redo,
  redoTitle,
  revertDraft,
  revertible,
  undo,
  undoTitle,
} from '../scenario-state.ts';

/** Undo, redo, apply, discard. */
export const EDIT_COMMANDS: readonly Command[] = [
  {
    id: 'edit.undo',
    group: 'Edit',
    title: 'Undo',
    shortcuts: ['Mod+Z'],
    enabled: () => undoTitle.value !== undefined,
    run: undo,
  },
  {
    id: 'edit.redo',
    group: 'Edit',
    title: 'Redo',
    shortcuts: ['Mod+Shift+Z', 'Mod+Y'],
    enabled: () => redoTitle.value !== undefined,
    run: redo,
  },
  {
    id: 'edit.apply',
    group: 'Edit',
    title: 'Apply changed settings',
    shortcuts: ['Mod+Enter'],
    enabled: () => draftScenario.value !== undefined && pendingEffect.value !== 'none',
    run: () => runController().apply(),
  },
  {
    id: 'edit.revert',
    group: 'Edit',
    title: 'Discard changed settings',
    enabled: () => revertible.value,
    run: revertDraft,
  },
];
