/** Starts the interface: surroundings, state, commands, the window, and the first run. */
import '../workers/strict-policy.ts';
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import { effect } from '@preact/signals';
import { render } from 'preact';
import { createHost } from '../host/create-host.ts';
import type { Checkpoint } from '../../engine/index.ts';
import type { Host } from '../host/host.ts';
import { App } from './app.tsx';
import { setReader } from './reading/reader.ts';
import { createWorkerReader } from './reading/worker-reader.ts';
import { openSession } from './session/open-session.ts';
import { findAdapter } from './session/page-gpu.ts';
import { isRecovering, keepRecovery, takeRecovery } from './session/recovery.ts';
import type { OpenSession } from './session/session.ts';
import { registerAppCommands } from './state/app-commands/index.ts';
import { FIRST_SCENARIO } from './state/bundled-scenarios.ts';
import { runCommand } from './state/commands.ts';
import { setHost } from './state/environment.ts';
import { followViewport } from './state/frame-sizes.ts';
import { listenForShortcuts } from './state/keyboard.ts';
import { notify } from './state/notices.ts';
import { openRecovery } from './state/open-recovery.ts';
import { openBundled, openFile } from './state/open-scenario.ts';
import {
  initialisePreferences,
  presentation,
  reducedMotion,
  resolvedTheme,
  systemIsDark,
  touched,
} from './state/preferences.ts';
import { createRunController, setRunController } from './state/run-controller.ts';
import { appliedScenario } from './state/scenario-state.ts';
import { unsaved } from './state/run-edits.ts';
import { speed } from './state/session-state.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/frame.css';

/** Cycles a second at first, where motion is to be reduced. */
const CUT_SPEED = 2;

/** Keeps a signal at what a media query says. */
function followMedia(query: string, target: { value: boolean }): void {
  const list = window.matchMedia(query);
  target.value = list.matches;
  list.addEventListener('change', ({ matches }) => {
    target.value = matches;
  });
}

function followState(host: Host): void {
  effect(() => {
    const { dataset } = document.documentElement;
    dataset['theme'] = resolvedTheme.value;
    dataset['presentation'] = String(presentation.value);
  });
  effect(() => {
    const scenario = appliedScenario.value;
    const name = scenario && (scenario.title || scenario.name);
    host.setTitle(name ? `${unsaved.value ? '• ' : ''}${name} – Shoal` : 'Shoal');
  });
  effect(() => host.setUnsaved(unsaved.value));
}

/** The first press or key ends what the first minute does by itself. */
function noticeFirstTouch(): void {
  const touch = (): void => {
    touched.value = true;
    window.removeEventListener('pointerdown', touch, true);
    window.removeEventListener('keydown', touch, true);
  };
  window.addEventListener('pointerdown', touch, true);
  window.addEventListener('keydown', touch, true);
}

/** Sessions that leave their checkpoints for a page that has to go on after this one. */
const openKeptSession: OpenSession = (scenario, options) => {
  const keep = keepRecovery(scenario, options.files);
  const onCheckpoint = (checkpoint: Checkpoint): void => {
    keep(checkpoint);
    options.onCheckpoint?.(checkpoint);
  };
  return openSession(scenario, { ...options, onCheckpoint });
};

/** The first run: the one that a broken page left, or the scenario that greets. */
async function openFirst(): Promise<void> {
  if (isRecovering(location.search) && openRecovery(await takeRecovery())) return;
  await openBundled(FIRST_SCENARIO);
}

function cannotOpen(error: unknown): void {
  notify('error', 'The file cannot be opened', { lines: [error instanceof Error ? error.message : String(error)] });
}

function start(): void {
  const root = document.getElementById('app');
  if (!root) throw new Error('index.html has no element #app');
  const host = createHost();
  setHost(host);
  setReader(createWorkerReader());
  followMedia('(prefers-color-scheme: dark)', systemIsDark);
  followMedia('(prefers-reduced-motion: reduce)', reducedMotion);
  // Where the water does not move between analyses there is nothing to be seen for so long.
  if (reducedMotion.value) speed.value = CUT_SPEED;
  followViewport(window);
  initialisePreferences(host);
  setRunController(createRunController(openKeptSession, { repeats: () => !touched.value }));
  registerAppCommands();
  followState(host);
  noticeFirstTouch();
  listenForShortcuts(window);
  host.onCommand((command) => void runCommand(command));
  render(<App />, root);
  // A file that is handed over comes after the first run, which would otherwise end it.
  void findAdapter().then((adapter) => host.tellGraphics(adapter !== undefined && !adapter.software));
  void openFirst().finally(() => host.onOpen((file) => void openFile(file), cannotOpen));
}

window.addEventListener('unhandledrejection', ({ reason }) => {
  notify('error', 'Something went wrong', { lines: [reason instanceof Error ? reason.message : String(reason)] });
});
start();
