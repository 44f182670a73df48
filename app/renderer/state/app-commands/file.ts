/** Scenarios and runs as files: opened, saved, and as a command for the terminal. */
import type { SessionInfo } from '../../session/session.ts';
import { bundledScenario } from '../bundled-scenarios.ts';
import { commandLine } from '../command-line.ts';
import type { Command } from '../commands.ts';
import { host } from '../environment.ts';
import { notify } from '../notices.ts';
import { openFile, openRunFolder } from '../open-scenario.ts';
import { openOverlay } from '../overlays.ts';
import { beginWork } from '../progress.ts';
import { runController } from '../run-controller.ts';
import { fileNow } from '../run-edits.ts';
import { runFolderFiles } from '../save-run.ts';
import { appliedScenario, draftScenario, draftText, markSaved, openedScenario, origin } from '../scenario-state.ts';
import { runTimes } from '../run-times.ts';
import { ceilings, diagnostics, divergences, failure, info, kernels, newestCycle } from '../session-state.ts';

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
  // Choosing a name takes time, in which the draft may go on.
  const version = fileNow();
  // The name by which the system knows whose file it is.
  const suggested = `${version.scenario?.name ?? 'scenario'}.shoal.json`;
  const name = await host().save(suggested, 'application/json', new TextEncoder().encode(draftText(version)));
  if (name === undefined) return;
  markSaved(name, version);
  notify('information', `Saved ${name}`);
}

/** The run's folder; undefined where another run was started in the meantime. */
async function gatherRun(running: SessionInfo): Promise<Readonly<Record<string, Uint8Array>> | undefined> {
  // The checkpoint waits for the cycle that is being computed.
  const work = beginWork('Gathering the run');
  try {
    const { files } = runController();
    const checkpoint = await runController()
      .checkpoint()
      .catch(() => undefined);
    if (info.value !== running) return undefined;
    return await runFolderFiles({
      info: running,
      diagnostics: diagnostics.value,
      kernels: kernels.value,
      ceilings: ceilings.value,
      checkpoint,
      files,
      times: runTimes(),
      failure: failure.value,
      divergences: divergences.value,
    });
  } finally {
    work.end();
  }
}

async function saveRun(): Promise<void> {
  const running = info.value;
  if (!running) return;
  const files = await gatherRun(running);
  if (!files) return;
  const written = await host().saveFolder(`${running.scenario.name}-${running.scenario.seed}`, files);
  if (written !== undefined) notify('information', `Saved the run as ${written}`);
}

async function copyCommand(): Promise<void> {
  const running = info.value?.scenario ?? appliedScenario.value;
  if (!running) return;
  const { name, kind } = origin.value;
  const original = kind === 'bundled' ? bundledScenario(name.replace(/\.json$/, '')).scenario : openedScenario.value;
  const line = commandLine({
    origin: { name, kind },
    original: original ?? running,
    running,
    backend: info.value?.backend.name,
  });
  // A run folder has no file of its scenario that a command could name.
  const hasFile = kind !== 'run';
  const lines = hasFile ? [line] : [`It needs the scenario as a file: save it as ${name} first.`, line];
  const actions = hasFile ? [] : [{ title: 'Save scenario…', run: (): void => void attempt('Saving', saveScenario) }];
  try {
    await host().copyText(line);
    notify(hasFile ? 'information' : 'warning', 'Copied the command', { lines, actions });
  } catch {
    // Without leave to write to the clipboard the line can still be copied by hand.
    notify('warning', 'The clipboard cannot be written; the command is', { lines, actions });
  }
}

/** What can be done with files. */
export const FILE_COMMANDS: readonly Command[] = [
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
