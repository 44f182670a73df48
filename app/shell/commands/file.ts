/** Scenarios and runs as files and links: opened, saved, as a command for the terminal; and the scenarios that ship. */
import { waterOf } from '../../../engine/index.ts';
import { BUNDLE_TYPE, bundleName } from '../../bundle/bundle-name.ts';
import type { OpenedFolder } from '../../host/host.ts';
import { attempt, saveFile, type NoticeAction } from '../../page/notices.ts';
import type { Command } from '../../page/commands.ts';
import type { ReportSource } from '../../features/reading/reading-service.ts';
import { gatherResults } from '../../features/saving/write-states.ts';
import { runFolderFiles } from '../../document/run/save-run.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import { commandOfRun, copyRunCommand } from '../../document/run/command-line.ts';
import type { RunView } from '../../document/run-view.ts';
import { versionsHere } from '../../page/versions-here.ts';
import { openingOf } from '../../features/opening/open-scenario.ts';
import { readerOf } from '../../features/reading/worker-reader.ts';
import { BUNDLED_SCENARIOS, catalogueOf } from '../../document/scenario/bundled-scenarios.ts';
import { LONGEST_LINK, writeLink, viewsNow } from '../../features/links/link.ts';
import { impactOf } from '../../features/impact/impact-state.ts';
import { lessonOf } from '../../features/lessons/lesson-state.ts';
import { stageOf } from '../../stage/stage-state.ts';
import { xrayOf } from '../../features/x-ray/xray-state.ts';

async function openScenario(laboratory: Laboratory, run: RunView): Promise<void> {
  const { host } = laboratory;
  const { openFile } = openingOf(run);
  const file = await host.openScenario();
  if (file) await openFile(file);
}

async function openRun(laboratory: Laboratory, run: RunView): Promise<void> {
  const { host } = laboratory;
  const { openRunFolder } = openingOf(run);
  const folder = await host.openFolder();
  if (folder) await openRunFolder(folder);
}

async function saveScenario(laboratory: Laboratory, run: RunView): Promise<void> {
  const {
    host,
    notices: { notify },
  } = laboratory;
  const {
    edits: { fileNow },
    scenario: { draftText, markSaved },
  } = run;
  // Choosing a name takes time, in which the draft may change.
  const version = fileNow();
  // The name by which the system knows whose file it is.
  const suggested = `${version.scenario?.name ?? 'scenario'}.shoal.json`;
  const name = await host.save(suggested, 'application/json', new TextEncoder().encode(draftText(version)));
  if (name === undefined) return;
  markSaved(name, version);
  notify('information', `Saved ${name}`);
}

/** The run's folder; undefined where another run was started in the meantime. */
async function gatherRun(
  laboratory: Laboratory,
  run: RunView,
): Promise<Readonly<Record<string, Uint8Array>> | undefined> {
  const results = await gatherResults(laboratory, run);
  return results && runFolderFiles(results);
}

async function saveRun(laboratory: Laboratory, run: RunView): Promise<void> {
  const {
    host,
    notices: { notify },
  } = laboratory;
  const { info } = run.course;
  const running = info.value;
  if (!running) return;
  const files = await gatherRun(laboratory, run);
  if (!files) return;
  const written = await host.saveFolder(`${running.scenario.name}-${running.scenario.seed}`, files);
  if (written !== undefined) notify('information', `Saved the run as ${written}`);
}

async function saveBundle(laboratory: Laboratory, run: RunView): Promise<void> {
  const { progress } = laboratory;
  const reader = readerOf(laboratory);
  const files = await gatherRun(laboratory, run);
  const scenario = run.course.info.value?.scenario;
  if (!files || !scenario) return;
  const work = progress.beginWork('Making the bundle');
  const bytes = await reader.bundle(files).finally(() => work.end());
  await saveFile(laboratory, bundleName(`${scenario.name}-${scenario.seed}`), BUNDLE_TYPE, bytes);
}

/** Has a page made of a run folder, beside this one, and asks where it goes. */
async function writeReport(
  laboratory: Laboratory,
  source: Pick<ReportSource, 'name' | 'files'>,
  parted: OpenedFolder['parted'] = {},
): Promise<void> {
  const { host, notices, progress } = laboratory;
  const work = progress.beginWork('Writing the report');
  const given = { ...source, version: versionsHere()['shoal'] };
  const { name, page } = await readerOf(laboratory)
    .report(given, parted)
    .finally(() => work.end());
  const written = await host.save(name, 'text/html', page);
  if (written !== undefined) notices.notify('information', `Saved the report as ${written}`);
}

/** Reports the run on screen. */
async function reportRun(laboratory: Laboratory, run: RunView): Promise<void> {
  const running = run.course.info.value;
  const files = running && (await gatherRun(laboratory, run));
  if (!files) return;
  await writeReport(laboratory, { name: `${running.scenario.name}-${running.scenario.seed}`, files });
}

/** Reports a stored folder, with the states that it keeps. */
async function reportFolder(laboratory: Laboratory): Promise<void> {
  const folder = await laboratory.host.openFolder();
  if (folder) await writeReport(laboratory, { name: 'the run folder', files: folder.files }, folder.parted);
}

async function copyCommand(laboratory: Laboratory, run: RunView): Promise<void> {
  const command = commandOfRun(laboratory, run);
  if (!command) return;
  await copyRunCommand(laboratory, command, () => {
    void attempt(laboratory, 'Saving', () => saveScenario(laboratory, run));
  });
}

/** Whether its states are what `fields.nc` holds. */
function isWater({ course: { info } }: RunView): boolean {
  return info.value !== undefined && waterOf(info.value.scenario.model) !== undefined;
}

/** What can be done with files. */
export function fileCommands(laboratory: Laboratory, run: RunView): readonly Command[] {
  const { openOverlay } = laboratory.overlays;
  const {
    scenario: { draftScenario, appliedScenario },
    course: { newestCycle },
  } = run;
  return [
    {
      id: 'file.open',
      group: 'File',
      title: 'Open scenario…',
      shortcuts: ['Mod+O'],
      run: () => attempt(laboratory, 'Opening', () => openScenario(laboratory, run)),
    },
    {
      id: 'file.gallery',
      group: 'File',
      title: 'Bundled scenarios…',
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
      run: () => attempt(laboratory, 'Saving', () => saveScenario(laboratory, run)),
    },
    {
      id: 'file.open-run',
      group: 'File',
      title: 'Open run folder…',
      keywords: 'results import',
      run: () => attempt(laboratory, 'Opening the run', () => openRun(laboratory, run)),
    },
    {
      id: 'file.save-run',
      group: 'File',
      title: 'Save run as folder…',
      keywords: 'export results diagnostics csv',
      enabled: () => newestCycle.value >= 0,
      run: () => attempt(laboratory, 'Saving the run', () => saveRun(laboratory, run)),
    },
    {
      id: 'file.save-states',
      group: 'File',
      title: 'Save run with its states…',
      keywords: 'export fields.nc netcdf members means playback folder',
      enabled: () => newestCycle.value >= 0 && isWater(run),
      run: () => openOverlay('states'),
    },
    {
      id: 'file.save-bundle',
      group: 'File',
      title: 'Save run as bundle…',
      keywords: 'shoal file reproduce share export one zip',
      enabled: () => newestCycle.value >= 0,
      run: () => attempt(laboratory, 'Saving the bundle', () => saveBundle(laboratory, run)),
    },
    {
      id: 'file.report',
      group: 'File',
      title: 'Write a report…',
      keywords: 'export page html print paper publish',
      enabled: () => newestCycle.value >= 0,
      run: () => attempt(laboratory, 'Writing the report', () => reportRun(laboratory, run)),
    },
    {
      id: 'file.report-folder',
      group: 'File',
      title: 'Write a report of a run folder…',
      keywords: 'export page html print paper publish',
      run: () => attempt(laboratory, 'Writing the report', () => reportFolder(laboratory)),
    },
    {
      id: 'file.copy-command',
      group: 'File',
      title: 'Copy as command',
      shortcuts: ['Mod+Shift+C'],
      keywords: 'cli shell terminal',
      enabled: () => appliedScenario.value !== undefined,
      run: () => copyCommand(laboratory, run),
    },
  ];
}

/** Asked for when somebody looks for a command. */
export function scenarioCommands(laboratory: Laboratory, run: RunView): readonly Command[] {
  const { bundledTitle } = catalogueOf(laboratory);
  const {
    scenario: { origin },
  } = run;
  const { openBundled } = openingOf(run);
  return BUNDLED_SCENARIOS.map(({ name }) => ({
    id: `scenario.${name}`,
    group: 'Scenarios',
    title: bundledTitle(name),
    detail: name,
    keywords: `open scenario ${name}`,
    checked: () => origin.value.kind === 'bundled' && origin.value.name === `${name}.json`,
    run: async () => {
      await openBundled(name);
    },
  }));
}

/** @returns the link from its sign # on; undefined where the scenario names files */
function linkNow(laboratory: Laboratory, run: RunView): string | undefined {
  const {
    course: { info, cycle },
    scenario: { appliedScenario },
    edits: { runFile },
  } = run;
  const running = info.value?.scenario ?? appliedScenario.value;
  if (!running) return undefined;
  const lesson = lessonOf(run).linked();
  const { scenario, raw } = lesson?.parsed ?? { scenario: running, raw: runFile.value };
  const content = {
    scenario,
    raw,
    cycle: cycle.value,
    views: viewsNow(laboratory, {
      view: run.view,
      stage: stageOf(run),
      xray: xrayOf(run),
      impact: impactOf(run),
    }),
    lesson,
  };
  return writeLink(content, catalogueOf(laboratory));
}

/** What the link opens, and what is not in it. */
function contentLines(run: RunView): string[] {
  const { cycle } = run.course;
  const { pendingEffect } = run.scenario;
  const { at } = lessonOf(run);
  const shown = cycle.value < 0 ? 'the state before the first cycle' : `cycle ${cycle.value}`;
  const pending = pendingEffect.value === 'none' ? [] : ['Changes that are not applied yet are not in it.'];
  const step = at.value === undefined ? '' : `, at step ${at.value + 1} of the lesson`;
  return [`It opens ${shown} with these views${step}.`, ...pending];
}

async function copyLink(laboratory: Laboratory, run: RunView): Promise<void> {
  const {
    host,
    commands: { runCommand },
    notices: { notify },
    preferences: { density },
  } = laboratory;
  const saving: readonly NoticeAction[] = [{ title: 'Save scenario…', run: () => void runCommand('file.save') }];
  const content = linkNow(laboratory, run);
  if (content === undefined) {
    const lines = ['The scenario names files, which no link can hold: hand it on as a file, with those beside it.'];
    notify('warning', 'There is no link to this scenario', { lines, actions: saving });
    return;
  }
  // The page that opens it has the same controls.
  const link = host.linkAddress === undefined ? content : `${host.linkAddress}?view=${density.value}${content}`;
  if (link.length > LONGEST_LINK) {
    const lines = [`Found ${link.length} characters, allowed: ${LONGEST_LINK}: hand the scenario on as a file.`];
    notify('warning', 'The link would be too long', { lines, actions: saving });
    return;
  }
  const lines = contentLines(run);
  if (host.linkAddress === undefined) {
    lines.push(
      'This window has no public address, so this is only the part from # on. Paste it into another Shoal window, or append it to the address of a Shoal site.',
    );
  }
  try {
    await host.copyText(link);
    const isPart = host.linkAddress === undefined;
    notify('information', 'Copied the link', { lines, ...(isPart && { actions: saving }) });
  } catch {
    // If the clipboard is not available, the link can still be copied by hand.
    notify('warning', 'The clipboard is not available; the link is', { lines: [link, ...lines] });
  }
}

/** Copying a link to what is on screen. */
export function linkCommands(laboratory: Laboratory, run: RunView): readonly Command[] {
  return [
    {
      id: 'file.copy-link',
      group: 'File',
      title: 'Copy link',
      shortcuts: ['Mod+Shift+L'],
      keywords: 'address url share restore',
      enabled: () => run.course.info.value !== undefined,
      run: () => copyLink(laboratory, run),
    },
  ];
}
