/** What can be done with the draft of the scenario. */
import type { Command } from '../../page/commands.ts';
import type { RunView } from '../../document/run-view.ts';

/** Undo, redo, apply, discard. */
export function editCommands(run: RunView): readonly Command[] {
  const {
    controller,
    scenario: { undoTitle, undo, redoTitle, redo, draftScenario, pendingEffect, revertible, revertDraft },
  } = run;
  return [
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
      run: () => controller.apply(),
    },
    {
      id: 'edit.revert',
      group: 'Edit',
      title: 'Discard changed settings',
      enabled: () => revertible.value,
      run: revertDraft,
    },
  ];
}
