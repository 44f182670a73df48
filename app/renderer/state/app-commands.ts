/** What can be done with the whole window, as commands. Stage and charts add their own. */
import { host } from './environment.ts';
import { registerCommands } from './commands.ts';
import type { Command } from './commands.ts';
import { commandLine } from './command-line.ts';
import { bundledScenario } from './bundled-scenarios.ts';
import { FIELDS } from './fields.ts';
import { notify } from './notices.ts';
import { openFile, openRunFolder } from './open-scenario.ts';
import { openOverlay, overlay, closeOverlay } from './overlays.ts';
import { frameSizes, showOrHidePanel } from './frame-sizes.ts';
import { presentation, singleKeys, theme } from './preferences.ts';
import type { Theme } from './preferences.ts';
import { runController } from './run-controller.ts';
import { runFolderFiles } from './save-run.ts';
import {
  appliedScenario,
  draftText,
  draftScenario,
  markSaved,
  openedScenario,
  origin,
  pendingEffect,
  redo,
  redoTitle,
  revertDraft,
  undo,
  undoTitle,
  unsaved,
} from './scenario-state.ts';
import {
  SPEEDS,
  ceilings,
  cycle,
  diagnostics,
  followNewest,
  info,
  kernels,
  loopRange,
  newestCycle,
  oldestCycle,
  playing,
  speed,
  status,
} from './session-state.ts';
import {
  camerasLinked,
  clearPins,
  crossSection,
  field,
  moveCameras,
  phase,
  probes,
  rangeMode,
  setField,
  showsBathymetry,
  showsObservations,
} from './view-state.ts';
import type { RangeMode } from './view-state.ts';

/** Calls for what may fail in the surroundings (no permission, disk full): told, never thrown. */
async function attempt(what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    notify('error', `${what} failed`, { lines: [error instanceof Error ? error.message : String(error)] });
  }
}

async function openScenario(): Promise<void> {
  const file = await host().openScenario();
  if (file) await openFile(file);
}

async function openRun(): Promise<void> {
  const folder = await host().openFolder();
  if (folder) await openRunFolder(folder);
}

async function saveScenario(): Promise<void> {
  // The name by which the system knows whose file it is.
  const name = `${draftScenario.value?.name ?? 'scenario'}.shoal.json`;
  const written = await host().save(name, 'application/json', new TextEncoder().encode(draftText()));
  if (written === undefined) return;
  markSaved(written);
  notify('information', `Saved ${written}`);
}

async function saveRun(): Promise<void> {
  const running = info.value;
  if (!running) return;
  const checkpoint = await runController()
    .checkpoint()
    .catch(() => undefined);
  const files = await runFolderFiles({
    info: running,
    diagnostics: diagnostics.value,
    kernels: kernels.value,
    ceilings: ceilings.value,
    checkpoint,
  });
  const written = await host().saveFolder(`${running.scenario.name}-${running.scenario.seed}`, files);
  if (written !== undefined) notify('information', `Saved the run as ${written}`);
}

async function copyCommand(): Promise<void> {
  const running = appliedScenario.value;
  if (!running) return;
  const { name, kind } = origin.value;
  const original = kind === 'bundled' ? bundledScenario(name.replace(/\.json$/, '')).scenario : openedScenario.value;
  const line = commandLine({
    origin: { name, kind },
    original: original ?? running,
    running,
    backend: info.value?.backend.name,
  });
  try {
    await host().copyText(line);
    notify('information', 'Copied the command', { lines: [line] });
  } catch {
    // Without leave to write to the clipboard the line can still be copied by hand.
    notify('warning', 'The clipboard cannot be written; the command is', { lines: [line] });
  }
}

const hasRun = (): boolean => info.value !== undefined;

function changeSpeed(by: number): void {
  const at = SPEEDS.findIndex((each) => each >= speed.value);
  speed.value = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at + by))];
}

/** Sets one end of the loop at the cycle on screen; the other stays where it is, or lies at the end of what is stored. */
function setLoopEnd(end: 'from' | 'to'): void {
  const { from, to } = loopRange.value ?? { from: oldestCycle.value, to: newestCycle.value };
  const here = cycle.value;
  loopRange.value = end === 'from' ? { from: here, to: Math.max(here, to) } : { from: Math.min(here, from), to: here };
}

const FILE: readonly Command[] = [
  {
    id: 'file.open',
    group: 'File',
    title: 'Open scenario…',
    shortcuts: ['Mod+O'],
    run: () => attempt('Opening', openScenario),
  },
  {
    id: 'file.gallery',
    group: 'File',
    title: 'Scenarios that ship…',
    shortcuts: ['G'],
    keywords: 'gallery examples',
    run: () => openOverlay('gallery'),
  },
  {
    id: 'file.save',
    group: 'File',
    title: 'Save scenario…',
    shortcuts: ['Mod+S'],
    enabled: () => draftScenario.value !== undefined,
    run: () => attempt('Saving', saveScenario),
  },
  {
    id: 'file.open-run',
    group: 'File',
    title: 'Open run folder…',
    keywords: 'results import',
    run: () => attempt('Opening the run', openRun),
  },
  {
    id: 'file.save-run',
    group: 'File',
    title: 'Save run as folder…',
    keywords: 'export results diagnostics csv',
    enabled: () => newestCycle.value >= 0,
    run: () => attempt('Saving the run', saveRun),
  },
  {
    id: 'file.copy-command',
    group: 'File',
    title: 'Copy as command',
    shortcuts: ['Mod+Shift+C'],
    keywords: 'cli shell terminal',
    enabled: () => appliedScenario.value !== undefined,
    run: copyCommand,
  },
];

const EDIT: readonly Command[] = [
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
    enabled: () => unsaved.value || pendingEffect.value !== 'none',
    run: revertDraft,
  },
];

const RUN: readonly Command[] = [
  {
    id: 'run.play',
    group: 'Run',
    title: 'Play or pause',
    shortcuts: ['Space', 'K'],
    enabled: hasRun,
    run: () => (playing.value ? runController().pause() : runController().play()),
  },
  {
    id: 'run.step-back',
    group: 'Run',
    title: 'One cycle back',
    shortcuts: [','],
    enabled: () => cycle.value > oldestCycle.value,
    run: () => runController().stepBack(),
  },
  {
    id: 'run.step-forward',
    group: 'Run',
    title: 'One cycle forward',
    shortcuts: ['.'],
    enabled: () => hasRun() && (cycle.value < newestCycle.value || status.value === 'ready'),
    run: () => runController().stepForward(),
  },
  {
    id: 'run.first',
    group: 'Run',
    title: 'To the first stored cycle',
    shortcuts: ['Shift+Home'],
    enabled: () => cycle.value > oldestCycle.value,
    run: () => runController().scrub(oldestCycle.value),
  },
  {
    id: 'run.follow',
    group: 'Run',
    title: 'Follow the newest cycle',
    shortcuts: ['F', 'Shift+End'],
    enabled: hasRun,
    checked: () => followNewest.value,
    run: () => {
      if (followNewest.value) followNewest.value = false;
      else runController().scrub(newestCycle.value);
    },
  },
  { id: 'run.slower', group: 'Run', title: 'Slower', shortcuts: ['-'], run: () => changeSpeed(-1) },
  { id: 'run.faster', group: 'Run', title: 'Faster', shortcuts: ['+', '='], run: () => changeSpeed(1) },
  {
    id: 'run.loop-from',
    group: 'Run',
    title: 'Loop from here',
    shortcuts: ['['],
    enabled: hasRun,
    run: () => setLoopEnd('from'),
  },
  {
    id: 'run.loop-to',
    group: 'Run',
    title: 'Loop to here',
    shortcuts: [']'],
    enabled: hasRun,
    run: () => setLoopEnd('to'),
  },
  {
    id: 'run.loop',
    group: 'Run',
    title: 'Loop',
    shortcuts: ['\\'],
    keywords: 'repeat range',
    enabled: () => newestCycle.value > oldestCycle.value,
    checked: () => loopRange.value !== undefined,
    run: () => {
      loopRange.value = loopRange.value ? undefined : { from: oldestCycle.value, to: newestCycle.value };
    },
  },
  {
    id: 'run.restart',
    group: 'Run',
    title: 'Start again from the first cycle',
    shortcuts: ['Shift+R'],
    enabled: hasRun,
    run: () => runController().restart(),
  },
];

const THEMES: readonly { readonly id: Theme; readonly title: string }[] = [
  { id: 'dark', title: 'Dark theme' },
  { id: 'light', title: 'Light theme' },
  { id: 'system', title: 'Theme of the system' },
];

const VIEW: readonly Command[] = [
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
    checked: () => frameSizes.value.settings !== undefined,
    run: () => showOrHidePanel('settings'),
  },
  {
    id: 'view.evidence',
    group: 'View',
    title: 'Evidence panel',
    shortcuts: ['Mod+E'],
    checked: () => frameSizes.value.evidence !== undefined,
    run: () => showOrHidePanel('evidence'),
  },
  {
    id: 'view.presentation',
    group: 'View',
    title: 'Presentation mode',
    shortcuts: ['Shift+P'],
    keywords: 'large type lecture projector',
    checked: () => presentation.value,
    run: () => {
      presentation.value = !presentation.value;
    },
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

const RANGES: readonly { readonly id: RangeMode; readonly title: string }[] = [
  { id: 'auto', title: 'Colour range of each view by itself' },
  { id: 'shared', title: 'Colour range shared by the views of a field' },
  { id: 'locked', title: 'Colour range locked' },
];

const STAGE: readonly Command[] = [
  ...FIELDS.map(({ id, title }, index): Command => ({
    id: `stage.field-${id}`,
    group: 'Stage',
    title: `Show ${title.toLowerCase()}`,
    shortcuts: [String(index + 1)],
    keywords: 'field',
    checked: () => field.value === id,
    run: () => setField(id),
  })),
  {
    id: 'stage.phase',
    group: 'Stage',
    title: 'Forecast in place of analysis',
    shortcuts: ['A'],
    checked: () => phase.value === 'forecast',
    run: () => {
      phase.value = phase.value === 'forecast' ? 'analysis' : 'forecast';
    },
  },
  {
    id: 'stage.link-cameras',
    group: 'Stage',
    title: 'Cameras linked',
    shortcuts: ['L'],
    checked: () => camerasLinked.value,
    run: () => {
      camerasLinked.value = !camerasLinked.value;
    },
  },
  {
    id: 'stage.camera-perspective',
    group: 'Stage',
    title: 'Camera at an angle',
    shortcuts: ['Shift+1'],
    keywords: 'view preset reset',
    run: () => moveCameras('perspective'),
  },
  {
    id: 'stage.camera-top',
    group: 'Stage',
    title: 'Camera from above',
    keywords: 'view preset map',
    run: () => moveCameras('top'),
  },
  { id: 'stage.camera-side', group: 'Stage', title: 'Camera from the side', run: () => moveCameras('side') },
  { id: 'stage.camera-front', group: 'Stage', title: 'Camera from the front', run: () => moveCameras('front') },
  {
    id: 'stage.observations',
    group: 'Stage',
    title: 'Observations',
    shortcuts: ['O'],
    checked: () => showsObservations.value,
    run: () => {
      showsObservations.value = !showsObservations.value;
    },
  },
  {
    id: 'stage.bathymetry',
    group: 'Stage',
    title: 'Bathymetry',
    shortcuts: ['B'],
    checked: () => showsBathymetry.value,
    run: () => {
      showsBathymetry.value = !showsBathymetry.value;
    },
  },
  ...RANGES.map(({ id, title }): Command => ({
    id: `stage.range-${id}`,
    group: 'Stage',
    title,
    checked: () => rangeMode.value === id,
    run: () => {
      rangeMode.value = id;
    },
  })),
  {
    id: 'stage.clear-pins',
    group: 'Stage',
    title: 'Remove probes and cross-section',
    enabled: () => probes.value.length > 0 || crossSection.value !== undefined,
    run: clearPins,
  },
];

const HELP: readonly Command[] = [
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

/** Registers them all. @returns what takes them away again */
export function registerAppCommands(): () => void {
  return registerCommands([...FILE, ...EDIT, ...RUN, ...VIEW, ...STAGE, ...HELP]);
}
