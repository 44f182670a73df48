/** What the interface remembers from one launch to the next: theme, sizes of panels, whether all controls are shown. */
import { batch, computed, effect, signal } from '@preact/signals';
import { STAGE_LOOKS } from '../../engine/index.ts';
import type { Host } from '../host/host.ts';

export type Theme = 'dark' | 'light' | 'system';
export type Side = 'settings' | 'evidence';

/** How much of the window is on screen: the basins alone, what a newcomer needs, or everything. */
export const DENSITIES = ['stage', 'learner', 'researcher'] as const;
export type Density = (typeof DENSITIES)[number];

export interface PanelSize {
  /** CSS pixels at type × 1. */
  readonly width: number;
  readonly open: boolean;
}

export const PANEL_LIMITS: Readonly<
  Record<Side, { readonly least: number; readonly most: number; readonly usual: number }>
> = {
  settings: { least: 240, most: 480, usual: 300 },
  evidence: { least: 280, most: 720, usual: 380 },
};

/** Type in stage mode is this many times as large. */
const STAGE_SCALE = 1.5;

/** The preferences of one page, as they are before anything was remembered. */
export function createPreferences() {
  const theme = signal<Theme>('dark');
  /** Whether the basins fill the window: `stage`. */
  const presentation = signal(false);
  /** Whether all controls are there while the basins do not fill the window. */
  const full = signal(false);
  /** Closed at first: the first look is for the water. */
  const settingsPanel = signal<PanelSize>({ width: PANEL_LIMITS.settings.usual, open: false });
  const evidencePanel = signal<PanelSize>({ width: PANEL_LIMITS.evidence.usual, open: true });
  /** Whether the pane about the scenario is open. */
  const aboutOpen = signal(false);
  /** Whether a letter alone is a shortcut; those who speak to their computer switch it off. */
  const singleKeys = signal(true);
  /** How water is drawn unless a link or a lesson asks for a look. */
  const look = signal<(typeof STAGE_LOOKS)[number]>('auto');
  /** Whether the line of the first minute was left behind. */
  const hintSeen = signal(false);
  /** Whether anything was pressed since the launch. */
  const touched = signal(false);
  /** What the surroundings prefer, kept up to date by the page's start. */
  const systemIsDark = signal(true);
  const reducedMotion = signal(false);

  /** The theme that is drawn. */
  const resolvedTheme = computed<'dark' | 'light'>(() => {
    if (theme.value !== 'system') return theme.value;
    return systemIsDark.value ? 'dark' : 'light';
  });
  /** 1, or more in stage mode. */
  const typeScale = computed(() => (presentation.value ? STAGE_SCALE : 1));

  const density = computed<Density>(() => (presentation.value ? 'stage' : full.value ? 'researcher' : 'learner'));

  function chooseDensity(next: Density): void {
    batch(() => {
      presentation.value = next === 'stage';
      if (next !== 'stage') full.value = next === 'researcher';
    });
  }

  function panelOf(side: Side): typeof settingsPanel {
    return side === 'settings' ? settingsPanel : evidencePanel;
  }

  function resizePanel(side: Side, width: number): void {
    const { least, most } = PANEL_LIMITS[side];
    panelOf(side).value = { ...panelOf(side).value, width: Math.round(Math.max(least, Math.min(most, width))) };
  }

  function togglePanel(side: Side, open: boolean = !panelOf(side).value.open): void {
    panelOf(side).value = { ...panelOf(side).value, open };
  }

  return {
    theme,
    presentation,
    full,
    density,
    chooseDensity,
    settingsPanel,
    evidencePanel,
    aboutOpen,
    singleKeys,
    look,
    hintSeen,
    touched,
    systemIsDark,
    reducedMotion,
    resolvedTheme,
    typeScale,
    panelOf,
    resizePanel,
    togglePanel,
  };
}

export type Preferences = ReturnType<typeof createPreferences>;

const KEY = 'interface';

interface Stored {
  readonly theme?: unknown;
  readonly settings?: unknown;
  readonly evidence?: unknown;
  readonly about?: unknown;
  readonly hintSeen?: unknown;
  readonly singleKeys?: unknown;
  readonly full?: unknown;
  readonly look?: unknown;
}

function restorePanel({ resizePanel, togglePanel }: Preferences, side: Side, stored: unknown): void {
  if (typeof stored !== 'object' || stored === null) return;
  const { width, open } = stored as { readonly width?: unknown; readonly open?: unknown };
  if (typeof width === 'number' && Number.isFinite(width)) resizePanel(side, width);
  if (typeof open === 'boolean') togglePanel(side, open);
}

function restore(preferences: Preferences, text: string | undefined): void {
  const { theme, aboutOpen, full, hintSeen, singleKeys, look } = preferences;
  if (text === undefined) return;
  let stored: Stored;
  try {
    stored = JSON.parse(text) as Stored;
  } catch {
    // What cannot be read is written again with the next change.
    return;
  }
  if (typeof stored !== 'object' || stored === null) return;
  if (stored.theme === 'dark' || stored.theme === 'light' || stored.theme === 'system') theme.value = stored.theme;
  restorePanel(preferences, 'settings', stored.settings);
  restorePanel(preferences, 'evidence', stored.evidence);
  if (typeof stored.about === 'boolean') aboutOpen.value = stored.about;
  if (typeof stored.hintSeen === 'boolean') hintSeen.value = stored.hintSeen;
  if (typeof stored.singleKeys === 'boolean') singleKeys.value = stored.singleKeys;
  if (typeof stored.full === 'boolean') full.value = stored.full;
  look.value = STAGE_LOOKS.find((each) => each === stored.look) ?? 'auto';
}

/** Reads what was remembered, and from then on writes each change. @returns what ends that */
export function rememberPreferences(
  preferences: Preferences,
  host: Pick<Host, 'readSetting' | 'writeSetting'>,
): () => void {
  const { theme, settingsPanel, evidencePanel, aboutOpen, full, hintSeen, singleKeys, look } = preferences;
  restore(preferences, host.readSetting(KEY));
  let written = host.readSetting(KEY);
  return effect(() => {
    const text = JSON.stringify({
      theme: theme.value,
      settings: settingsPanel.value,
      evidence: evidencePanel.value,
      about: aboutOpen.value,
      hintSeen: hintSeen.value,
      singleKeys: singleKeys.value,
      full: full.value,
      look: look.value,
    });
    if (text !== written) host.writeSetting(KEY, text);
    written = text;
  });
}
