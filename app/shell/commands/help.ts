/** Help: the keyboard, and whether what is installed computes what it should. */
import type { Command } from '../../page/commands.ts';
import type { Laboratory } from '../../page/laboratory.ts';

/** What helps. */
export function helpCommands(laboratory: Laboratory): readonly Command[] {
  const {
    overlays: { overlay, closeOverlay, openOverlay },
    preferences: { singleKeys },
  } = laboratory;
  return [
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
      title: 'Single-key shortcuts',
      keywords: 'keyboard letters speech input',
      checked: () => singleKeys.value,
      run: () => {
        singleKeys.value = !singleKeys.value;
      },
    },
    {
      id: 'help.check',
      group: 'Help',
      title: 'Check this installation…',
      keywords: 'self-check verify validate adjoint reference evidence correct trust diagnostics',
      run: () => openOverlay('check'),
    },
  ];
}
