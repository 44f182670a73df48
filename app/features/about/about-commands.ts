/** The command that opens the pane about the scenario from anywhere. */
import type { Command } from '../../page/commands.ts';
import type { Laboratory } from '../../page/laboratory.ts';

export const ABOUT_ID = 'about-scenario';

function showAbout({ frame: { isPanelShown, showPanel }, preferences: { aboutOpen } }: Laboratory): void {
  if (isPanelShown('evidence') && aboutOpen.value) {
    aboutOpen.value = false;
    return;
  }
  showPanel('evidence');
  aboutOpen.value = true;
  setTimeout(() => document.getElementById(ABOUT_ID)?.focus());
}

export function aboutCommands(laboratory: Laboratory): readonly Command[] {
  const { frame, preferences } = laboratory;
  return [
    {
      id: 'evidence.about',
      group: 'Evidence',
      title: 'About this scenario',
      shortcuts: ['I'],
      keywords: 'what to look for text story verdict expected results seeds',
      checked: () => frame.isPanelShown('evidence') && preferences.aboutOpen.value,
      run: () => showAbout(laboratory),
    },
  ];
}
