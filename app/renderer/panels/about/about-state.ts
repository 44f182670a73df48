/** Whether the pane about the scenario is open, and the command that opens it from anywhere. */
import { registerCommands } from '../../state/commands.ts';
import { isPanelShown, showPanel } from '../../state/frame-sizes.ts';
import { aboutOpen } from '../../state/preferences.ts';

export const ABOUT_ID = 'about-scenario';

function showAbout(): void {
  if (isPanelShown('evidence') && aboutOpen.value) {
    aboutOpen.value = false;
    return;
  }
  showPanel('evidence');
  aboutOpen.value = true;
  setTimeout(() => document.getElementById(ABOUT_ID)?.focus());
}

registerCommands([
  {
    id: 'evidence.about',
    group: 'Evidence',
    title: 'About this scenario',
    shortcuts: ['I'],
    keywords: 'what to look for text story verdict expected results seeds',
    checked: () => isPanelShown('evidence') && aboutOpen.value,
    run: showAbout,
  },
]);
