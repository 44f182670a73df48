/** The keyboard: its sheet, and whether single keys are shortcuts. */
import type { Command } from '../commands.ts';
import { closeOverlay, openOverlay, overlay } from '../overlays.ts';
import { singleKeys } from '../preferences.ts';

/** What helps with the keyboard. */
export const HELP_COMMANDS: readonly Command[] = [
  {
    id: 'help.shortcuts',
    group: 'Help',
    title: 'Keyboard shortcuts',
    shortcuts: ['?', 'Mod+/'],
    run: () => (overlay.value === 'shortcuts' ? closeOverlay() : openOverlay('shortcuts')),
  },
  {
    id: 'help.single-keys',
    group: 'Help',
    title: 'Shortcuts of a single key',
    keywords: 'keyboard letters speech input',
    checked: () => singleKeys.value,
    run: () => {
      singleKeys.value = !singleKeys.value;
    },
  },
];
