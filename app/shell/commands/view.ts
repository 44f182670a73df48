/** The window: palette, panels, presentation, theme; and help. */
import type { Command } from '../../page/commands.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import type { Theme } from '../../page/preferences.ts';

const THEMES: readonly { readonly id: Theme; readonly title: string }[] = [
  { id: 'dark', title: 'Dark theme' },
  { id: 'light', title: 'Light theme' },
  { id: 'system', title: 'Use the system theme' },
];

/** What can be done with the window. */
export function viewCommands(laboratory: Laboratory): readonly Command[] {
  const {
    overlays: { overlay, closeOverlay, openOverlay },
    frame: { isPanelShown, isPaneShown, showOrHidePane, showOrHidePanel },
    preferences: { chooseDensity, full, presentation, theme },
  } = laboratory;
  return [
    {
      id: 'view.palette',
      group: 'View',
      title: 'Commands…',
      shortcuts: ['Mod+K', 'Mod+Shift+P'],
      run: () => (overlay.value === 'palette' ? closeOverlay() : openOverlay('palette')),
    },
    {
      id: 'view.settings',
      group: 'View',
      title: 'Settings panel',
      shortcuts: ['Mod+B'],
      checked: () => isPaneShown('settings'),
      run: () => showOrHidePane('settings'),
    },
    {
      id: 'view.evidence',
      group: 'View',
      title: 'Evidence panel',
      shortcuts: ['Mod+E'],
      checked: () => isPanelShown('evidence'),
      run: () => showOrHidePanel('evidence'),
    },
    {
      id: 'view.benchmarks',
      group: 'View',
      title: 'Benchmarks…',
      shortcuts: ['Shift+B'],
      keywords: 'roofline speed kernels ceiling bandwidth flops published',
      run: () => openOverlay('benchmarks'),
    },
    {
      id: 'view.papers',
      group: 'View',
      title: 'The four papers…',
      shortcuts: ['Shift+L'],
      keywords:
        'papers published tables recursive filter separable convolution magic letkf gain kernels blocks overlap',
      run: () => openOverlay('papers'),
    },
    {
      id: 'view.sweeps',
      group: 'View',
      title: 'Sweeps…',
      shortcuts: ['Shift+S'],
      keywords: 'map heat scan tuning parameters seeds compare methods',
      run: () => openOverlay('sweeps'),
    },
    {
      id: 'view.presentation',
      group: 'View',
      title: 'Stage mode',
      shortcuts: ['Shift+P', 'F11'],
      keywords: 'presentation fullscreen large type lecture projector',
      checked: () => presentation.value,
      run: () => {
        presentation.value = !presentation.value;
      },
    },
    {
      id: 'view.full',
      group: 'View',
      title: 'All controls',
      shortcuts: ['Shift+A'],
      keywords: 'more researcher learner simple density tools',
      checked: () => full.value && !presentation.value,
      run: () => chooseDensity(full.value && !presentation.value ? 'learner' : 'researcher'),
    },
    {
      id: 'view.theme',
      group: 'View',
      title: 'Next theme',
      shortcuts: ['Shift+T'],
      keywords: 'dark light system colours',
      run: () => {
        const at = THEMES.findIndex(({ id }) => id === theme.value);
        theme.value = THEMES[(at + 1) % THEMES.length].id;
      },
    },
    ...THEMES.map(({ id, title }): Command => ({
      id: `view.theme-${id}`,
      group: 'View',
      title,
      checked: () => theme.value === id,
      run: () => {
        theme.value = id;
      },
    })),
  ];
}

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
      id: 'help.glossary',
      group: 'Help',
      title: 'Glossary',
      shortcuts: ['Shift+H'],
      keywords: 'terms words definitions meaning prior increment spread innovation members',
      run: () => openOverlay('glossary'),
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
